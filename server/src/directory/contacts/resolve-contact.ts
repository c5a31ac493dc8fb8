import type { Scope } from '../../kernel/data/scope.ts'
import type { PersonIdentity } from '../../lines/line.ts'
import type { IdentityKind } from '../tables.ts'
import type { ContactDeskActions } from './contact-desk-actions.ts'
import { cleanContactName, isPlaceholderName } from './contact-name.ts'
import {
  addContact,
  attachIdentityKeys,
  type ContactRow,
  findContactsByKeys,
  updateContactRow,
  waitForContactTurn,
} from './contact-store.ts'
import {
  chooseFullerNumber,
  groupKey,
  type IdentityKey,
  identityKeyText,
  normalizePhoneNumber,
  toIdentityKeys,
} from './identity.ts'
import { mergeContacts } from './merge-contacts.ts'
import { wereUnmerged } from './unmerge-contacts.ts'

/** Who an event speaks of. The name is the one they gave themselves; of our own messages, none. */
export type ContactEvidence = {
  identity: PersonIdentity
  name: string
  /** The line that tells, where it is one. */
  whatsappId: number | null
  isGroup?: { id: string; name: string } | undefined
}
export type ResolvedContact = {
  contact: ContactRow
  how: 'known' | 'new' | 'merged'
  /** Which identity told. */
  by: IdentityKind
  /** Something was written. */
  changed: boolean
}

/** The keys an event gives for a person or, of a group, for the group itself. */
export function evidenceKeys(who: ContactEvidence): IdentityKey[] {
  if (!who.isGroup) return toIdentityKeys(who.identity)
  const key = groupKey(who.isGroup.id)
  return key ? [key] : []
}

/** Who is this? One contact, whatever the event calls them; late evidence joins what was two. */
export async function resolveContact(
  scope: Scope,
  who: ContactEvidence,
  desk: ContactDeskActions,
): Promise<ResolvedContact> {
  const keys = evidenceKeys(who)
  // Looked at first, and held only when there is nothing to decide: who holds a contact must not wait for a turn, while
  // who has the turn may wait for that contact.
  const seen = recognizeContact(await findContactsByKeys(scope, keys, false), who)
  const known = seen && recognizeContact(await findContactsByKeys(scope, keys), who)
  return known ?? scope.transaction((inside) => decideContact(inside, who, desk))
}

/** The quick answer, from what a batch found: somebody known of whom the event tells nothing new. Null: decide. */
export function recognizeContact(found: Map<string, ContactRow>, who: ContactEvidence): ResolvedContact | null {
  const keys = evidenceKeys(who)
  const contact = keys[0] && found.get(identityKeyText(keys[0]))
  if (!contact || keys.some((key) => found.get(identityKeyText(key))?.id !== contact.id)) return null
  if (Object.keys(findChanges(contact, who, keys)).length) return null
  return { contact, how: 'known', by: (keys[0] as IdentityKey).kind, changed: false }
}

/** The same with all doubts, in our turn: nothing is decided by anybody else until this transaction ends. */
export async function decideContact(
  scope: Scope,
  who: ContactEvidence,
  desk: ContactDeskActions,
): Promise<ResolvedContact> {
  const keys = evidenceKeys(who)
  const [first] = keys
  if (!first) throw new Error('The event names nobody')
  await waitForContactTurn(scope)
  const found = await findContactsByKeys(scope, keys, false)
  const known = recognizeContact(found, who)
  if (known) return known
  if (!scope.isAbreast) await dropReusedUsername(scope, keys, found)
  const by = keys.find((key) => found.has(identityKeyText(key)))?.kind
  if (!by)
    return {
      contact: await addContact(scope, newContactValues(who, keys), keys),
      how: 'new',
      by: first.kind,
      changed: true,
    }
  // Who is who is decided by one alone.
  if (scope.isAbreast) throw new Error('Somebody turned out to be known meanwhile')
  const { contact, merged } = await mergeAll(scope, keys, found, desk)
  const fresh = keys.filter((key) => !found.has(identityKeyText(key)))
  await attachIdentityKeys(scope, contact.id, fresh)
  const values = findChanges(contact, who, keys)
  const renewed = Object.keys(values).length > 0
  return {
    contact: renewed ? await updateContactRow(scope, contact.id, values) : contact,
    how: merged ? 'merged' : 'known',
    by,
    changed: merged || renewed || fresh.length > 0,
  }
}

/** All whom the event names become one, the oldest, unless people have said before that they are not one. */
async function mergeAll(
  scope: Scope,
  keys: IdentityKey[],
  found: Map<string, ContactRow>,
  desk: ContactDeskActions,
): Promise<{ contact: ContactRow; merged: boolean }> {
  const named = keys.flatMap((key) => ({ key, contact: found.get(identityKeyText(key)) }))
  let contact = named.find((n) => n.contact)?.contact as ContactRow
  const joined = new Set<number>()
  for (const { key, contact: other } of named) {
    if (!other || other.id === contact.id || joined.has(other.id)) continue
    if (await wereUnmerged(scope, contact.id, other.id)) continue
    const [keep, gone] = contact.id < other.id ? [contact, other] : [other, contact]
    contact = (await mergeContacts(scope, keep.id, gone.id, key.kind, desk)).kept
    joined.add(gone.id)
  }
  return { contact, merged: joined.size > 0 }
}

/**
 * A user name can be given up and taken by somebody else. Where an event knows its person by something surer, the name
 * is no proof: it goes to that person, and who had it before keeps everything else.
 */
async function dropReusedUsername(scope: Scope, keys: IdentityKey[], found: Map<string, ContactRow>): Promise<void> {
  const name = keys.find((key) => key.kind === 'username')
  const holder = name && found.get(identityKeyText(name))
  if (!holder || keys.length === 1) return
  const sameByOthers = keys.some((key) => key !== name && found.get(identityKeyText(key))?.id === holder.id)
  if (!sameByOthers && (await isKnownOtherwise(scope, holder.id))) found.delete(identityKeyText(name))
}

async function isKnownOtherwise(scope: Scope, contactId: number): Promise<boolean> {
  const other = await scope.db
    .selectFrom('contactIdentities')
    .select('kind')
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', contactId)
    .where('kind', '!=', 'username')
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** A person as we first meet them: by the name they gave, else by what we know them by. */
function newContactValues(who: ContactEvidence, keys: IdentityKey[]) {
  const { whatsappId } = who
  const [first] = keys as [IdentityKey, ...IdentityKey[]]
  if (who.isGroup) {
    const heardName = cleanContactName(who.isGroup.name) || null
    return { name: heardName ?? first.value, heardName, number: first.value, isGroup: true, whatsappId }
  }
  const number = normalizePhoneNumber(who.identity.phone)
  return { name: cleanContactName(who.name) || number || first.value, number, whatsappId }
}

type ContactChanges = Partial<Pick<ContactRow, 'name' | 'number' | 'heardName'>>

/** What an event tells of somebody known. A name that people see or wrote is never replaced, but by a group's own. */
function findChanges(contact: ContactRow, who: ContactEvidence, keys: IdentityKey[]): ContactChanges {
  if (who.isGroup) return findGroupChanges(contact, cleanContactName(who.isGroup.name))
  const number = contact.isGroup
    ? contact.number
    : chooseFullerNumber(contact.number, normalizePhoneNumber(who.identity.phone))
  const unnamed = isPlaceholderName(
    contact.name,
    contact,
    keys.map((k) => k.value),
  )
  const name = unnamed ? cleanContactName(who.name) || number || contact.name : contact.name
  return { ...(number !== contact.number && { number }), ...(name !== contact.name && { name }) }
}

/** A group's name belongs to its members, and its contact follows it until an agent calls it otherwise. */
function findGroupChanges(contact: ContactRow, heardName: string): ContactChanges {
  if (!heardName || heardName === contact.heardName) return {}
  const follows = contact.name === contact.heardName || isPlaceholderName(contact.name, contact)
  return { heardName, ...(follows && { name: heardName }) }
}
