import type { Language } from '../users.ts'

/**
 * Values of `{{name}}` and the other variables. The server fills them in on sending, browsers in previews of
 * what the customer will read.
 */
export type VariableValues = {
  name: string
  number?: string
  email?: string
  user?: string | null
  queue?: string | null
  /** The ticket number shown to people. */
  ticket?: number
  /** Further variables by name; those above go first. */
  more?: Readonly<Record<string, string>>
}
export type RenderMoment = { now: Date; zone: string; language: Language }

const greetings: Record<Language, { morning: string; afternoon: string; night: string }> = {
  es: { morning: 'Buenos días', afternoon: 'Buenas tardes', night: 'Buenas noches' },
  pt: { morning: 'Bom dia', afternoon: 'Boa tarde', night: 'Boa noite' },
  en: { morning: 'Good morning', afternoon: 'Good afternoon', night: 'Good evening' },
}
/** Date and time to the second, with leading zeros. */
export const dateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const

/** The greeting for the time of day: until noon, until six, after six. */
function partOfDay({ now, zone, language }: RenderMoment): string {
  const hour = Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: zone }).format(now))
  const words = greetings[language]
  return hour >= 5 && hour < 12 ? words.morning : hour >= 12 && hour < 18 ? words.afternoon : words.night
}

/** The names of the variables that every message has. */
export const messageVariables = [
  ...(['name', 'firstName', 'number', 'email', 'user', 'queue', 'ticket'] as const),
  ...(['ms', 'gretting', 'protocol', 'hora'] as const),
] as const
type MessageVariable = (typeof messageVariables)[number]

/**
 * Fills in `{{name}}` and the other variables. Unknown variables and unbalanced braces stay as typed. `encode` changes
 * each value for its place, such as a URL.
 */
export function renderVariables(
  text: string,
  words: VariableValues,
  moment: RenderMoment,
  encode = (value: string): string => value,
): string {
  if (!text.includes('{{')) return text
  const clock = Object.fromEntries(
    new Intl.DateTimeFormat('en', { ...dateTimeFormatOptions, timeZone: moment.zone })
      .formatToParts(moment.now)
      .map((p) => [p.type, p.value]),
  )
  const more = words.more ?? {}
  const known: Partial<Record<MessageVariable, () => string>> = {
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
  const valueOfKey = (key: string): string | undefined => {
    if (Object.hasOwn(known, key)) return known[key as MessageVariable]?.()
    return Object.hasOwn(more, key) ? more[key] : undefined
  }
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (typed, key: string) => {
    const value = valueOfKey(key)
    return value === undefined ? typed : encode(value)
  })
}
