import type pg from 'pg'

/** The list of tables to export with a company is read from the database catalog. */
export type SchemaColumn = { name: string; type: string; nullable: boolean; default: boolean }
type SchemaReference = { columns: string[]; to: string; toColumns: string[] }
export type SchemaTable = {
  name: string
  /** Writable columns only: generated columns are computed by the database. */
  columns: SchemaColumn[]
  references: SchemaReference[]
  /** The serial or identity column, and its sequence. */
  idColumn: { column: string; sequence: string } | null
  /** The columns that identify and order the rows. */
  key: string[]
}

const columnsQuery = `
  select c.relname as "table", a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as nullable,
    a.atthasdef or a.attidentity <> '' as "default",
    case when a.attidentity <> '' then pg_get_serial_sequence(format('%I', c.relname), a.attname) end as sequence
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
  order by c.relname, a.attnum`
const referencesQuery = `
  select f.relname as "table", t.relname as "to",
    (select array_agg(a.attname::text order by n) from unnest(k.conkey) with ordinality u (num, n) join pg_attribute a on a.attrelid = f.oid and a.attnum = u.num) as columns,
    (select array_agg(a.attname::text order by n) from unnest(k.confkey) with ordinality u (num, n) join pg_attribute a on a.attrelid = t.oid and a.attnum = u.num) as "toColumns"
  from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
  where k.contype = 'f' and f.relnamespace = 'public'::regnamespace`
const keysQuery = `
  select c.relname as "table", array_agg(a.attname::text order by n) as key
  from pg_constraint k join pg_class c on c.oid = k.conrelid, unnest(k.conkey) with ordinality u (num, n)
  join pg_attribute a on a.attnum = u.num where a.attrelid = k.conrelid and k.contype = 'p' and c.relnamespace = 'public'::regnamespace
  group by c.relname`

type QueryClient = { query(text: string): Promise<{ rows: unknown[] }> }

/** Every table under tenant row-level security, each after the tables it references. */
export async function readSchema(db: QueryClient | pg.Pool): Promise<SchemaTable[]> {
  const columns = (await db.query(columnsQuery)).rows as (SchemaColumn & { table: string; sequence: string | null })[]
  const references = (await db.query(referencesQuery)).rows as (SchemaReference & { table: string })[]
  const keys = new Map(
    ((await db.query(keysQuery)).rows as { table: string; key: string[] }[]).map((row) => [row.table, row.key]),
  )
  const tables = [...Map.groupBy(columns, (column) => column.table)].map(([name, tableColumns]): SchemaTable => {
    const idColumn = tableColumns.find((column) => column.sequence)
    return {
      name,
      columns: tableColumns.map(({ name: column, type, nullable, default: has }) => ({
        ...{ name: column, type, nullable, default: has },
      })),
      references: references.filter((reference) => reference.table === name),
      idColumn: idColumn ? { column: idColumn.name, sequence: idColumn.sequence as string } : null,
      key: keys.get(name) ?? [],
    }
  })
  return sortByReferences(tables)
}

/** A nullable reference can be written as null first and set when the referenced row exists. */
const isDeferrable = (table: SchemaTable, { columns }: SchemaReference): boolean =>
  columns.some((name) => name !== 'companyId' && table.columns.some((c) => c.name === name && c.nullable))

/** Whether one of these tables references this one, directly or through others. */
function isInReferenceCycle({ name, references }: SchemaTable, waiting: SchemaTable[]): boolean {
  const visited = new Set<string>()
  const next = references.map((r) => r.to).filter((to) => to !== name)
  for (let to = next.pop(); to !== undefined; to = next.pop()) {
    if (to === name) return true
    const table = waiting.find((t) => t.name === to)
    if (!table || visited.has(to)) continue
    visited.add(to)
    next.push(...table.references.map((r) => r.to))
  }
  return false
}

/** Referenced tables come first; of two tables that reference each other, one gets a second pass (see `later`). */
function sortByReferences(tables: SchemaTable[]): SchemaTable[] {
  const sorted: SchemaTable[] = []
  const waiting = [...tables]
  const isPlaced = (to: string) => sorted.some((t) => t.name === to) || !tables.some((t) => t.name === to)
  while (waiting.length) {
    const ready = waiting.findIndex((t) => t.references.every((r) => isPlaced(r.to) || r.to === t.name))
    // Only a table that is part of a reference cycle may be placed early to open the cycle. Any other table would
    // need a second pass without reason, and append-only tables such as the audit cannot be updated in a second
    // pass.
    const canOpenCycle = (t: SchemaTable) =>
      isInReferenceCycle(t, waiting) && t.references.every((r) => isPlaced(r.to) || isDeferrable(t, r))
    const at = ready < 0 ? waiting.findIndex(canOpenCycle) : ready
    const [next] = waiting.splice(at, 1)
    if (at < 0 || !next) throw new Error(`Tables refer to each other in a circle: ${waiting.map((t) => t.name)}`)
    sorted.push(next)
  }
  return sorted
}

/** Columns that reference the same table or a later one: written in a second pass. */
export function deferredColumns(table: SchemaTable, order: SchemaTable[]): string[] {
  const at = order.indexOf(table)
  const isDeferred = ({ to }: SchemaReference) => order.findIndex((t) => t.name === to) >= at
  const names = table.references
    .filter((r) => isDeferred(r) && isDeferrable(table, r))
    .flatMap((r) => r.columns.filter((c) => c !== 'companyId'))
  return [...new Set(names.filter((name) => table.columns.some((c) => c.name === name)))]
}
