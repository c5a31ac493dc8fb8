import type { Language } from '../users.ts'

/**
 * What `{{name}}` and its like stand for. The server fills them in when something is sent, browsers where they show what
 * the customer is going to read.
 */
export type VariableValues = {
  name: string
  number?: string
  email?: string
  user?: string | null
  queue?: string | null
  /** What people call it. */
  ticket?: number
}
export type RenderMoment = { now: Date; zone: string; language: Language }

const greetings: Record<Language, { morning: string; afternoon: string; night: string }> = {
  es: { morning: 'Buenos días', afternoon: 'Buenas tardes', night: 'Buenas noches' },
  pt: { morning: 'Bom dia', afternoon: 'Boa tarde', night: 'Boa noite' },
  en: { morning: 'Good morning', afternoon: 'Good afternoon', night: 'Good evening' },
}
/** Day and hour to the second, each with all its digits. */
export const dateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const

/** The parts of the day as people greet in it: until noon, until six, after. */
function partOfDay({ now, zone, language }: RenderMoment): string {
  const hour = Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: zone }).format(now))
  const words = greetings[language]
  return hour >= 5 && hour < 12 ? words.morning : hour >= 12 && hour < 18 ? words.afternoon : words.night
}

/** Fills in `{{name}}` and its like. A variable nobody knows, or half a brace, stays as it was typed. */
export function renderVariables(text: string, words: VariableValues, moment: RenderMoment): string {
  if (!text.includes('{{')) return text
  const clock = Object.fromEntries(
    new Intl.DateTimeFormat('en', { ...dateTimeFormatOptions, timeZone: moment.zone })
      .formatToParts(moment.now)
      .map((p) => [p.type, p.value]),
  )
  const known: Record<string, () => string> = {
    name: () => words.name,
    firstName: () => words.name.split(/\s+/)[0] ?? '',
    ms: () => partOfDay(moment),
    gretting: () => partOfDay(moment),
    protocol: () => `${clock.year}${clock.month}${clock.day}${clock.hour}${clock.minute}${clock.second}`,
    hora: () => `${clock.hour}:${clock.minute}:${clock.second}`,
    ...(words.number !== undefined && { number: () => words.number ?? '' }),
    ...(words.email !== undefined && { email: () => words.email ?? '' }),
    ...(words.user && { user: () => words.user ?? '' }),
    ...(words.queue && { queue: () => words.queue ?? '' }),
    ...(words.ticket && { ticket: () => String(words.ticket) }),
  }
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (typed, key: string) =>
    Object.hasOwn(known, key) ? (known[key]?.() ?? typed) : typed,
  )
}
