import type pg from 'pg'

/** A table of ours, by the columns that somebody writes: what the database computes comes by itself. */
export type Table = { name: string; columns: string[]; walled: boolean }

/** The lists of steps done are written by the steps themselves. */
const tablesQuery = `
  select c.relname as name, c.relforcerowsecurity as walled,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname not like 'kysely%'
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by c.relname`

export const readTables = async (db: pg.ClientBase): Promise<Table[]> => (await db.query<Table>(tablesQuery)).rows

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const listOf = (columns: string[]): string => columns.map(quoted).join(', ')

/** So that a row is written with the same signs wherever it lies. */
export const inOneVoice =
  "set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set extra_float_digits = 1; set bytea_output = 'hex'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0"

/** How many rows, and a sum over all of them that does not depend on the order in which they lie. */
export async function sumOf(db: pg.ClientBase, { name, columns }: Pick<Table, 'name' | 'columns'>) {
  const { rows } = await db.query<{ count: string; sum: string }>(
    `select count(*)::text as count, coalesce(sum(('x' || left(md5(row(${listOf(columns)})::text), 16))::bit(64)::bigint), 0)::text as sum
     from ${quoted(name)}`,
  )
  const [found] = rows
  return { count: Number(found?.count), sum: String(found?.sum) }
}
