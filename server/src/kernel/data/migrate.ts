import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type pg from 'pg'

const folder = new URL('../../../migrations/', import.meta.url)

/** Renamed migrations: a database that ran them under the old name must not run them again. */
const renamedMigrations = {
  '0001-house': '0001-companies-people-and-plain-records',
  '0002-desk': '0002-lines-journal-contacts-and-messages',
  '0003-automation': '0003-menus-hours-and-ratings',
  '0004-linked-lines': '0004-keys-of-linked-phones',
  '0005-cloud-lines': '0005-lines-of-the-official-api',
  '0006-leftovers': '0006-file-sizes-and-last-message-elsewhere',
  '0007-pacing': '0007-pace-of-messages-to-strangers',
  '0008-search': '0008-make-search-of-messages-cheap',
  '0009-group-names': '0009-heard-names-of-groups',
  '0010-history': '0010-ask-phones-for-older-messages',
  '0011-real-lines': '0011-count-who-read-in-groups',
  '0013-who-asks': '0013-tell-processes-who-changed',
  '0014-search-in-one': '0014-say-which-message-was-found',
  '0015-search-sorted': '0015-sort-new-messages-in-later',
  '0016-ways': '0016-index-tickets-by-creation',
}

/** The names of all migrations, in execution order. */
const listMigrations = async (): Promise<string[]> =>
  (await readdir(folder))
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => file.replace('.sql', ''))

/** Migrations that a database has run and this release does not know. */
export const findUnknownMigrations = async (done: string[]): Promise<string[]> => {
  const known = await listMigrations()
  return done.map(currentMigrationName).filter((name) => !known.includes(name))
}
const currentMigrationName = (name: string): string => Reflect.get(renamedMigrations, name) ?? name

/**
 * Brings the database up to date: roles, the job queue's own tables, then ours. Safe when two processes start at once.
 * `appliedNames`: runs only these migrations.
 */
export async function migrateDatabase(owner: pg.Pool, appliedNames?: string[]): Promise<void> {
  await makeRoles(owner)
  await runMigrations({ pgPool: owner })
  await renameRecordedMigrations(owner)
  if (!appliedNames && (await isDatabaseAhead(owner))) return
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: owner }) })
  const allowedNames = appliedNames?.map(currentMigrationName)
  const names = (await listMigrations()).filter((name) => !allowedNames || allowedNames.includes(name))
  const migrations = Object.fromEntries(
    names.map((name) => [
      name,
      {
        up: async (trx: Kysely<unknown>) => {
          const text = await readFile(new URL(`${name}.sql`, folder), 'utf8')
          // To own a function a role needs the create privilege, unless a superuser assigns it.
          await sql`grant create on schema public to recado_platform`.execute(trx)
          await sql.raw(text).execute(trx)
          await sql`revoke create on schema public from recado_platform`.execute(trx)
        },
      },
    ]),
  )
  const provider = { getMigrations: async () => migrations }
  // Numbers are assigned in ranges: a new migration may have a lower number than the last one that ran here.
  const { error } = await new Migrator({ db, provider, allowUnorderedMigrations: true }).migrateToLatest()
  if (error) throw error
}

/**
 * Whether the next release has already migrated the database and this release may still run beside it, because those
 * migrations only add (docs/scale.md). A migration that removes something names, in the comment on the migrations
 * table, the migration that a release must know.
 */
async function isDatabaseAhead(owner: pg.Pool): Promise<boolean> {
  const { rows: migrationComment } = await owner.query<{ least: string | null }>(
    `select obj_description(to_regclass('kysely_migration'), 'pg_class') as least where to_regclass('kysely_migration') is not null`,
  )
  if (!migrationComment.length) return false
  const known = await listMigrations()
  const least = migrationComment[0]?.least
  if (least && !known.includes(least))
    throw new Error(`This database belongs to a newer Recado, which takes none beside it that does not know ${least}.`)
  const { rows } = await owner.query<{ name: string }>('select name from kysely_migration')
  const done = new Set(rows.map(({ name }) => name))
  return [...done].some((name) => !known.includes(name)) && known.every((name) => done.has(name))
}

async function renameRecordedMigrations(owner: pg.Pool): Promise<void> {
  const { rows } = await owner.query(`select 1 where to_regclass('kysely_migration') is not null`)
  if (!rows.length) return
  await owner.query(
    `update kysely_migration m set name = n.new from unnest($1::text[], $2::text[]) n (old, new) where m.name = n.old`,
    [Object.keys(renamedMigrations), Object.values(renamedMigrations)],
  )
}

/** Roles belong to the whole database server, so several databases share them and may race to create them. */
async function makeRoles(owner: pg.Pool): Promise<void> {
  for (const role of ['recado_app', 'recado_platform']) {
    const { rows } = await owner.query(
      `select 1 from pg_roles r where rolname = $1 and pg_has_role(current_user, r.oid, 'member')`,
      [role],
    )
    if (rows.length) continue
    try {
      await owner.query(
        `do $$ begin create role ${role} nologin nobypassrls; exception when duplicate_object or unique_violation then null; end $$`,
      )
      await owner.query(`do $$ begin grant ${role} to current_user; exception when unique_violation then null; end $$`)
    } catch (cause) {
      throw new Error(
        `The database user may not create the role ${role}. Let it create roles, or create recado_app and recado_platform (nologin) and grant both to it.`,
        { cause },
      )
    }
  }
}
