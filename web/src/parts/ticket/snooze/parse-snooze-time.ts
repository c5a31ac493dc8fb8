import { dateOfWallTime, toWallTime } from '@recado/contract/schedules/occurrences'
import { fold } from '@recado/contract/text/fold'

type Place = {
  now: Date
  /** The company's time zone, in which days and hours are meant. */
  zone: string
  /** The hour of a day that is named without one, for example "09:00". */
  opensAt: string
}

const minuteMs = 60_000
const unitMinutes: [pattern: RegExp, minutes: number][] = [
  [/^(m|min|mins|minuto|minutos|minute|minutes)$/, 1],
  [/^(h|hs|hora|horas|hour|hours|hr|hrs)$/, 60],
  [/^(d|dia|dias|day|days)$/, 24 * 60],
  [/^(s|sem|semana|semanas|w|week|weeks)$/, 7 * 24 * 60],
]
/** The first letters of each weekday in es, pt and en, from Sunday on. */
const weekdayPatterns = [
  /^(dom|domingo|sun|sunday)$/,
  /^(lun|lunes|seg|segunda|mon|monday)$/,
  /^(mar|martes|ter|terca|tue|tuesday)$/,
  /^(mie|miercoles|qua|quarta|wed|wednesday)$/,
  /^(jue|jueves|qui|quinta|thu|thursday)$/,
  /^(vie|viernes|sex|sexta|fri|friday)$/,
  /^(sab|sabado|sat|saturday)$/,
]
const isToday = (word: string) => /^(hoy|hoje|today)$/.test(word)
const isTomorrow = (word: string) => /^(manana|amanha|tomorrow)$/.test(word)
/** Words that add nothing: "el viernes a las 15", "na sexta às 15h", "on Friday at 3 pm". */
const fillers = new Set('el la las los a al de o na no as on at in en em para until feira'.split(' '))

/**
 * The time that a typed text means: "vie 15:30", "en 3 h", "24/11", "mañana 9", "tomorrow 3 pm". Spanish, Portuguese and
 * English are understood alike, whatever the reader's language. Null if the text is not a time in the future.
 */
export function parseSnoozeTime(text: string, { now, zone, opensAt }: Place): Date | null {
  const words = fold(text.slice(0, 60)).replace(/[,;]/g, ' ').replaceAll('-', ' ').split(/\s+/).filter(Boolean)
  const meant = words.filter((word) => !fillers.has(word))
  if (meant.length === 0) return null
  const at = parseDuration(meant, now) ?? parseDayAndTime(meant, { now, zone, opensAt })
  return at && at.getTime() > now.getTime() ? at : null
}

/** "3 h", "3h", "90 min", "2 días", "1 h 30 min". */
function parseDuration(words: string[], now: Date): Date | null {
  const parts = words.join(' ').matchAll(/(\d{1,4})\s?([a-z]+)\s?/g)
  let [minutes, length] = [0, 0]
  for (const [whole, count, unit = ''] of parts) {
    const known = unitMinutes.find(([pattern]) => pattern.test(unit))
    if (!known) return null
    minutes += Number(count) * known[1]
    length += whole.length
  }
  return minutes > 0 && length === words.join(' ').length ? new Date(now.getTime() + minutes * minuteMs) : null
}

function parseDayAndTime(words: string[], { now, zone, opensAt }: Place): Date | null {
  const [today = '', clock = ''] = toWallTime(now, zone).split('T')
  const rest = [...words]
  const day = takeDay(rest, today)
  const time = rest.length === 0 ? null : parseClock(rest.join(''))
  if (rest.length > 0 && time === null) return null
  if (day === null && time === null) return null
  if (day !== null) return dateOfWallTime(`${day}T${time ?? opensAt}`, zone)
  // An hour alone is the next time that the clock shows it.
  return dateOfWallTime(`${time !== null && time > clock.slice(0, 5) ? today : addDays(today, 1)}T${time}`, zone)
}

/** Removes the day from the words. A weekday is the next one; today's weekday is in a week. */
function takeDay(words: string[], today: string): string | null {
  for (const [i, word] of words.entries()) {
    const weekday = weekdayPatterns.findIndex((pattern) => pattern.test(word))
    const day = isToday(word)
      ? today
      : isTomorrow(word)
        ? addDays(today, 1)
        : weekday >= 0
          ? addDays(today, ((weekday - weekdayOf(today) + 6) % 7) + 1)
          : parseDate(word, today)
    if (day === null) continue
    words.splice(i, 1)
    return day
  }
  return null
}

/** "24/11", "24/11/2027", "24.11": the day before the month, in all three languages; without a year, the next such day. */
function parseDate(word: string, today: string): string | null {
  const [, day, month, year] = /^(\d{1,2})[/.](\d{1,2})(?:[/.](\d{2}|\d{4}))?$/.exec(word) ?? []
  if (!day || !month) return null
  const inYear = (y: number) => {
    const written = `${y}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    const date = new Date(`${written}T00:00:00Z`)
    return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(written) ? written : null
  }
  if (year) return inYear(Number(year) + (year.length === 2 ? 2000 : 0))
  const thisYear = inYear(Number(today.slice(0, 4)))
  return thisYear && thisYear < today ? inYear(Number(today.slice(0, 4)) + 1) : thisYear
}

/** "9", "9h", "9:30", "15.30", "3pm", "15h30", "0930". */
function parseClock(word: string): string | null {
  const [, hour, minute = '0', half] = /^(\d{1,2})(?:[:.h]?(\d{2}))?(?:h|hs)?(am|pm)?$/.exec(word) ?? []
  if (hour === undefined) return null
  const hours = half ? (Number(hour) % 12) + (half === 'pm' ? 12 : 0) : Number(hour)
  if (hours > 23 || Number(minute) > 59 || (half && Number(hour) > 12)) return null
  return `${String(hours).padStart(2, '0')}:${minute.padStart(2, '0')}`
}

const addDays = (day: string, n: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + n * 24 * 60 * minuteMs).toISOString().slice(0, 10)
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()
