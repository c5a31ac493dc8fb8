import type { contactsApi } from '@recado/contract/contacts'
import type { Reply } from '@recado/contract/endpoint'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { forEachInTimeSlices } from '../../kernel/time-slices.ts'
import { cleanContactName, isPlaceholderName } from './contact-name.ts'
import {
  attachIdentityLinks,
  type ContactRow,
  findContactsByKeys,
  publishContacts,
  updateContactRow,
  waitForContactTurn,
} from './contact-store.ts'
import { type IdentityKey, identityKeyText, normalizePhoneNumber, phoneKey } from './identity.ts'
import type { PhoneQueries } from './phone-queries.ts'
import {
  type ImportedContact,
  type ImportedPerson,
  type RowRefusal,
  readSheetRow,
  type SheetRow,
} from './sheet-rows.ts'

/** Rows per transaction: while a transaction runs, messages from new contacts wait. */
const batchSize = 250

/** Creates a contact for every valid row, and reports the error of every other row. */
export async function importSheetRows(scope: Scope, rows: SheetRow[]): Promise<Reply<typeof contactsApi.upload>> {
  const errorBag: RowRefusal[] = []
  const people: NumberedPerson[] = []
  await forEachInTimeSlices(rows, (cells, i) => {
    const row = i + 1
    const read = readSheetRow(cells, row)
    if ('person' in read) people.push({ ...read.person, row })
    else errorBag.push(read.refusal)
  })
  const newContacts: { contactId: number; contactName: string }[] = []
  for (const { created, duplicates: doubles } of await addInBatches(scope, people)) {
    newContacts.push(...created.map((c) => ({ contactId: c.id, contactName: c.name })))
    errorBag.push(
      ...doubles.map(({ name, row }) => ({
        contactName: name,
        row,
        error: { message: 'ERR_DUPLICATED_CONTACT', field: 'number' },
      })),
    )
  }
  return { newContacts, errorBag }
}

/** Imports the phone's address book: adds new people, and names contacts that had only a number. */
export async function importPhoneBook(scope: Scope, phones: PhoneQueries): Promise<{ imported: number }> {
  const people = (await phones.loadPhoneBook(scope)).flatMap((entry) => {
    const number = normalizePhoneNumber(entry.number)
    return number ? [{ number, name: cleanContactName(entry.name) || number, email: '' }] : []
  })
  const batches = await addInBatches(scope, people, async (inside, known, { name, number }) => {
    if (isPlaceholderName(known.name, known) && !isPlaceholderName(name, { number }))
      await updateContactRow(inside, known.id, { name })
  })
  return { imported: batches.reduce((n, batch) => n + batch.created.length, 0) }
}

type NumberedPerson = ImportedContact & { row: number }
type ImportBatch<P extends ImportedContact> = { created: ContactRow[]; duplicates: P[] }
type OnKnownContact = (scope: Scope, known: ContactRow, person: ImportedPerson) => Promise<void>

async function addInBatches<P extends ImportedContact>(
  scope: Scope,
  people: P[],
  meet: OnKnownContact = async () => {},
): Promise<ImportBatch<P>[]> {
  const batches: ImportBatch<P>[] = []
  for (let at = 0; at < people.length; at += batchSize) {
    const batch = people.slice(at, at + batchSize)
    batches.push(await scope.transaction((inside) => addBatch(inside, batch, meet)))
  }
  return batches
}

async function addBatch<P extends ImportedContact>(
  scope: Scope,
  people: P[],
  meet: OnKnownContact,
): Promise<ImportBatch<P>> {
  await waitForContactTurn(scope)
  const keyed = people.map((person) => ({
    person,
    key: { kind: 'phone', value: phoneKey(person.number) } as IdentityKey,
  }))
  const known = await findContactsByKeys(
    scope,
    keyed.map((k) => k.key),
    false,
  )
  const fresh = new Map<string, (typeof keyed)[number]>()
  const doubles: P[] = []
  for (const entry of keyed) {
    const there = known.get(identityKeyText(entry.key))
    if (!there && !fresh.has(entry.key.value)) fresh.set(entry.key.value, entry)
    else doubles.push(entry.person)
    if (there) await meet(scope, there, entry.person)
  }
  return { created: await insertContacts(scope, [...fresh.values()]), duplicates: doubles }
}

type SoughtPerson = ImportedContact & { key: string; contactId: number | null }

/** Contact ids of these people, by key. Unknown people are created, unless their key is not a phone number. */
export async function findOrCreateContacts(scope: Scope, people: SoughtPerson[]): Promise<Map<string, number>> {
  const found = new Map(people.flatMap(({ key, contactId }) => (contactId === null ? [] : [[key, contactId] as const])))
  const sought = people.filter(({ key }) => !found.has(key) && /^\d+$/.test(key))
  if (!sought.length) return found
  await waitForContactTurn(scope)
  const keyed = sought.map((person) => ({ person, key: { kind: 'phone', value: person.key } as IdentityKey }))
  const known = await findContactsByKeys(
    scope,
    keyed.map((k) => k.key),
  )
  for (const { key } of keyed) {
    const there = known.get(identityKeyText(key))
    if (there) found.set(key.value, there.id)
  }
  const fresh = keyed.filter(({ key }) => !found.has(key.value))
  for (const row of await insertContacts(scope, fresh)) found.set(phoneKey(row.number), row.id)
  return found
}

async function insertContacts(
  scope: Scope,
  entries: { person: ImportedContact; key: IdentityKey }[],
): Promise<ContactRow[]> {
  if (!entries.length) return []
  const column = (name: keyof ImportedContact) => sql`${entries.map(({ person }) => person[name] ?? '')}::text[]`
  const { rows } = await sql<ContactRow>`
    insert into contacts ("companyId", name, number, email, "ownerId", "createdAt", "updatedAt")
    select ${scope.companyId}, p.name, p.number, p.email, u.id, ${scope.now()}, ${scope.now()}
    from unnest(${column('name')}, ${column('number')}, ${column('email')}, ${column('owner')})
      with ordinality p (name, number, email, owner, n)
    left join users u on u."companyId" = ${scope.companyId} and u.email = p.owner order by p.n
    returning *`.execute(scope.db)
  await attachIdentityLinks(
    scope,
    rows.map((row) => ({ kind: 'phone', value: phoneKey(row.number), contactId: row.id })),
  )
  await publishContacts(scope, 'create', rows)
  return rows
}
