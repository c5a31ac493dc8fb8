import type { LiveTexts } from './texts.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** A short duration in one unit, in two from one hour to one day. */
export function formatWait(ms: number, words: Pick<LiveTexts, 'now' | 'minutes' | 'hours' | 'days'>): string {
  if (ms < minuteMs) return words.now
  if (ms < hourMs) return words.minutes(Math.floor(ms / minuteMs))
  if (ms >= dayMs) return words.days(Math.floor(ms / dayMs))
  const minutes = Math.floor((ms % hourMs) / minuteMs)
  return `${words.hours(Math.floor(ms / hourMs))}${minutes > 0 ? ` ${minutes}` : ''}`
}
