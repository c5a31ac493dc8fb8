import type { Wall } from '@recado/contract/schedules/repetition'

export const views = ['month', 'week', 'day', 'list'] as const
export type View = (typeof views)[number]
/** "2026-11-19", by the company's clocks. */
export type Day = string

const dayMs = 86_400_000
const two = (n: number) => String(n).padStart(2, '0')
const numberOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`) / dayMs
const textOf = (n: number): Day => new Date(n * dayMs).toISOString().slice(0, 10)
/** Monday is 0. The first day of 1970 was a Thursday. */
const weekdayOf = (day: Day): number => (((numberOf(day) + 3) % 7) + 7) % 7

export const addDays = (day: Day, n: number): Day => textOf(numberOf(day) + n)

/** The same day of another month, or its last. */
function addMonths(day: Day, n: number): Day {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + n]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(Number(day.slice(8)), last))).toISOString().slice(0, 10)
}

type Weeks = Intl.Locale & { getWeekInfo?: () => { firstDay: number } }

/** On which day weeks begin where the reader is, Monday being 0: their browser knows the country, the language may not. */
export function firstWeekday(language: string, browser: readonly string[]): number {
  const tag = browser.find((one) => one === language || one.startsWith(`${language}-`)) ?? language
  const known = (new Intl.Locale(tag) as Weeks).getWeekInfo?.().firstDay
  return ((known ?? (language === 'es' ? 1 : 7)) - 1) % 7
}

function weekOf(day: Day, first: number): Day[] {
  const since = (weekdayOf(day) - first + 7) % 7
  return Array.from({ length: 7 }, (_, n) => addDays(day, n - since))
}

/** Whole weeks, from the one in which the month begins to the one in which it ends. */
function monthOf(day: Day, first: number): Day[] {
  const begin = `${day.slice(0, 7)}-01`
  const end = addDays(addMonths(begin, 1), -1)
  const days = weekOf(begin, first)
  while ((days.at(-1) as Day) < end) days.push(...weekOf(addDays(days.at(-1) as Day, 1), first))
  return days
}

type Drawn = Exclude<View, 'list'>

export function daysOf(view: Drawn, day: Day, first: number): Day[] {
  if (view === 'month') return monthOf(day, first)
  return view === 'week' ? weekOf(day, first) : [day]
}

export function stepped(view: Drawn, day: Day, by: -1 | 1): Day {
  if (view === 'month') return addMonths(day, by)
  return addDays(day, view === 'week' ? 7 * by : by)
}

const formats = new Map<string, Intl.DateTimeFormat>()
function format(language: string, parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(parts)}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language, { ...parts, timeZone: 'UTC' })
  formats.set(key, known)
  return known
}
const noon = (day: Day) => new Date(`${day}T12:00:00Z`)
const say = (language: string, parts: Intl.DateTimeFormatOptions, day: Day) => format(language, parts).format(noon(day))

const whole = { day: 'numeric', month: 'long', year: 'numeric' } as const
export function titleOf(view: Drawn, days: Day[], day: Day, language: string): string {
  if (view === 'month') return say(language, { month: 'long', year: 'numeric' }, day)
  if (view === 'day') return say(language, { ...whole, weekday: 'long' }, day)
  return format(language, whole).formatRange(noon(days[0] as Day), noon(days.at(-1) as Day))
}
export const longDay = (day: Day, language: string) =>
  say(language, { weekday: 'long', day: 'numeric', month: 'long' }, day)
export const weekdayName = (day: Day, language: string) => say(language, { weekday: 'short' }, day).replace('.', '')
/** "sáb 14, 15:00" */
export const shortMoment = (wall: Wall, language: string) =>
  `${weekdayName(wall.slice(0, 10), language)} ${Number(wall.slice(8, 10))}, ${wall.slice(11)}`

/** How far a zone's clocks are from those of Greenwich now: "UTC-3". */
export const offsetOf = (zone: string, now: Date): string =>
  (
    new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' })
      .formatToParts(now)
      .find(({ type }) => type === 'timeZoneName')?.value ?? ''
  ).replace('GMT', 'UTC')

export const minuteOf = (wall: Wall): number => Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16))
export const wallAt = (day: Day, minute: number): Wall => `${day}T${two(Math.floor(minute / 60))}:${two(minute % 60)}`

export type Placed<T> = { one: T; minute: number; column: number; columns: number; crowded: boolean }
export type More<T> = { minute: number; all: T[] }

/** So many stand side by side; who comes on top of them is behind a "+2". */
const abreast = 2

/** Those that would cover each other (each is as high as so many minutes) stand side by side. */
export function sideBySide<T>(entries: { one: T; minute: number }[], lasts: number) {
  const shown: Placed<T>[] = []
  const more: More<T>[] = []
  let cluster: { one: T; minute: number; column: number }[] = []
  let ends: number[] = []
  const settle = () => {
    const columns = Math.min(ends.length, abreast)
    const hidden = cluster.filter(({ column }) => column >= abreast)
    const crowded = hidden.length > 0
    for (const { one, minute, column } of cluster)
      if (column < abreast) shown.push({ one, minute, column, columns, crowded })
    if (hidden[0]) more.push({ minute: hidden[0].minute, all: hidden.map(({ one }) => one) })
    cluster = []
    ends = []
  }
  for (const { one, minute } of entries.toSorted((a, b) => a.minute - b.minute)) {
    if (ends.every((end) => end <= minute)) settle()
    const free = ends.findIndex((end) => end <= minute)
    const column = free < 0 ? ends.length : free
    ends[column] = minute + lasts
    cluster.push({ one, minute, column })
  }
  settle()
  return { shown, more }
}
