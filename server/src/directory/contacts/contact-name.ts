import { removeHiddenCharacters } from '@recado/contract/hidden-characters'
import { phoneKey } from './identity.ts'

/** What the forms allow. */
const maxNameChars = 50

/** A name as somebody's phone tells it, on one line and no longer than our own forms allow. */
export function cleanContactName(said: string): string {
  const line = removeHiddenCharacters(
    said
      .slice(0, 1000)
      .toWellFormed()
      .replace(/\p{Cc}+/gu, ' '),
  )
    .replace(/\s+/g, ' ')
    .trim()
  return [...line].slice(0, maxNameChars).join('').trim()
}

/** Nobody's name: only the number or an id stands there until a real one is known. */
export function isPlaceholderName(name: string, contact: { number: string }, ids: string[] = []): boolean {
  if (!name || name === contact.number || ids.includes(name)) return true
  return /^[+\d\s().-]+$/.test(name) && contact.number !== '' && phoneKey(name) === phoneKey(contact.number)
}
