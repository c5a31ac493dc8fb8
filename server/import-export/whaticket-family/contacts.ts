import { sql } from 'kysely'
import { cleanContactName } from '../../src/directory/contacts/contact-name.ts'
import {
  groupKey,
  type IdentityKey,
  identityKeyText,
  normalizePhoneNumber,
  toIdentityKeys,
} from '../../src/directory/contacts/identity.ts'
import type { DumpRow } from '../dump/read-dump.ts'
import { insertRows } from '../insert.ts'
import { boolCell, intCell, lineCell, textCell } from './cells.ts'
import { makeNewRowReader } from './directory.ts'
import type { ImportRun, TargetCompany } from './import-run.ts'

type DumpContact = { oldId: number; row: DumpRow; key: IdentityKey; number: string }

/** The identity of a contact: for a group its id, otherwise the phone number or the WhatsApp LID that hides it. */
function identityKeyOf(row: DumpRow): { key: IdentityKey; number: string } | null {
  const rawNumber = lineCell(row, 'number', 120)
  if (boolCell(row, 'isGroup')) {
    const key = groupKey(rawNumber)
    return key && { key, number: key.value }
  }
  const isLid = /@lid\b/.test(rawNumber)
  const [key] = toIdentityKeys(isLid ? { lid: rawNumber } : { phone: rawNumber })
  const number = isLid ? '' : normalizePhoneNumber(rawNumber)
  // Fewer than five digits are not a phone number.
  return key && (isLid || number.length >= 5) ? { key, number } : null
}

/** Imports people and groups. Contacts with the same phone number become one contact, however the number is written. */
export async function importContacts(run: ImportRun): Promise<void> {
  const { report } = run
  const name = 'contacts'
  const readNewRow = makeNewRowReader(run, 'contact', name)
  const read = (row: DumpRow): { home: TargetCompany; entry: DumpContact } | null => {
    const found = readNewRow(row)
    if (!found) return null
    const channel = lineCell(row, 'channel', 40) || 'whatsapp'
    const known = identityKeyOf(row)
    if (channel !== 'whatsapp') report.countSkipped(name, `of ${channel}, which is not spoken here`, found.entry.oldId)
    else if (!known) report.countSkipped(name, 'without a number', found.entry.oldId)
    else return { home: found.home, entry: { ...found.entry, ...known } }
    return null
  }
  // A dry run writes nothing, so duplicates are found only among the contacts that would have been written.
  const dryRunIds = new Map<string, number>()
  await run.forEachBatch('contacts', name, read, async (home, people) => {
    const existingIds = await findContactsByKeys(
      home,
      people.map(({ key }) => key),
    )
    const firstByKey = new Map<string, DumpContact>()
    const duplicates: { person: DumpContact; mark: string }[] = []
    for (const person of people) {
      const identityText = identityKeyText(person.key)
      const known = existingIds.get(identityText) ?? dryRunIds.get(`${home.id} ${identityText}`)
      if (known === undefined && !firstByKey.has(identityText)) firstByKey.set(identityText, person)
      else duplicates.push({ person, mark: identityText })
    }
    const entries = [...firstByKey.values()].map((person) => ({
      person,
      oldId: person.oldId,
      row: toContactRow(run, person),
    }))
    await run.writeEntries(home, 'contact', 'contacts', entries, {
      alsoWrite: async (tx, written) => {
        const rows = written.map(({ entry, id }) => ({
          companyId: home.id,
          ...entry.person.key,
          contactId: id,
          createdAt: run.now(),
        }))
        await insertRows(tx.db, 'contactIdentities', rows, null)
      },
    })
    if (run.dryRun)
      for (const [identityText, { oldId }] of firstByKey)
        dryRunIds.set(`${home.id} ${identityText}`, run.newIdOf(home, 'contact', oldId) ?? 0)
    for (const { person, mark: identityText } of duplicates) {
      const id =
        existingIds.get(identityText) ??
        dryRunIds.get(`${home.id} ${identityText}`) ??
        run.newIdOf(home, 'contact', firstByKey.get(identityText)?.oldId ?? null)
      if (!id) continue
      run.mapId(home, 'contact', person.oldId, id)
      report.countChanged(name, 'joined with another of the same number', person.oldId)
    }
    if (!run.dryRun && duplicates.length)
      await insertRows(
        home.scope.db,
        'movedRows',
        duplicates.flatMap(({ person: { oldId } }) => {
          const newId = run.newIdOf(home, 'contact', oldId)
          return newId === null
            ? []
            : [{ companyId: home.id, source: run.source, kind: 'contact', oldId: String(oldId), newId }]
        }),
        null,
      )
  })
}

const toContactRow = (run: ImportRun, { row, number, key }: DumpContact) => {
  const createdAt = run.timestampCell(row, 'createdAt') ?? run.now()
  return {
    ...{
      name: cleanContactName(textCell(row, 'name', 200)) || number || key.value,
      number,
      email: lineCell(row, 'email', 100),
    },
    ...{ isGroup: boolCell(row, 'isGroup'), disableBot: boolCell(row, 'disableBot') },
    ...{ createdAt, updatedAt: run.timestampCell(row, 'updatedAt') ?? createdAt },
  }
}

async function findContactsByKeys(home: TargetCompany, keys: IdentityKey[]): Promise<Map<string, number>> {
  if (home.id < 0 || !keys.length) return new Map()
  const { rows } = await sql<IdentityKey & { id: number }>`
    select i.kind, i.value, coalesce(c."mergedInto", c.id) as id
    from unnest(${keys.map((key) => key.kind)}::text[], ${keys.map((key) => key.value)}::text[]) k (kind, value)
    join "contactIdentities" i on i."companyId" = ${home.id} and i.kind = k.kind and i.value = k.value
    join contacts c on c."companyId" = i."companyId" and c.id = i."contactId"`.execute(home.scope.db)
  return new Map(rows.map((row) => [identityKeyText(row), row.id]))
}

/** The company of each contact, by the contact's id in the source: the dump's custom fields do not name their company. */
async function loadContactOwners(run: ImportRun): Promise<Map<number, TargetCompany>> {
  const companyByContact = new Map<number, TargetCompany>()
  if (!run.hasCompanies) return companyByContact
  for await (const rows of run.spool.batches('contacts', 5000))
    for (const row of rows) {
      const [home, id] = [run.companyOf(row), intCell(row, 'id')]
      if (home && id !== null) companyByContact.set(id, home)
    }
  return companyByContact
}

/** Maximum tags of a contact: more would not fit into the field. */
const maxTags = 100

/** Imports custom fields of contacts. Contact tags become a further field, because in Recado only tickets have tags. */
export async function importContactFields(run: ImportRun): Promise<void> {
  const { spool } = run
  if (!spool.has('contactcustomfields') && !spool.has('contacttags')) return
  const companyByContact = await loadContactOwners(run)
  const homeOf = (oldId: number | null) =>
    run.hasCompanies ? companyByContact.get(oldId ?? -1) : run.targetCompanies.get(0)
  const name = 'extra fields'
  const write = async (
    home: TargetCompany,
    entries: { oldId: string; row: { contactId: number; name: string; value: string } }[],
  ) => {
    await run.writeEntries(home, 'field', 'contactFields', await run.filterNew(home, 'field', entries))
  }
  await run.forEachBatch(
    'contactcustomfields',
    name,
    (row) => {
      const home = homeOf(intCell(row, 'contactId'))
      const contactId = home ? run.newIdOf(home, 'contact', intCell(row, 'contactId')) : null
      const label = lineCell(row, 'name', 50)
      if (contactId === null || !home) run.skipOrphan(name, 'its contact did not come', row.id)
      else if (!label) run.report.countSkipped(name, 'without a name', row.id)
      else
        return {
          home,
          entry: { oldId: String(row.id), row: { contactId, name: label, value: lineCell(row, 'value', 500) } },
        }
      return null
    },
    write,
  )
  if (!spool.has('contacttags')) return
  const labels = new Map<number, string>()
  for (const row of await spool.readAll('tags')) labels.set(intCell(row, 'id') ?? 0, lineCell(row, 'name', 50))
  const tagsByContact = new Map<number, Set<string>>()
  for await (const rows of spool.batches('contacttags', 5000))
    for (const row of rows) {
      const contactId = intCell(row, 'contactId')
      const label = labels.get(intCell(row, 'tagId') ?? -1)
      const home = homeOf(contactId)
      if (contactId === null || !label || !home || run.newIdOf(home, 'contact', contactId) === null) continue
      const names = tagsByContact.get(contactId) ?? new Set()
      if (names.size < maxTags) tagsByContact.set(contactId, names.add(label))
    }
  const tags = 'tags of contacts'
  run.report.tallyOf(tags).found += tagsByContact.size
  const entriesByCompany = new Map<
    TargetCompany,
    { oldId: string; row: { contactId: number; name: string; value: string } }[]
  >()
  for (const [oldId, names] of tagsByContact) {
    const home = homeOf(oldId)
    const contactId = home ? run.newIdOf(home, 'contact', oldId) : null
    if (contactId === null || !home) {
      run.skipOrphan(tags, 'its contact did not come', oldId)
      continue
    }
    const entry = {
      oldId: `tags ${oldId}`,
      row: { contactId, name: 'Tags', value: [...names].join(', ').slice(0, 500) },
    }
    const companyEntries = entriesByCompany.get(home)
    if (companyEntries) companyEntries.push(entry)
    else entriesByCompany.set(home, [entry])
    run.report.countChanged(tags, 'kept as an extra field of the contact', oldId)
  }
  for (const [home, entries] of entriesByCompany)
    for (let at = 0; at < entries.length; at += 2000) await write(home, entries.slice(at, at + 2000))
}
