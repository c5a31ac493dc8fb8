import { normalizeAnswer } from '../menu/normalize-answer.ts'
import { type Language, languages } from '../users.ts'

export type DayContext = { when: 'any' | 'past' | 'future'; language: Language; today: string }

const dayMs = 86_400_000
const [firstYear, lastYear] = [1900, 2100]
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Days from today. */
const relativeDays: Record<string, number> = {
  ...{ 'antes de ayer': -2, anteayer: -2, anteontem: -2, ayer: -1, ontem: -1, yesterday: -1 },
  ...{ hoy: 0, hoje: 0, today: 0, manana: 1, amanha: 1, tomorrow: 1 },
  ...{ 'pasado manana': 2, 'depois de amanha': 2, 'day after tomorrow': 2, 'the day after tomorrow': 2 },
}

const monthFormats = languages.map((language) => new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }))
/** The names of each month in all languages. */
const monthNames = Array.from({ length: 12 }, (_, month) => [
  ...monthFormats.map((format) => normalizeAnswer(format.format(Date.UTC(2026, month, 1)))),
  ...(month === 8 ? ['setiembre'] : []),
])
/** The number of a month by its name, or by at least its first three letters. */
const monthOf = (word: string): number =>
  word.length < 3 ? 0 : monthNames.findIndex((names) => names.some((name) => name.startsWith(word))) + 1

type WrittenDay = { day: number; month: number; year: string | undefined }

/** The only day that the text names, as `2026-11-19`; null if it names none or several, or one in the wrong direction. */
export function readDay(text: string, { when, language, today }: DayContext): string | null {
  const written = normalizeAnswer(text)
  const relative = Object.hasOwn(relativeDays, written) ? relativeDays[written] : undefined
  const days = relative === undefined ? writtenDays(written, language) : []
  const day =
    relative !== undefined
      ? dayText(Date.parse(`${today}T00:00:00Z`) + relative * dayMs)
      : days.length === 1
        ? completeDay(days[0] as WrittenDay, when, today)
        : null
  if (day === null || (when === 'past' && day > today) || (when === 'future' && day < today)) return null
  return day
}

function writtenDays(text: string, language: Language): WrittenDay[] {
  const iso = [...text.matchAll(/(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/g)]
  if (iso.length) return iso.map(([, year, month, day]) => ({ day: Number(day), month: Number(month), year }))
  const numeric = [...text.matchAll(/(?<![\d/.-])(\d{1,2})([-/.])(\d{1,2})(?:\2(\d{4}|\d\d))?(?![\d/-])/g)]
  if (numeric.length)
    return numeric.map(([, first, , second, year]) => {
      const [a, b] = [Number(first), Number(second)]
      // The other order is meant if only that is a date.
      const isMonthFirst = language === 'en' ? a <= 12 : b > 12
      return isMonthFirst ? { day: b, month: a, year } : { day: a, month: b, year }
    })
  return namedDays(text)
}

/** "19 de noviembre de 2026", "19 nov", "1º de março", "November 19th, 2026". */
function namedDays(text: string): WrittenDay[] {
  const words = text.split(/[\s,./-]/).filter((word) => word !== '' && !['de', 'del', 'of', 'the', 'el'].includes(word))
  return words.flatMap((word, at) => {
    const month = monthOf(word)
    if (!month) return []
    const [before, after] = [dayOfWord(words[at - 1]), dayOfWord(words[at + 1])]
    const day = before ?? after
    const year = words[before === null ? at + 2 : at + 1]
    return day === null ? [] : [{ day, month, year: /^\d{4}$|^\d\d$/.test(year ?? '') ? year : undefined }]
  })
}

function dayOfWord(word: string | undefined): number | null {
  const [, day] = /^(\d{1,2})(?:st|nd|rd|th|o|a|\.º|º|°)?$/.exec(word ?? '') ?? []
  return day === undefined ? null : Number(day)
}

/** Without a year or a century: the next such day, or the last one if it must be in the past. */
function completeDay({ day, month, year }: WrittenDay, when: DayContext['when'], today: string): string | null {
  const possible = possibleYears(year, when, Number(today.slice(0, 4))).flatMap(
    (one) => existingDay(one, month, day) ?? [],
  )
  const isFitting = (one: string) => year?.length === 4 || (when === 'past' ? one <= today : year || one >= today)
  return possible.find(isFitting) ?? null
}

function possibleYears(year: string | undefined, when: DayContext['when'], thisYear: number): number[] {
  // A leap day comes every eighth year at the latest.
  if (year === undefined) return Array.from({ length: 9 }, (_, n) => (when === 'past' ? thisYear - n : thisYear + n))
  if (year.length === 4) return [Number(year)]
  const inCentury = thisYear - (thisYear % 100) + Number(year)
  // Up to twenty years ahead; more is meant as a year of the last century.
  return inCentury > thisYear + 20 ? [inCentury - 100] : [inCentury, inCentury - 100]
}

function existingDay(year: number, month: number, day: number): string | null {
  if (year < firstYear || year > lastYear || month < 1 || month > 12 || day < 1) return null
  const ms = Date.UTC(year, month - 1, day)
  return new Date(ms).getUTCMonth() === month - 1 ? dayText(ms) : null
}
