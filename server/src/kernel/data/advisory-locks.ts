import { sql } from 'kysely'
import { keepPrepared } from './keep-prepared.ts'
import type { Scope } from './scope.ts'

/**
 * Every advisory lock of the database, by name: two locks with the same number would block each other without a reason.
 * Each kind of work has its own lock, because deleting a line must not wait for writing to it, nor the other way round.
 */
const companyLocks = {
  users: 1,
  connections: 2,
  queues: 3,
  contacts: 4,
  figures: 5,
  routing: 7,
  ticketViews: 8,
  macros: 9,
  flows: 10,
} as const
const keyedLocks = { apiCalls: 6 } as const
const platformLocks = { seed: 0, demo: 1, keeping: 2, moving: 3 } as const

/** Serialises changes of one kind in one company until commit. */
export async function lockInCompany(scope: Scope, kind: keyof typeof companyLocks): Promise<void> {
  await sql`select pg_advisory_xact_lock(${companyLocks[kind]}, ${scope.companyId}::int)`.execute(scope.db)
}

/** Like `lockInCompany` without waiting: false if another transaction holds the lock. */
export async function tryLockInCompany(scope: Scope, kind: keyof typeof companyLocks): Promise<boolean> {
  const { rows } = await sql<{ first: boolean }>`
    select pg_try_advisory_xact_lock(${companyLocks[kind]}, ${scope.companyId}::int) as first`.execute(scope.db)
  return rows[0]?.first === true
}

/** A shared lock: concurrent with other shared holders, but not with `lockInCompany`. */
export async function lockSharedInCompany(scope: Scope, kind: keyof typeof companyLocks): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${companyLocks[kind]}, ${scope.companyId}::int)`.execute(scope.db)
}

/** A lock for all companies: one process does the work, and the next finds it done. */
export async function lockPlatformWide(scope: Scope, kind: keyof typeof platformLocks): Promise<void> {
  await sql`select pg_advisory_xact_lock(0, ${platformLocks[kind]})`.execute(scope.db)
}

/** Tries to lock one item of the company until commit, without waiting. */
export const tryAdvisoryLock = (scope: Scope, kind: keyof typeof keyedLocks, word: string): Promise<boolean> =>
  scope.load(tryAdvisoryLocks, { kind: keyedLocks[kind], word: `${scope.companyId} ${word}` })

async function tryAdvisoryLocks(scope: Scope, all: { kind: number; word: string }[]): Promise<boolean[]> {
  const { rows } = await sql<{ alone: boolean }>`${keepPrepared}
    select pg_try_advisory_xact_lock(x.kind, hashtext(x.word)) as alone
    from unnest(${all.map((one) => one.kind)}::int[], ${all.map((one) => one.word)}::text[]) with ordinality x (kind, word, n)
    order by x.n`.execute(scope.db)
  return rows.map(({ alone }) => alone)
}

/** Tries to take the backup lock, on a separate connection that holds it: `mine` is false while another backup runs. */
export const tryBackupLockSql = `select pg_try_advisory_lock(0, ${platformLocks.keeping}) as mine`

/** Whether a backup is running. Files in its snapshot must stay until they are copied. */
export async function isBackupRunning(scope: Scope): Promise<boolean> {
  const { rows } = await sql<{ kept: boolean }>`
    select exists (select from pg_locks k join pg_database d on d.oid = k.database and d.datname = current_database()
      where k.locktype = 'advisory' and k.objsubid = 2 and k.classid = 0 and k.objid = ${platformLocks.keeping}::int::oid) as kept`.execute(
    scope.db,
  )
  return rows[0]?.kept === true
}

/**
 * Tries to take the lock for a company import, on a separate connection that holds it: `mine` is false while another
 * import runs.
 */
export const tryImportLockSql = `select pg_try_advisory_lock(0, ${platformLocks.moving}) as mine`
