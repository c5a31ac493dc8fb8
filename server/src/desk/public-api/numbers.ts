import { lineTraits } from '@recado/contract/line-traits'
import type { ConnectionRow } from '../../directory/connections/view.ts'
import { type ContactRow, findContactsByKeys } from '../../directory/contacts/contact-store.ts'
import { groupKey, identityKeyText, normalizePhoneNumber, toIdentityKeys } from '../../directory/contacts/identity.ts'
import type { PhoneQueries } from '../../directory/contacts/phone-queries.ts'
import { type ContactEvidence, evidenceKeys, resolveContact } from '../../directory/contacts/resolve-contact.ts'
import { lookUpWhatsAppNumber } from '../../directory/contacts/write-contact.ts'
import { type Clock, minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError, nullIfAppError } from '../../kernel/errors.ts'
import { type AttemptLimiter, makeAttemptLimiter } from '../../kernel/http/rate-limits.ts'
import { deskContactHooks } from '../composition/contact-hooks.ts'

/** Limit per minute, because WhatsApp notices a linked phone that looks up thousands of unknown numbers. */
const maxNumberChecksPerMinute = 60
export const makeNumberCheckLimit = (clock: Clock): AttemptLimiter =>
  makeAttemptLimiter(clock, { maxAttempts: maxNumberChecksPerMinute, windowMs: minutes(1) })

export const normalizeNumber = (typed: string): string | null => {
  const number = normalizePhoneNumber(typed)
  return /^\d{8,15}$/.test(number) ? number : null
}

/** Whether this line may look up another number now. */
function canCheckNumber(numberCheckLimit: AttemptLimiter, line: ConnectionRow): boolean {
  if (!lineTraits[line.provider].paced) return true
  const key = String(line.id)
  if (numberCheckLimit.isLimitReached(key)) return false
  numberCheckLimit.count(key)
  return true
}

/**
 * Resolves the number of an API call. A known contact needs no lookup; an unknown number is looked up by the line. If the
 * line cannot answer now, the number is accepted unchecked: the message waits, and its state shows later if it did not
 * arrive.
 */
export async function resolveRecipient(
  scope: Scope,
  line: ConnectionRow,
  typed: string,
  { phones, numberCheckLimit }: { phones: PhoneQueries; numberCheckLimit: AttemptLimiter },
): Promise<ContactEvidence> {
  const base = { name: '', whatsappId: line.id }
  if (/@(g\.us|lid)$/.test(typed)) return findKnownGroupOrLid(scope, line, typed)
  const number = normalizeNumber(typed)
  if (!number) throw new AppError('ERR_VALIDATION', { number: 'Invalid' })
  const known = await findContactsByKeys(scope, toIdentityKeys({ phone: number }), false)
  if (known.size || !canCheckNumber(numberCheckLimit, line)) return { ...base, identity: { phone: number } }
  const checkedNumber = await lookUpWhatsAppNumber(phones, scope, number, line.id).catch(
    (error) => nullIfAppError(error) ?? undefined,
  )
  if (checkedNumber === null) throw new AppError('ERR_NOT_ON_WHATSAPP')
  return { ...base, identity: { phone: checkedNumber ?? number } }
}

/** Groups and people with a hidden number cannot be looked up: they must be known contacts. */
async function findKnownGroupOrLid(scope: Scope, line: ConnectionRow, typed: string): Promise<ContactEvidence> {
  const base = { name: '', whatsappId: line.id }
  const isGroup = typed.endsWith('@g.us')
  if (isGroup && lineTraits[line.provider].cannot.includes('groups')) throw new AppError('ERR_WAPP_CANNOT')
  const key = isGroup ? groupKey(typed) : toIdentityKeys({ lid: typed })[0]
  const known = key && (await findContactsByKeys(scope, [key], false)).get(identityKeyText(key))
  if (!known) throw new AppError('ERR_NOT_ON_WHATSAPP')
  return isGroup ? { ...base, identity: {}, isGroup: { id: typed, name: '' } } : { ...base, identity: { lid: typed } }
}

/** The known contact for a number, locked; null if a lookup is needed. */
export async function findKnownRecipient(
  scope: Scope,
  line: ConnectionRow,
  typed: string,
): Promise<ContactEvidence | null> {
  const number = normalizeNumber(typed)
  if (!number) return null
  const identity = { phone: number }
  const known = await findContactsByKeys(scope, toIdentityKeys(identity))
  return known.size ? { name: '', whatsappId: line.id, identity } : null
}

/** The recipient's contact, locked. API input does not change a known contact. */
export async function lockRecipientContact(scope: Scope, who: ContactEvidence): Promise<ContactRow> {
  const [known] = (await findContactsByKeys(scope, evidenceKeys(who))).values()
  return known ?? (await resolveContact(scope, who, deskContactHooks)).contact
}

type NumberCheck = { asked: string; exists: boolean; number: string }

/** Which of these numbers are on WhatsApp. Known contacts need no lookup. */
export async function checkNumbers(
  scope: Scope,
  line: ConnectionRow,
  numbers: string[],
  { phones, numberCheckLimit }: { phones: PhoneQueries; numberCheckLimit: AttemptLimiter },
): Promise<NumberCheck[]> {
  const digits = numbers.map(normalizeNumber)
  const keys = digits.flatMap((number) => (number ? toIdentityKeys({ phone: number }) : []))
  const known = await findContactsByKeys(scope, keys, false)
  const found: NumberCheck[] = []
  for (const [n, asked] of numbers.entries()) {
    const number = digits[n]
    const contact =
      number && known.get(identityKeyText(toIdentityKeys({ phone: number })[0] as { kind: 'phone'; value: string }))
    if (!number) found.push({ asked, exists: false, number: '' })
    else if (contact) found.push({ asked, exists: true, number: contact.number || number })
    else found.push({ asked, ...(await checkOneNumber(number)) })
  }
  return found

  async function checkOneNumber(number: string): Promise<Omit<NumberCheck, 'asked'>> {
    if (!canCheckNumber(numberCheckLimit, line)) throw new AppError('ERR_RATE_LIMIT', undefined, { retryAfter: 60 })
    const checkedNumber = await lookUpWhatsAppNumber(phones, scope, number, line.id)
    if (checkedNumber === undefined) throw new AppError('ERR_WAPP_NOT_INITIALIZED')
    return { exists: checkedNumber !== null, number: checkedNumber ?? '' }
  }
}
