import { currentLanguage } from './texts.ts'

// Dates look the same in every language (spec, section 9); plain numbers follow the reader's language.
type Moment = string | number | Date

const padTwoDigits = (n: number) => String(n).padStart(2, '0')

function parseMoment(moment: Moment | null | undefined): Date | null {
  if (moment === null || moment === undefined || moment === '') return null
  const date = moment instanceof Date ? moment : new Date(moment)
  return Number.isNaN(date.getTime()) ? null : date
}

/** The user's chosen time zone, or the browser's. */
let displayFormat: Intl.DateTimeFormat | null = null
export function setDisplayTimeZone(timeZone: string | null): void {
  try {
    displayFormat = timeZone === null ? null : new Intl.DateTimeFormat('en-GB', { timeZone, ...digits })
  } catch {
    // This browser does not support the time zone, so the browser's own zone is used.
    displayFormat = null
  }
}
const digits = {
  ...({ year: 'numeric', month: '2-digit', day: '2-digit' } as const),
  ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const),
}

/** Day and time of a moment in the display time zone. */
function dayAndTimeOf(date: Date): { day: string; time: string } {
  const [day = '', time = ''] = displayFormat
    ? displayFormat.format(date).split(', ')
    : [
        `${padTwoDigits(date.getDate())}/${padTwoDigits(date.getMonth() + 1)}/${date.getFullYear()}`,
        `${padTwoDigits(date.getHours())}:${padTwoDigits(date.getMinutes())}`,
      ]
  return { day, time }
}

/** Formats as dd/MM/yyyy in the reader's time zone; empty for no value. */
export function formatDay(moment: Moment | null | undefined): string {
  const date = parseMoment(moment)
  return date ? dayAndTimeOf(date).day : ''
}

/** Like `formatDay`, in another time zone: a company is paid until the end of a day in its own time zone. */
export function formatDayIn(moment: Moment, timeZone: string | undefined): string {
  const date = parseMoment(moment)
  if (!date) return ''
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone, day: '2-digit', month: '2-digit', year: 'numeric' }).format(
      date,
    )
  } catch {
    return formatDay(date)
  }
}

/** Formats a yyyy-MM-dd date without a time zone as dd/MM/yyyy. */
export const formatIsoDay = (written: string): string => written.split('-').reverse().join('/')

/** Formats as HH:mm. */
export function formatTime(moment: Moment | null | undefined): string {
  const date = parseMoment(moment)
  return date ? dayAndTimeOf(date).time : ''
}

/** Formats as dd/MM/yyyy HH:mm. */
export function formatDayTime(moment: Moment | null | undefined): string {
  const date = parseMoment(moment)
  if (!date) return ''
  const { day, time } = dayAndTimeOf(date)
  return `${day} ${time}`
}

/** Like `formatDayTime`, in another time zone: reports counted by a company's days are shown in its time zone. */
export function formatDayTimeIn(moment: Moment, timeZone: string): string {
  const date = parseMoment(moment)
  try {
    return date ? new Intl.DateTimeFormat('en-GB', { timeZone, ...digits }).format(date).replace(', ', ' ') : ''
  } catch {
    return formatDayTime(date)
  }
}

/** Number formats are cached: creating a format costs a hundred times its use, and every row has a number. */
const formats = new Map<string, Intl.NumberFormat>()

export function formatNumber(value: number, digits?: number): string {
  const language = currentLanguage()
  const key = `${language} ${digits}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(language, digits === undefined ? {} : { minimumFractionDigits: digits })
    formats.set(key, format)
  }
  return format.format(value)
}
