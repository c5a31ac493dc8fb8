import { removeHiddenCharacters } from '@recado/contract/hidden-characters'
import { phoneKey } from './identity.ts'

/** Maximum length of a contact's name, the same as in the forms. */
const maxNameChars = 50

/** A name reported by a phone, without line breaks and within the limit of our forms. */
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

/** Whether the name is only the number or an id, which is shown until a real name is known. */
export function isPlaceholderName(name: string, contact: { number: string }, ids: string[] = []): boolean {
  if (!name || name === contact.number || ids.includes(name)) return true
  return /^[+\d\s().-]+$/.test(name) && contact.number !== '' && phoneKey(name) === phoneKey(contact.number)
}
