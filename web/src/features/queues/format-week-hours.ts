import type { Hours } from '@recado/contract/hours/hours'
import { groupEqualDays } from '../../parts/hours/week-hours.ts'
import type { texts } from './texts.ts'

type WeekHoursTexts = Pick<(typeof texts)['es'], 'shortDays' | 'everyDay' | 'fromTo' | 'closed' | 'moreHours'>

/**
 * Formats opening hours, for example "Lun a vie 08:00–18:00 +1": the longest range as text, and the number of further
 * ranges.
 */
export function formatWeekHours(hours: Hours[], words: WeekHoursTexts): string {
  const [main, ...rest] = groupEqualDays(hours).sort((a, b) => b.last - b.first - (a.last - a.first))
  if (!main) return hours.length > 0 ? words.closed : ''
  const day = (i: number) => words.shortDays[i] ?? ''
  const days =
    main.first === main.last
      ? day(main.first)
      : main.first === 0 && main.last === 6
        ? words.everyDay
        : words.fromTo(day(main.first), day(main.last))
  const times = main.ranges.map(({ from, to }) => `${from}–${to}`).join(', ')
  return [days, times, rest.length > 0 ? words.moreHours(rest.length) : ''].filter(Boolean).join(' ')
}
