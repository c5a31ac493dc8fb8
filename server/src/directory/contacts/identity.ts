import type { PersonIdentity } from '../../lines/line.ts'
import type { IdentityKind } from '../tables.ts'

/** One way to know somebody. The same key is the same person, whatever line or event it came from. */
export type IdentityKey = { kind: IdentityKind; value: string }

/** The key as one text, for maps. */
export const identityKeyText = ({ kind, value }: IdentityKey): string => `${kind}:${value}`

/** Every key of a person, the surest first: a telephone outlives the ids that vendors give. */
export function toIdentityKeys(identity: PersonIdentity): IdentityKey[] {
  const found: IdentityKey[] = [
    { kind: 'phone', value: phoneKey(identity.phone) },
    { kind: 'lid', value: stripDomain(identity.lid) },
    { kind: 'cloud', value: cleanText(identity.cloud) },
    {
      kind: 'username',
      value: cleanText(identity.username)
        .replace(/^[@\s]+/, '')
        .toLowerCase(),
    },
  ]
  return found.filter(({ value }) => value !== '')
}

/** A group's own id; older ones carry the founder's number and a dash, which belongs to the id. */
export function groupKey(id: unknown): IdentityKey | null {
  const value = stripDomain(id)
  return value ? { kind: 'group', value } : null
}

/**
 * The digits of a number, with one form for Brazilian mobiles. They got a ninth digit (a 9 after the area code) one
 * state after the other, and WhatsApp kept the form an account was opened with: both forms are one telephone.
 */
export function phoneKey(said: unknown): string {
  const number = normalizePhoneNumber(said)
  return /^55\d\d9[6-9]\d{7}$/.test(number) ? number.slice(0, 4) + number.slice(5) : number
}

/** Whose number somebody may be looking for: as it is typed, or as it is dialled within Brazil. */
export function listPossiblePhoneKeys(typed: string): string[] {
  const digits = typed.replace(/\D/g, '')
  return digits.length < 8 ? [] : [phoneKey(digits), phoneKey(`55${digits}`)]
}

/** The number as people read it: all its digits, and no leading zero, which no international number has. */
export const normalizePhoneNumber = (said: unknown): string => stripDomain(said).replace(/\D/g, '').replace(/^0+/, '')

/** Of two ways to write the same telephone the longer one, which can be dialled everywhere. */
export function chooseFullerNumber(present: string, said: string): string {
  if (!present || !said) return present || said
  return phoneKey(present) === phoneKey(said) && said.length > present.length ? said : present
}

/** Longer than any real id, and short enough for an index. */
const maxIdChars = 120

/** Events are wild: whatever is not a usable word is no identity, and never an error. */
function cleanText(said: unknown): string {
  const word = typeof said === 'string' ? said.trim() : typeof said === 'number' ? String(said) : ''
  // The database cannot hold a NUL, and no id has any control character.
  return word.length > maxIdChars || /\p{Cc}/u.test(word) || !word.isWellFormed() ? '' : word
}

/** An address without its domain and without the device that wrote: `5511…:3@s.whatsapp.net` is `5511…`. */
const stripDomain = (said: unknown): string => (cleanText(said).split('@')[0] ?? '').replace(/:\d+$/, '').trim()
