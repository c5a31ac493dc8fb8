import { traits } from '@recado/contract/traits'
import type { ConnectionRow } from '../../directory/connections/view.ts'
import { groupKey, keysOf, keyText, shownNumber } from '../../directory/contacts/identity.ts'
import { type ContactRow, findByKeys } from '../../directory/contacts/people.ts'
import type { Phones } from '../../directory/contacts/phones.ts'
import { keysOfWho, resolveContact, type Who } from '../../directory/contacts/resolve.ts'
import { asWhatsApp } from '../../directory/contacts/write.ts'
import { type Clock, minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError, nullIfRefused } from '../../kernel/errors.ts'
import { type Limit, makeLimit } from '../../kernel/http/limits.ts'
import { atDesk } from '../tickets/at-desk.ts'

/** A linked phone that asks for strangers by the thousand is noticed: so many a minute. */
const mostStrangers = 60
export const makeAsking = (clock: Clock): Limit => makeLimit(clock, { tries: mostStrangers, window: minutes(1) })

export const digitsOf = (typed: string): string | null => {
  const number = shownNumber(typed)
  return /^\d{8,15}$/.test(number) ? number : null
}

/** Whether WhatsApp has been asked enough by this line for now. */
function mayAsk(asking: Limit, line: ConnectionRow): boolean {
  if (!traits[line.provider].paced) return true
  const key = String(line.id)
  if (asking.isOver(key)) return false
  asking.count(key)
  return true
}

/**
 * Whom a program means. Who is known is not asked about; of a stranger the line is asked, and where it cannot tell just
 * now the word of the program is taken, as everywhere: the message waits, and says later if it did not arrive.
 */
export async function whoIs(
  scope: Scope,
  line: ConnectionRow,
  typed: string,
  { phones, asking }: { phones: Phones; asking: Limit },
): Promise<Who> {
  const base = { name: '', whatsappId: line.id }
  if (/@(g\.us|lid)$/.test(typed)) return knownAlone(scope, line, typed)
  const number = digitsOf(typed)
  if (!number) throw new AppError('ERR_VALIDATION', { number: 'Invalid' })
  const known = await findByKeys(scope, keysOf({ phone: number }), false)
  if (known.size || !mayAsk(asking, line)) return { ...base, identity: { phone: number } }
  const said = await asWhatsApp(phones, scope, number, line.id).catch((error) => nullIfRefused(error) ?? undefined)
  if (said === null) throw new AppError('ERR_NOT_ON_WHATSAPP')
  return { ...base, identity: { phone: said ?? number } }
}

/** Groups and hidden people have no number that anybody could ask for: the house knows them or it does not. */
async function knownAlone(scope: Scope, line: ConnectionRow, typed: string): Promise<Who> {
  const base = { name: '', whatsappId: line.id }
  const isGroup = typed.endsWith('@g.us')
  if (isGroup && traits[line.provider].cannot.includes('groups')) throw new AppError('ERR_WAPP_CANNOT')
  const key = isGroup ? groupKey(typed) : keysOf({ lid: typed })[0]
  const known = key && (await findByKeys(scope, [key], false)).get(keyText(key))
  if (!known) throw new AppError('ERR_NOT_ON_WHATSAPP')
  return isGroup ? { ...base, identity: {}, isGroup: { id: typed, name: '' } } : { ...base, identity: { lid: typed } }
}

/** Whether the house knows by itself whom a program means: then nobody has to be asked. They are held. */
export async function knownTo(scope: Scope, line: ConnectionRow, typed: string): Promise<Who | null> {
  const number = digitsOf(typed)
  if (!number) return null
  const identity = { phone: number }
  const known = await findByKeys(scope, keysOf(identity))
  return known.size ? { name: '', whatsappId: line.id, identity } : null
}

/** Their contact, held. What a program types does not change who is known. */
export async function contactOf(scope: Scope, who: Who): Promise<ContactRow> {
  const [known] = (await findByKeys(scope, keysOfWho(who))).values()
  return known ?? (await resolveContact(scope, who, atDesk)).contact
}

type Checked = { asked: string; exists: boolean; number: string }

/** Which of these are on WhatsApp. Whom the house knows it need not ask about. */
export async function checkNumbers(
  scope: Scope,
  line: ConnectionRow,
  numbers: string[],
  { phones, asking }: { phones: Phones; asking: Limit },
): Promise<Checked[]> {
  const digits = numbers.map(digitsOf)
  const keys = digits.flatMap((number) => (number ? keysOf({ phone: number }) : []))
  const known = await findByKeys(scope, keys, false)
  const found: Checked[] = []
  for (const [n, asked] of numbers.entries()) {
    const number = digits[n]
    const contact = number && known.get(keyText(keysOf({ phone: number })[0] as { kind: 'phone'; value: string }))
    if (!number) found.push({ asked, exists: false, number: '' })
    else if (contact) found.push({ asked, exists: true, number: contact.number || number })
    else found.push({ asked, ...(await ask(number)) })
  }
  return found

  async function ask(number: string): Promise<Omit<Checked, 'asked'>> {
    if (!mayAsk(asking, line)) throw new AppError('ERR_RATE_LIMIT', undefined, { retryAfter: 60 })
    const said = await asWhatsApp(phones, scope, number, line.id)
    if (said === undefined) throw new AppError('ERR_WAPP_NOT_INITIALIZED')
    return { exists: said !== null, number: said ?? '' }
  }
}
