import type pg from 'pg'

/** A table with its written columns: generated columns are left out. */
export type BackupTable = { name: string; columns: string[]; walled: boolean }

/** The migration tables are left out, because the migrations fill them. */
const tablesQuery = `
  select c.relname as name, c.relforcerowsecurity as walled,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname not like 'kysely%'
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by c.relname`

export const readBackupTables = async (db: pg.ClientBase): Promise<BackupTable[]> =>
  (await db.query<BackupTable>(tablesQuery)).rows

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const quoteIdentifiers = (columns: string[]): string => columns.map(quoteIdentifier).join(', ')

/** With these settings a row has the same text on any server. */
export const sessionSettingsSql =
  "set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set extra_float_digits = 1; set bytea_output = 'hex'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0"

/** The number of rows, and a checksum that does not depend on their order. */
export async function checksumTable(db: pg.ClientBase, { name, columns }: Pick<BackupTable, 'name' | 'columns'>) {
  const { rows } = await db.query<{ count: string; sum: string }>(
    `select count(*)::text as count, coalesce(sum(('x' || left(md5(row(${quoteIdentifiers(columns)})::text), 16))::bit(64)::bigint), 0)::text as sum
     from only ${quoteIdentifier(name)}`,
  )
  const [found] = rows
  return { count: Number(found?.count), sum: String(found?.sum) }
}
