import { Logger, type Runner, run } from 'graphile-worker'
import type pg from 'pg'
import type { EventName, Events } from './events.ts'
import type { Log } from './log.ts'

/**
 * Every job and what it carries. The slice that runs a job adds its line here (`declare module`). Payloads with secrets
 * are sealed by who enqueues them.
 */
export interface Jobs {
  event: { event: EventName; payload: Events[EventName] }
}
export type JobName = keyof Jobs
export type JobHandlers = { [N in JobName]: (payload: Jobs[N]) => Promise<void> }

/** Runs what is due. Late is better than lost: a failed job is tried again with growing pauses. */
export async function startJobs(owner: pg.Pool, handlers: JobHandlers, log: Log, crontab: string): Promise<Runner> {
  const taskList = Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      async (payload: unknown) => (handle as (p: unknown) => Promise<void>)(payload),
    ]),
  )
  return run({
    pgPool: owner,
    concurrency: 4,
    noHandleSignals: true,
    pollInterval: 2000,
    taskList,
    crontab,
    logger: quiet(log),
  })
}

/** The library's own lines are noise at info; failures matter. */
function quiet(log: Log) {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({ job: message }, 'job queue')
    else log.debug({ job: message }, 'job queue')
  })
}
