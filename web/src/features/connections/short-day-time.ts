import { day, time } from '../../lib/format.ts'

/** dd/MM/yy HH:mm (spec, section 9). */
export function shortDayTime(moment: string): string {
  const date = day(moment)
  return date && `${date.slice(0, 6)}${date.slice(8)} ${time(moment)}`
}
