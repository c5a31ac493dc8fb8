import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type pg from 'pg'

const folder = new URL('../../../migrations/', import.meta.url)

/** Brings the database up to date: roles, the job queue's own tables, then ours. Safe when two processes start at once. */
export async function migrate(owner: pg.Pool): Promise<void> {
  await makeRoles(owner)
  await runMigrations({ pgPool: owner })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: owner }) })
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  const migrations = Object.fromEntries(
    files.map((file) => [
      file.replace('.sql', ''),
      {
        up: async (trx: Kysely<unknown>) =>
          void (await sql.raw(await readFile(new URL(file, folder), 'utf8')).execute(trx)),
      },
    ]),
  )
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest()
  if (error) throw error
}

/** Roles belong to the whole server, so several databases share them and may race to make them. */
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
