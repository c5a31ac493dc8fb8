import { formatDay, formatTime } from '../../lib/format.ts'

/** Formats as dd/MM/yy HH:mm (spec, section 9). */
export function formatShortDayTime(moment: string): string {
  const date = formatDay(moment)
  return date && `${date.slice(0, 6)}${date.slice(8)} ${formatTime(moment)}`
}
