type AgeTexts = Record<'seconds' | 'minutes' | 'hours' | 'days', (n: number) => string>

/** The elapsed time in its largest unit. */
export function formatAge(since: string, now: string, words: AgeTexts): string {
  const seconds = Math.max(0, Math.round((Date.parse(now) - Date.parse(since)) / 1000))
  if (seconds < 90) return words.seconds(seconds)
  if (seconds < 90 * 60) return words.minutes(Math.round(seconds / 60))
  if (seconds < 36 * 3600) return words.hours(Math.round(seconds / 3600))
  return words.days(Math.round(seconds / 86_400))
}
