import { type Kysely, sql } from 'kysely'
import type { DB } from '../src/kernel/data/tables.ts'

/** Values by column as JSON: a JSON column gets its value, a timestamp its text. */
export type InsertValues<T extends keyof DB> = { [C in keyof DB[T]]?: unknown }

/**
 * Inserts many rows with a single parameter: with one parameter per cell the driver would take longer than the
 * insert. All rows have the same columns. Returns the inserted rows in order, without rows that already existed.
 */
export async function insertRows<T extends keyof DB>(
  db: Kysely<DB>,
  table: T,
  rows: InsertValues<T>[],
  returningColumn: 'id' | null = 'id',
): Promise<number[]> {
  const [first] = rows
  if (!first) return []
  const columns = sql.join(Object.keys(first).map((name) => sql.ref(name)))
  const tableRef = sql.table(table)
  const { rows: insertedRows } = await sql<{ id: number }>`
    insert into ${tableRef} (${columns})
    select ${columns} from json_populate_recordset(null::${tableRef}, ${JSON.stringify(rows)}::json)
    ${returningColumn ? sql`returning ${sql.ref(returningColumn)} as id` : sql`on conflict do nothing`}`.execute(db)
  return insertedRows.map((row) => row.id)
}
