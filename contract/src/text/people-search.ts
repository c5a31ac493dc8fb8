import { fold } from './fold.ts'

/** What a search for people looks for: each of its words, in any order. Of a telephone, however written, the digits. */
export function splitSearchTerms(typed: string): string[] {
  const digits = typed.replace(/\D/g, '')
  if (digits && /^[-+() .\d]+$/.test(typed)) return [digits]
  return fold(typed).split(/\s+/).filter(Boolean)
}

type Person = { name: string; number: string; email: string }
/** What is known of people, as the server keeps it to find them, and to put them in the order of their letters. */
export const personSearchText = ({ name, number, email }: Person): string => `${fold(name)}\n${number}\n${fold(email)}`

/** As the server finds them: by name, number and address. */
export function isSearchMatch(person: Person, typed: string): boolean {
  const known = personSearchText(person)
  return splitSearchTerms(typed).every((word) => known.includes(word))
}
