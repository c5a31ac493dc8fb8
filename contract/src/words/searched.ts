import { fold } from './fold.ts'

/** What a search for people looks for: each of its words, in any order. Of a telephone, however written, the digits. */
export function searchedWords(typed: string): string[] {
  const digits = typed.replace(/\D/g, '')
  if (digits && /^[-+() .\d]+$/.test(typed)) return [digits]
  return fold(typed).split(/\s+/).filter(Boolean)
}

type Person = { name: string; number: string; email: string }
/** What is known of people, as the server keeps it to find them, and to put them in the order of their letters. */
export const lettersOf = ({ name, number, email }: Person): string => `${fold(name)}\n${number}\n${fold(email)}`

/** As the server finds them: by name, number and address. */
export function isFound(person: Person, typed: string): boolean {
  const known = lettersOf(person)
  return searchedWords(typed).every((word) => known.includes(word))
}
