import { sql } from 'kysely'
import type { Scope } from './scope.ts'

/**
 * Every advisory lock of the database, by name: two that took the same number would wait for each other without a
 * reason. Each kind has its own, since who deletes a line must not wait for who writes for it, nor the other way.
 */
const companyLocks = { users: 1, connections: 2, queues: 3, contacts: 4, figures: 5 } as const
const keyedLocks = { apiCalls: 6 } as const
const platformLocks = { seed: 0, demo: 1, keeping: 2, moving: 3 } as const

/** Those who change one kind of thing in one company queue up here until they commit. */
export async function lockInCompany(scope: Scope, kind: keyof typeof companyLocks): Promise<void> {
  await sql`select pg_advisory_xact_lock(${companyLocks[kind]}, ${scope.companyId}::int)`.execute(scope.db)
}

/** The same, unless somebody stands there already: then false, and nobody waits. */
export async function tryLockInCompany(scope: Scope, kind: keyof typeof companyLocks): Promise<boolean> {
  const { rows } = await sql<{ first: boolean }>`
    select pg_try_advisory_xact_lock(${companyLocks[kind]}, ${scope.companyId}::int) as first`.execute(scope.db)
  return rows[0]?.first === true
}

/** Beside others who do this, but beside none who wait in line for it, nor they beside us. */
export async function lockSharedInCompany(scope: Scope, kind: keyof typeof companyLocks): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${companyLocks[kind]}, ${scope.companyId}::int)`.execute(scope.db)
}

/** The same for what concerns all companies: one process does it, and the next finds it done. */
export async function lockPlatformWide(scope: Scope, kind: keyof typeof platformLocks): Promise<void> {
  await sql`select pg_advisory_xact_lock(0, ${platformLocks[kind]})`.execute(scope.db)
}

/** Whether nobody else of the company is at this very thing; then nobody will be until we commit. Nobody waits. */
export const tryAdvisoryLock = (scope: Scope, kind: keyof typeof keyedLocks, word: string): Promise<boolean> =>
  scope.ask(tryAdvisoryLocks, { kind: keyedLocks[kind], word: `${scope.companyId} ${word}` })

async function tryAdvisoryLocks(scope: Scope, all: { kind: number; word: string }[]): Promise<boolean[]> {
  const { rows } = await sql<{ alone: boolean }>`
    select pg_try_advisory_xact_lock(x.kind, hashtext(x.word)) as alone
    from unnest(${all.map((one) => one.kind)}::int[], ${all.map((one) => one.word)}::text[]) with ordinality x (kind, word, n)
    order by x.n`.execute(scope.db)
  return rows.map(({ alone }) => alone)
}

/** For whoever backs the house up, on a connection of their own, which holds it: `mine` is false while another does. */
export const tryBackupLockSql = `select pg_try_advisory_lock(0, ${platformLocks.keeping}) as mine`

/** Whether somebody backs the house up. What their snapshot names must stay until they have copied it. */
export async function isBackupRunning(scope: Scope): Promise<boolean> {
  const { rows } = await sql<{ kept: boolean }>`
    select exists (select from pg_locks k join pg_database d on d.oid = k.database and d.datname = current_database()
      where k.locktype = 'advisory' and k.objsubid = 2 and k.classid = 0 and k.objid = ${platformLocks.keeping}::int::oid) as kept`.execute(
    scope.db,
  )
  return rows[0]?.kept === true
}

/** For whoever imports a company, on a connection of their own, which holds it: `mine` is false while another does. */
export const tryImportLockSql = `select pg_try_advisory_lock(0, ${platformLocks.moving}) as mine`
