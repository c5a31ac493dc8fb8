import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { isAdvertised, type Signals } from './live/signals.ts'
import type { Log } from './log.ts'

/** How often orphaned jobs are searched, and when a process counts as dead: a lost connection is restored by then. */
const defaultIntervals = { pollMs: 5000, goneMs: 15_000 }

/** The name under which a job runner is advertised in the database (signals.ts). */
const runnerSignalName = (runner: string) => `jobs ${runner}`
export const advertiseJobRunner = (signals: Signals, runner: string): Promise<void> =>
  signals.advertise(runnerSignalName(runner))

/**
 * Releases jobs whose process died. A running job is locked by its process, which also blocks all jobs behind it in its
 * queue. The library releases the lock only after four hours: a killed process must not block a company's calls for so
 * long.
 */
export function releaseOrphanedJobs(owner: pg.Pool, log: Log, { pollMs, goneMs } = defaultIntervals) {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: owner }) })
  const missingSince = new Map<string, number>()
  let release: Promise<unknown> | null = null

  async function releaseOrphans(now = performance.now()): Promise<void> {
    const { rows } = await sql<{ runner: string }>`
      select runner from (
        select locked_by as runner from graphile_worker._private_jobs where locked_at is not null
        union select locked_by from graphile_worker._private_job_queues where locked_at is not null
      ) l where runner is not null and not ${isAdvertised(sql`'jobs ' || runner`)}`.execute(db)
    const found = new Set(rows.map(({ runner }) => runner))
    for (const runner of missingSince.keys()) if (!found.has(runner)) missingSince.delete(runner)
    for (const runner of found) if (!missingSince.has(runner)) missingSince.set(runner, now)
    const gone = [...missingSince].filter(([, since]) => now - since >= goneMs).map(([runner]) => runner)
    if (!gone.length) return
    log.warn({ runners: gone }, 'jobs of a process that is gone begin again')
    await owner.query('select graphile_worker.force_unlock_workers($1::text[])', [gone])
    for (const runner of gone) missingSince.delete(runner)
  }
  const timer = setInterval(() => {
    release ??= releaseOrphans()
      .catch((err) => log.warn({ err }, 'could not look for jobs of dead processes'))
      .finally(() => {
        release = null
      })
  }, pollMs)
  timer.unref()
  return {
    releaseNow: releaseOrphans,
    async close(): Promise<void> {
      clearInterval(timer)
      await release
    },
  }
}
