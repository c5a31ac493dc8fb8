import type { KanbanTexts } from './texts.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** A short duration: minutes, then hours, then days. */
export function formatDurationWords(
  ms: number,
  words: Pick<KanbanTexts, 'now' | 'minutes' | 'hours' | 'days'>,
): string {
  if (ms < minuteMs) return words.now
  if (ms < hourMs) return words.minutes(Math.floor(ms / minuteMs))
  if (ms < dayMs) return words.hours(Math.floor(ms / hourMs))
  return words.days(Math.floor(ms / dayMs))
}

/** How urgent a wait is: half an hour is late, and the warning starts at a quarter of an hour (design, u). */
export function waitUrgency(ms: number): 'late' | 'soon' | undefined {
  if (ms >= 30 * minuteMs) return 'late'
  return ms >= 15 * minuteMs ? 'soon' : undefined
}
