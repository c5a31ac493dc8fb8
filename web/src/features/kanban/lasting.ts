import type { KanbanWords } from './texts.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long, in one word: minutes, then hours, then days. */
export function lasting(ms: number, words: Pick<KanbanWords, 'now' | 'minutes' | 'hours' | 'days'>): string {
  if (ms < minute) return words.now
  if (ms < hour) return words.minutes(Math.floor(ms / minute))
  if (ms < day) return words.hours(Math.floor(ms / hour))
  return words.days(Math.floor(ms / day))
}

/** Half an hour is long for who waits; from half of it on it shows (design, u). */
export function urgency(ms: number): 'late' | 'soon' | undefined {
  if (ms >= 30 * minute) return 'late'
  return ms >= 15 * minute ? 'soon' : undefined
}
