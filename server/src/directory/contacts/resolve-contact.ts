import type { Scope } from '../../kernel/data/scope.ts'
import type { PersonIdentity } from '../../lines/line.ts'
import type { IdentityKind } from '../tables.ts'
import type { ContactDeskActions } from './contact-desk-actions.ts'
import { cleanContactName, isPlaceholderName } from './contact-name.ts'
import {
  addContact,
  attachIdentityKeys,
  type ContactRow,
  detachIdentityKeys,
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
  phoneKey,
  toFormerKeys,
  toIdentityKeys,
} from './identity.ts'
import { mergeContacts } from './merge-contacts.ts'
import { wereUnmerged } from './unmerge-contacts.ts'

/** The person of an event. The name is the one that the person chose; our own messages have none. */
export type ContactEvidence = {
  identity: PersonIdentity
  name: string
  /** The reporting line, if any. */
  whatsappId: number | null
  isGroup?: { id: string; name: string } | undefined
  /** Whether the person wrote this message to us. */
  isSender?: boolean | undefined
}
export type ResolvedContact = {
  contact: ContactRow
  outcome: 'known' | 'new' | 'merged'
  /** The identity that matched. */
  matchedBy: IdentityKind
  isChanged: boolean
}

/** The keys of an event's person or, for a group, of the group itself. */
export function evidenceKeys(who: ContactEvidence): IdentityKey[] {
  if (!who.isGroup) return toIdentityKeys(who.identity)
  const key = groupKey(who.isGroup.id)
  return key ? [key] : []
}

/** Finds or creates the contact of an event. An event that shows that two contacts are one person merges them. */
export async function resolveContact(
  scope: Scope,
  who: ContactEvidence,
  desk: ContactDeskActions,
): Promise<ResolvedContact> {
  const keys = evidenceKeys(who)
  // The contacts are read first without a lock, and locked only when nothing has to be decided. A transaction that has
  // locked a contact must not wait for the contact turn, because the transaction that has the turn may wait for that
  // contact.
  const seen = recognizeContact(await findContactsByKeys(scope, keys, false), who)
  const known = seen && recognizeContact(await findContactsByKeys(scope, keys), who)
  return known ?? scope.transaction((inside) => decideContact(inside, who, desk))
}

/**
 * The quick decision after a batch lookup: a known contact whose data is unchanged. Null: a full decision is needed.
 */
export function recognizeContact(found: Map<string, ContactRow>, who: ContactEvidence): ResolvedContact | null {
  const keys = evidenceKeys(who)
  const contact = keys[0] && found.get(identityKeyText(keys[0]))
  if (!contact || keys.some((key) => found.get(identityKeyText(key))?.id !== contact.id)) return null
  if (Object.keys(findChanges(contact, who, keys, found)).length) return null
  return { contact, outcome: 'known', matchedBy: (keys[0] as IdentityKey).kind, isChanged: false }
}

/**
 * The full decision about the contact of an event. The caller has the contact turn: no other transaction decides until
 * this one ends.
 */
export async function decideContact(
  scope: Scope,
  who: ContactEvidence,
  desk: ContactDeskActions,
): Promise<ResolvedContact> {
  const keys = evidenceKeys(who)
  const [first] = keys
  if (!first) throw new Error('The event names nobody')
  await waitForContactTurn(scope)
  const former = toFormerKeys(who.identity)
  const found = await findContactsByKeys(scope, [...keys, ...former], false)
  const known = recognizeContact(found, who)
  if (known && former.every((key) => !found.has(identityKeyText(key)))) return known
  if (!scope.isInBatch) await dropReusedUsername(scope, keys, found)
  const by = [...keys, ...former].find((key) => found.has(identityKeyText(key)))?.kind
  if (!by)
    return {
      contact: await addContact(scope, newContactValues(who, keys), keys),
      outcome: 'new',
      matchedBy: first.kind,
      isChanged: true,
    }
  // Merges are not done in a batch.
  if (scope.isInBatch) throw new Error('The contact was identified meanwhile')
  const { contact, merged } = await mergeAll(scope, [...keys, ...former], found, desk)
  const fresh = keys.filter((key) => !found.has(identityKeyText(key)))
  await attachIdentityKeys(scope, contact.id, fresh)
  // A former number may be given to another person, and a former id can no longer be written to.
  await detachIdentityKeys(scope, contact.id, former)
  const values = findChanges(contact, who, keys, found)
  const renewed = Object.keys(values).length > 0
  return {
    contact: renewed ? await updateContactRow(scope, contact.id, values) : contact,
    outcome: merged ? 'merged' : 'known',
    matchedBy: by,
    isChanged: merged || renewed || fresh.length > 0,
  }
}

/** Merges all contacts an event names into the oldest, unless users have split them before. */
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
 * A user name can be given up and taken by another person. If an event has a more reliable key, the user name proves
 * nothing: it moves to the person with that key, and its former owner keeps all other keys.
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

/** The values of a new contact: the name that the person chose, else a key as the name. */
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

/** What an event changes in a known contact. Only a group's own name replaces a name that users see or entered. */
function findChanges(
  contact: ContactRow,
  who: ContactEvidence,
  keys: IdentityKey[],
  found: Map<string, ContactRow>,
): ContactChanges {
  if (who.isGroup) return findGroupChanges(contact, cleanContactName(who.isGroup.name))
  const said = normalizePhoneNumber(who.identity.phone)
  const isReplaced =
    said !== '' && contact.number !== '' && phoneKey(contact.number) === phoneKey(who.identity.former?.phone)
  // A person with several numbers gets answers where they wrote last.
  const isOtherNumber = who.isSender && said !== contact.number && isOtherKnownNumber(contact, said, found)
  const isNewer = isReplaced || isOtherNumber
  const number = contact.isGroup ? contact.number : isNewer ? said : chooseFullerNumber(contact.number, said)
  const unnamed = isPlaceholderName(
    contact.name,
    contact,
    keys.map((k) => k.value),
  )
  const name = unnamed ? cleanContactName(who.name) || number || contact.name : contact.name
  return { ...(number !== contact.number && { number }), ...(name !== contact.name && { name }) }
}

const isOtherKnownNumber = (contact: ContactRow, said: string, found: Map<string, ContactRow>): boolean => {
  const value = phoneKey(said)
  return value !== phoneKey(contact.number) && found.get(identityKeyText({ kind: 'phone', value }))?.id === contact.id
}

/** The contact of a group follows the group's name until an agent renames it. */
function findGroupChanges(contact: ContactRow, heardName: string): ContactChanges {
  if (!heardName || heardName === contact.heardName) return {}
  const follows = contact.name === contact.heardName || isPlaceholderName(contact.name, contact)
  return { heardName, ...(follows && { name: heardName }) }
}
