import { fold } from './fold.ts'

/** What a search for people looks for: each of its words, in any order. Of a telephone, however written, the digits. */
export function searchedWords(typed: string): string[] {
  const digits = typed.replace(/\D/g, '')
  if (digits && /^[-+() .\d]+$/.test(typed)) return [digits]
  return fold(typed).split(/\s+/).filter(Boolean)
}

/** As the server finds them: by name, number and address. */
export function isFound(person: { name: string; number: string; email: string }, typed: string): boolean {
  const known = `${fold(person.name)}\n${person.number}\n${fold(person.email)}`
  return searchedWords(typed).every((word) => known.includes(word))
}
