import { formatNumber } from '../../../lib/format.ts'

/** `47 %`; a small share keeps a digit, such as `0,7 %`. */
export function formatShare(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (part / whole) * 100
  return `${formatNumber(percent > 0 && percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent))} %`
}
