import type { WallTime } from '@recado/contract/schedules/occurrences'

export const calendarViews = ['month', 'week', 'day', 'list'] as const
export type CalendarView = (typeof calendarViews)[number]
/** A day in the company's time zone, for example "2026-11-19". */
export type CalendarDay = string

const dayMs = 86_400_000
const padTwoDigits = (n: number) => String(n).padStart(2, '0')
const dayToNumber = (day: CalendarDay): number => Date.parse(`${day}T00:00:00Z`) / dayMs
const numberToDay = (n: number): CalendarDay => new Date(n * dayMs).toISOString().slice(0, 10)
/** Monday is 0. 1970-01-01 was a Thursday. */
const weekdayIndex = (day: CalendarDay): number => (((dayToNumber(day) + 3) % 7) + 7) % 7

export const addDays = (day: CalendarDay, n: number): CalendarDay => numberToDay(dayToNumber(day) + n)

/** The same day of another month, or its last day. */
function addMonths(day: CalendarDay, n: number): CalendarDay {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + n]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(Number(day.slice(8)), last))).toISOString().slice(0, 10)
}

type LocaleWithWeekInfo = Intl.Locale & { getWeekInfo?: () => { firstDay: number } }

/** The reader's first weekday; Monday is 0. The browser's locales contain the country, which the language may lack. */
export function getFirstWeekday(language: string, browser: readonly string[]): number {
  const tag = browser.find((one) => one === language || one.startsWith(`${language}-`)) ?? language
  const known = (new Intl.Locale(tag) as LocaleWithWeekInfo).getWeekInfo?.().firstDay
  return ((known ?? (language === 'es' ? 1 : 7)) - 1) % 7
}

function daysOfWeek(day: CalendarDay, first: number): CalendarDay[] {
  const since = (weekdayIndex(day) - first + 7) % 7
  return Array.from({ length: 7 }, (_, n) => addDays(day, n - since))
}

/** The whole weeks that contain the first to the last day of the month. */
function daysOfMonth(day: CalendarDay, first: number): CalendarDay[] {
  const begin = `${day.slice(0, 7)}-01`
  const end = addDays(addMonths(begin, 1), -1)
  const days = daysOfWeek(begin, first)
  while ((days.at(-1) as CalendarDay) < end) days.push(...daysOfWeek(addDays(days.at(-1) as CalendarDay, 1), first))
  return days
}

type GridView = Exclude<CalendarView, 'list'>

export function getVisibleDays(view: GridView, day: CalendarDay, first: number): CalendarDay[] {
  if (view === 'month') return daysOfMonth(day, first)
  return view === 'week' ? daysOfWeek(day, first) : [day]
}

export function stepCalendar(view: GridView, day: CalendarDay, by: -1 | 1): CalendarDay {
  if (view === 'month') return addMonths(day, by)
  return addDays(day, view === 'week' ? 7 * by : by)
}

const dateFormats = new Map<string, Intl.DateTimeFormat>()
function getDateFormat(language: string, parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(parts)}`
  const known = dateFormats.get(key) ?? new Intl.DateTimeFormat(language, { ...parts, timeZone: 'UTC' })
  dateFormats.set(key, known)
  return known
}
const noonOf = (day: CalendarDay) => new Date(`${day}T12:00:00Z`)
const formatDayParts = (language: string, parts: Intl.DateTimeFormatOptions, day: CalendarDay) =>
  getDateFormat(language, parts).format(noonOf(day))

const longDateParts = { day: 'numeric', month: 'long', year: 'numeric' } as const
export function formatCalendarTitle(view: GridView, days: CalendarDay[], day: CalendarDay, language: string): string {
  if (view === 'month') return formatDayParts(language, { month: 'long', year: 'numeric' }, day)
  if (view === 'day') return formatDayParts(language, { ...longDateParts, weekday: 'long' }, day)
  return getDateFormat(language, longDateParts).formatRange(
    noonOf(days[0] as CalendarDay),
    noonOf(days.at(-1) as CalendarDay),
  )
}
export const formatCalendarDay = (day: CalendarDay, language: string) =>
  formatDayParts(language, { weekday: 'long', day: 'numeric', month: 'long' }, day)
export const formatWeekday = (day: CalendarDay, language: string) =>
  formatDayParts(language, { weekday: 'short' }, day).replace('.', '')
/** Formats a moment, for example "sáb 14, 15:00". */
export const formatShortMoment = (wall: WallTime, language: string) =>
  `${formatWeekday(wall.slice(0, 10), language)} ${Number(wall.slice(8, 10))}, ${wall.slice(11)}`

/** The zone's current offset, such as "UTC-3". */
export const formatUtcOffset = (zone: string, now: Date): string =>
  (
    new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' })
      .formatToParts(now)
      .find(({ type }) => type === 'timeZoneName')?.value ?? ''
  ).replace('GMT', 'UTC')

export const minuteOfDay = (wall: WallTime): number => Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16))
export const wallTimeAt = (day: CalendarDay, minute: number): WallTime =>
  `${day}T${padTwoDigits(Math.floor(minute / 60))}:${padTwoDigits(minute % 60)}`

export type PlacedEntry<T> = { one: T; minute: number; column: number; columns: number; isCrowded: boolean }
export type HiddenEntries<T> = { minute: number; all: T[] }

/** Maximum entries side by side; further entries are behind a "+2". */
const maxSideBySide = 2

/** Puts entries that would overlap (each as high as `lasts` minutes) side by side. */
export function layOutSideBySide<T>(entries: { one: T; minute: number }[], lasts: number) {
  const shown: PlacedEntry<T>[] = []
  const more: HiddenEntries<T>[] = []
  let cluster: { one: T; minute: number; column: number }[] = []
  let columnEnds: number[] = []
  const closeCluster = () => {
    const columns = Math.min(columnEnds.length, maxSideBySide)
    const hidden = cluster.filter(({ column }) => column >= maxSideBySide)
    const crowded = hidden.length > 0
    for (const { one, minute, column } of cluster)
      if (column < maxSideBySide) shown.push({ one, minute, column, columns, isCrowded: crowded })
    if (hidden[0]) more.push({ minute: hidden[0].minute, all: hidden.map(({ one }) => one) })
    cluster = []
    columnEnds = []
  }
  for (const { one, minute } of entries.toSorted((a, b) => a.minute - b.minute)) {
    if (columnEnds.every((end) => end <= minute)) closeCluster()
    const free = columnEnds.findIndex((end) => end <= minute)
    const column = free < 0 ? columnEnds.length : free
    columnEnds[column] = minute + lasts
    cluster.push({ one, minute, column })
  }
  closeCluster()
  return { placed: shown, hidden: more }
}
