import { type Contact, type ContactDetail, contactsApi } from '@recado/contract/contacts'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { lockInCompany, lockSharedInCompany } from '../../kernel/data/advisory-locks.ts'
import { keepPrepared } from '../../kernel/data/keep-prepared.ts'
import { timestampLeaf } from '../../kernel/data/row-shape.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError, translateConstraintErrors } from '../../kernel/errors.ts'
import { pictureUrl } from '../../kernel/files/media.ts'
import { type ContactField, setContactFields } from './contact-fields.ts'
import { type IdentityKey, identityKeyText } from './identity.ts'
import { enqueueContactCreatedEvents } from './webhook-events.ts'

export type ContactRow = Selectable<DB['contacts']>

const conflicts = { contacts_companyId_ownerId_fkey: 'ERR_NO_USER_FOUND' } as const

/** The fields of a contact; `c` is the contact. */
export const contactShape = {
  ...{ id: 'c.id', companyId: 'c."companyId"', uuid: 'c.uuid', name: 'c.name', number: 'c.number', email: 'c.email' },
  ...{ profilePicUrl: 'c."profilePicUrl"', isGroup: 'c."isGroup"', disableBot: 'c."disableBot"' },
  ...{ whatsappId: 'c."whatsappId"', mergedInto: 'c."mergedInto"', heardName: 'c."heardName"', search: 'c.search' },
  ...{ language: 'c.language', ownerId: 'c."ownerId"' },
  createdAt: timestampLeaf('c."createdAt"'),
  updatedAt: timestampLeaf('c."updatedAt"'),
} satisfies Record<keyof ContactRow, unknown>

/**
 * The contacts with these keys, in one query for a whole batch. By default the rows are locked: until the transaction ends
 * they cannot be merged into another contact, so rows written for them cannot miss the move.
 */
export async function findContactsByKeys(
  scope: Scope,
  keys: IdentityKey[],
  hold = true,
): Promise<Map<string, ContactRow>> {
  if (!keys.length) return new Map()
  const found = await scope.load(hold ? loadLocked : loadUnlocked, keys)
  return new Map(
    keys.map(identityKeyText).flatMap((key) => (found.has(key) ? [[key, found.get(key) as ContactRow]] : [])),
  )
}
const loadUnlocked = (scope: Scope, all: IdentityKey[][]) => loadByKeys(scope, all, false)
const loadLocked = (scope: Scope, all: IdentityKey[][]) => loadByKeys(scope, all, true)

async function loadByKeys(scope: Scope, all: IdentityKey[][], hold: boolean): Promise<Map<string, ContactRow>[]> {
  const keys = [...new Map(all.flat().map((key) => [identityKeyText(key), key])).values()]
  // Locks are taken in the order of ids, here and in merge-contacts.ts, to avoid deadlocks. A shared lock blocks
  // merges but not the references that the inbox writes while it has a ticket locked.
  const { rows } = await sql<ContactRow & IdentityKey>`${keepPrepared}
    select c.*, i.kind, i.value
    from unnest(${keys.map((k) => k.kind)}::text[], ${keys.map((k) => k.value)}::text[]) k (kind, value)
    join "contactIdentities" i on i."companyId" = ${scope.companyId} and i.kind = k.kind and i.value = k.value
    join contacts c on c."companyId" = i."companyId" and c.id = i."contactId"
    where c."mergedInto" is null
    order by c.id ${hold ? sql`for share of c` : sql``}`.execute(scope.db)
  const found = new Map(rows.map(({ kind, value, ...contact }) => [identityKeyText({ kind, value }), contact]))
  return all.map(() => found)
}

/** Finds one contact and locks its row, too. A merged contact counts as not found. */
export async function findContact(scope: Scope, id: number, hold = true): Promise<ContactRow> {
  const query = scope.db
    .selectFrom('contacts')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .where('mergedInto', 'is', null)
  const row = await (hold ? query.forShare() : query).executeTakeFirst()
  if (!row) throw new AppError('ERR_NO_CONTACT_FOUND')
  return row
}

/** Finds many contacts and locks their rows in the order of ids. Missing contacts are left out. */
export const lockContacts = (scope: Scope, ids: number[]): Promise<ContactRow[]> =>
  scope.db
    .selectFrom('contacts')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', ids)
    .where('mergedInto', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()

/**
 * Serializes every decision about identities until the transaction ends: when two first messages of one person arrive
 * together, the second finds the contact that the first created. Messages of known contacts do not need this.
 */
export const waitForContactTurn = (scope: Scope): Promise<void> => scope.load(takeContactTurns, undefined)
async function takeContactTurns(scope: Scope, all: undefined[]): Promise<undefined[]> {
  // A batch only creates contacts for unknown numbers (see resolve-contact.ts). If two batches create the same
  // number, the second violates the unique key.
  await (scope.isInBatch ? lockSharedInCompany(scope, 'contacts') : lockInCompany(scope, 'contacts'))
  return all.map(() => undefined)
}

type NewContact = {
  name: string
  number: string
  email?: string
  isGroup?: boolean
  heardName?: string | null
  disableBot?: boolean
  language?: string | null
  ownerId?: number | null
  whatsappId: number | null
}

/** Creates a contact with its identities. The caller waits for the contact turn first; the keys must be unused. */
export async function addContact(
  scope: Scope,
  person: NewContact,
  keys: IdentityKey[],
  fields: ContactField[] = [],
): Promise<ContactRow> {
  const now = scope.now()
  const values = {
    ...person,
    companyId: scope.companyId,
    profilePicUrl: null,
    mergedInto: null,
    createdAt: now,
    updatedAt: now,
  }
  const contact = await translateConstraintErrors(conflicts, () => scope.load(insertContacts, values))
  await attachIdentityKeys(scope, contact.id, keys)
  if (fields.length) await setContactFields(scope, contact.id, fields)
  await publishContacts(scope, 'create', [contact])
  return contact
}

const insertContacts = (scope: Scope, all: Insertable<DB['contacts']>[]): Promise<ContactRow[]> =>
  scope.db.insertInto('contacts').values(all).returningAll().execute()

type IdentityLink = IdentityKey & { contactId: number }
/** Assigns these identity keys to this contact. */
export const attachIdentityKeys = (scope: Scope, contactId: number, keys: IdentityKey[]): Promise<void> =>
  scope.load(
    attachBatch,
    keys.map((key) => ({ ...key, contactId })),
  )
async function attachBatch(scope: Scope, all: IdentityLink[][]): Promise<undefined[]> {
  await attachIdentityLinks(scope, all.flat())
  return all.map(() => undefined)
}

export async function attachIdentityLinks(scope: Scope, links: IdentityLink[]): Promise<void> {
  if (!links.length) return
  await sql`
    insert into "contactIdentities" ("companyId", kind, value, "contactId", "createdAt")
    select ${scope.companyId}, l.kind, l.value, l.id, ${scope.now()}
    from unnest(
      ${links.map((l) => l.kind)}::text[], ${links.map((l) => l.value)}::text[], ${links.map((l) => l.contactId)}::int[]
    ) l (kind, value, id)
    order by l.kind, l.value
    ${scope.isInBatch ? sql`` : sql`on conflict ("companyId", kind, value) do update set "contactId" = excluded."contactId"`}`.execute(
    scope.db,
  )
}

/** Removes keys of a contact; keys that belong to another contact stay. */
export async function detachIdentityKeys(scope: Scope, contactId: number, keys: IdentityKey[]): Promise<void> {
  for (const { kind, value } of keys)
    await scope.db
      .deleteFrom('contactIdentities')
      .where('companyId', '=', scope.companyId)
      .where('contactId', '=', contactId)
      .where('kind', '=', kind)
      .where('value', '=', value)
      .execute()
}

/** `fields`: the complete list of custom fields, if they change, too. */
export async function updateContactRow(
  scope: Scope,
  id: number,
  values: Updateable<DB['contacts']>,
  fields?: ContactField[],
): Promise<ContactRow> {
  const row = await translateConstraintErrors(conflicts, () =>
    scope.db
      .updateTable('contacts')
      .set({ ...values, updatedAt: scope.now() })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', id)
      .where('mergedInto', 'is', null)
      .returningAll()
      .executeTakeFirst(),
  )
  if (!row) throw new AppError('ERR_NO_CONTACT_FOUND')
  if (fields) await setContactFields(scope, id, fields)
  await publishContacts(scope, 'update', [row])
  return row
}

/** Publishes contacts to the whole company. An event contains the complete contact. */
export async function publishContacts(scope: Scope, action: 'create' | 'update', rows: ContactRow[]): Promise<void> {
  for (const row of await presentContactDetails(scope, rows)) scope.publish(contactsApi.topic, { action, row })
  const ids = rows.map((row) => row.id)
  if (action === 'create') await enqueueContactCreatedEvents(scope, ids)
}

type ContactDetailRow = { id: number; extraInfo: ContactDetail['extraInfo']; line: string | null }
/** Contacts with their custom fields and their first line. */
export const presentContactDetails = (scope: Scope, rows: ContactRow[]): Promise<ContactDetail[]> =>
  scope.load(loadContactDetails, rows)

async function loadContactDetails(scope: Scope, all: ContactRow[][]): Promise<ContactDetail[][]> {
  const rows = all.flat()
  const found = await sql<ContactDetailRow>`${keepPrepared}
    select c.id, w.name as line, coalesce((
      select json_agg(json_build_object('id', f.id, 'name', f.name, 'value', f.value) order by f.id)
      from "contactFields" f where f."companyId" = ${scope.companyId} and f."contactId" = c.id
    ), '[]') as "extraInfo"
    from unnest(${rows.map((row) => row.id)}::int[], ${rows.map((row) => row.whatsappId)}::int[]) c (id, line)
    left join whatsapps w on w."companyId" = ${scope.companyId} and w.id = c.line`.execute(scope.db)
  const details = new Map(found.rows.map((detail) => [detail.id, detail]))
  const detailOf = (row: ContactRow): ContactDetail => {
    const { extraInfo = [], line = null } = details.get(row.id) ?? {}
    return { ...presentContact(scope, row), extraInfo, whatsapp: line === null ? null : { name: line } }
  }
  return all.map((some) => some.map(detailOf))
}
export const presentContactDetail = async (scope: Scope, row: ContactRow): Promise<ContactDetail> =>
  (await presentContactDetails(scope, [row]))[0] as ContactDetail

export const presentContact = <C extends Contact>(scope: Scope, row: C): C => ({
  ...row,
  profilePicUrl: pictureUrl(scope, row.profilePicUrl),
})
export const publishContactDeleted = (scope: Scope, id: number): void =>
  scope.publish(contactsApi.topic, { action: 'delete', id })
