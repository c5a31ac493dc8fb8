import { fold } from './fold.ts'

/** The terms of a search for people: each word, in any order. A phone number in any format is reduced to its digits. */
export function splitSearchTerms(typed: string): string[] {
  const digits = typed.replace(/\D/g, '')
  if (digits && /^[-+() .\d]+$/.test(typed)) return [digits]
  return fold(typed).split(/\s+/).filter(Boolean)
}

type Person = { name: string; number: string; email: string }
/** The stored search text of a person, which is also the key for alphabetical order. */
export const personSearchText = ({ name, number, email }: Person): string => `${fold(name)}\n${number}\n${fold(email)}`

/** Matches as the server does: by name, number and email. */
export function isSearchMatch(person: Person, typed: string): boolean {
  const known = personSearchText(person)
  return splitSearchTerms(typed).every((word) => known.includes(word))
}
