import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { type ContactReferences, loadContactReferences } from '../../directory/contacts/contact-references.ts'
import { findContact } from '../../directory/contacts/contact-store.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { fileNameInUrl } from '../../kernel/files/media.ts'
import { streamZip, type ZipEntry } from '../../kernel/files/zip-writer.ts'

type ForeignKey = { table: string; column: string; to: 'contacts' | 'tickets' }
/** `counted`: tables whose rows have an id column. */
type SchemaDescription = { links: ForeignKey[]; counted: Set<string> }

/** References to contacts and tickets without a foreign key. */
const softForeignKeys: ForeignKey[] = [
  { table: 'contacts', column: 'id', to: 'contacts' },
  { table: 'messages', column: 'contactId', to: 'contacts' },
  { table: 'messages', column: 'senderId', to: 'contacts' },
  { table: 'journal', column: 'ticketId', to: 'tickets' },
]
/** Tables found by phone number. */
const tablesByPhone = ['contactListItems', 'campaignStops', 'campaignShippings']

const batchSize = 500

/** All foreign keys, read from the database catalog, so that a new table is included automatically. */
async function describeSchema(scope: Scope): Promise<SchemaDescription> {
  const { rows } = await sql<ForeignKey>`
    select f.relname as "table", a.attname as "column", t.relname as "to"
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid,
      unnest(k.conkey, k.confkey) u (own, their)
      join pg_attribute a on a.attnum = u.own join pg_attribute b on b.attnum = u.their
    where k.contype = 'f' and f.relnamespace = 'public'::regnamespace and t.relname in ('contacts', 'tickets')
      and a.attrelid = f.oid and b.attrelid = t.oid and b.attname = 'id' order by 1, 2`.execute(scope.db)
  const { rows: counted } = await sql<{ table: string }>`
    select c.relname as "table" from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and a.attname = 'id' and a.attidentity <> ''`.execute(scope.db)
  return { links: [...rows, ...softForeignKeys], counted: new Set(counted.map(({ table }) => table)) }
}

/** All data of one contact as a zip: one JSON Lines file per table, and the contact's files. */
export async function exportContactZip(scope: Scope, contactId: number): Promise<Readable> {
  await findContact(scope, contactId, false)
  const known = await loadContactReferences(scope, contactId)
  const { rows } = await sql<{ id: number }>`
    select id from tickets where "companyId" = ${scope.companyId} and "contactId" = any (${known.ids}::int[])`.execute(
    scope.db,
  )
  const ticketIds = rows.map(({ id }) => id)
  return streamZip(zipEntries(scope, contactId, known, ticketIds, await describeSchema(scope)))
}

async function* zipEntries(
  scope: Scope,
  contactId: number,
  known: ContactReferences,
  ticketIds: number[],
  described: SchemaDescription,
): AsyncGenerator<ZipEntry> {
  const { links } = described
  const files = new Set<string>()
  const counts: Record<string, number> = {}
  for (const table of [...new Set([...links.map((link) => link.table), ...tablesByPhone])].sort()) {
    const content = exportRows(scope, table, known, ticketIds, described, (row) => {
      counts[table] = (counts[table] ?? 0) + 1
      for (const file of [row.mediaPath, row.filePath, fileNameInUrl(row.profilePicUrl ?? null)])
        if (file) files.add(file)
    })
    yield { name: `${table}.jsonl`, content }
  }
  let held = 0
  for (const file of files) {
    const content = scope.deps.files.read(scope.companyId, file)
    const opened = await new Promise<boolean>((resolve) => {
      content.once('readable', () => resolve(true))
      content.once('error', () => resolve(false))
    })
    if (!opened) continue
    held++
    yield { name: `files/${file}`, content }
  }
  const about = {
    form: 'recado-contact',
    version: 1,
    contactId,
    madeAt: scope.now().toISOString(),
    rows: counts,
    files: held,
  }
  yield { name: 'about.json', content: singleChunk(`${JSON.stringify(about, null, 2)}\n`) }
}

async function* singleChunk(text: string): AsyncGenerator<string> {
  yield text
}

type ExportRow = { id?: number; mediaPath?: string | null; filePath?: string | null; profilePicUrl?: string | null }

async function* exportRows(
  scope: Scope,
  table: string,
  known: ContactReferences,
  ticketIds: number[],
  { links, counted }: SchemaDescription,
  seen: (row: ExportRow) => void,
): AsyncGenerator<string> {
  const ways = links
    .filter((link) => link.table === table)
    .map(({ column, to }) => sql`${sql.ref(`t.${column}`)} = any (${to === 'tickets' ? ticketIds : known.ids}::int[])`)
  if (tablesByPhone.includes(table)) ways.push(sql`t.key = any (${known.keys}::text[])`)
  const where = sql`t."companyId" = ${scope.companyId} and (${sql.join(ways, sql` or `)})`
  for (let after = 0; ; ) {
    // Tables without an id have few rows, so they are read at once.
    const next = counted.has(table) ? sql`and t.id > ${after} order by t.id limit ${batchSize}` : sql``
    const { rows } = await sql<{ row: ExportRow; line: string }>`
      select row_to_json(t) as row, row_to_json(t)::text as line from ${sql.id(table)} t where ${where} ${next}`.execute(
      scope.db,
    )
    for (const { row } of rows) seen(row)
    if (rows.length) yield `${rows.map(({ line }) => line).join('\n')}\n`
    after = Number(rows.at(-1)?.row.id ?? 0)
    if (!counted.has(table) || rows.length < batchSize) return
  }
}
