import type { PersonIdentity } from '../../lines/line.ts'
import type { IdentityKind } from '../tables.ts'

/** An identity of a person. Equal keys mean the same person, whichever line or event reported them. */
export type IdentityKey = { kind: IdentityKind; value: string }

/** The key as one string, for maps. */
export const identityKeyText = ({ kind, value }: IdentityKey): string => `${kind}:${value}`

/** Every key of a person, the most reliable first: a phone number outlives vendor ids. */
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

/** The keys that a person had until this event. */
export const toFormerKeys = ({ former }: PersonIdentity): IdentityKey[] => (former ? toIdentityKeys(former) : [])

/** The key of a group. Ids of older groups contain the founder's number and a dash; both are part of the id. */
export function groupKey(id: unknown): IdentityKey | null {
  const value = stripDomain(id)
  return value ? { kind: 'group', value } : null
}

/**
 * The digits of a number, in one form for Brazilian mobiles. They got a ninth digit (a 9 after the area code) state by
 * state, and WhatsApp kept the form an account was opened with: both forms are one phone number.
 */
export function phoneKey(said: unknown): string {
  const number = normalizePhoneNumber(said)
  return /^55\d\d9[6-9]\d{7}$/.test(number) ? number.slice(0, 4) + number.slice(5) : number
}

/** The keys of the numbers that a search text may mean: as typed, or as dialled within Brazil. */
export function listPossiblePhoneKeys(typed: string): string[] {
  const digits = typed.replace(/\D/g, '')
  return digits.length < 8 ? [] : [phoneKey(digits), phoneKey(`55${digits}`)]
}

/** The number for display: all its digits without leading zeros, which no international number has. */
export const normalizePhoneNumber = (said: unknown): string => stripDomain(said).replace(/\D/g, '').replace(/^0+/, '')

/** The longer of two notations of the same number, which can be dialled from everywhere. */
export function chooseFullerNumber(present: string, said: string): string {
  if (!present || !said) return present || said
  return phoneKey(present) === phoneKey(said) && said.length > present.length ? said : present
}

/** Maximum length of an id: longer than any real id, and short enough for an index. */
const maxIdChars = 120

/** Event data is untrusted: an unusable value becomes an empty text, and never an error. */
function cleanText(said: unknown): string {
  const word = typeof said === 'string' ? said.trim() : typeof said === 'number' ? String(said) : ''
  // PostgreSQL cannot store NUL, and no id has control characters.
  return word.length > maxIdChars || /\p{Cc}/u.test(word) || !word.isWellFormed() ? '' : word
}

/** A chat id without its domain and device: `5511…:3@s.whatsapp.net` is `5511…`. */
const stripDomain = (said: unknown): string => (cleanText(said).split('@')[0] ?? '').replace(/:\d+$/, '').trim()
