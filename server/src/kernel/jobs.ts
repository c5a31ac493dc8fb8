import { Logger, run } from 'graphile-worker'
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

const calling = Symbol('calls out')
/**
 * A job that waits for somebody outside. Such jobs have workers of their own: whoever does not answer keeps nobody from
 * anything else. They are enqueued in a lane (`laneOf`).
 */
export const callingOut = <H extends (payload: never) => Promise<void>>(handler: H): H =>
  Object.assign(handler, { [calling]: true })
const callsOut = (handler: object) => calling in handler

/** Of each company two calls at once, whatever it has waiting: a queue of the job queue runs one after the other. */
const lanes = 2
export const laneOf = (whose: number | string, n: number): string => `out:${whose}:${n % lanes}`

const workers = { inside: 4, outside: 8 }

/** Runs what is due. Late is better than lost: a failed job is tried again with growing pauses. */
export async function startJobs(owner: pg.Pool, handlers: JobHandlers, log: Log, crontab: string) {
  const start = (names: [string, object][], concurrency: number, cron: string) =>
    run({
      pgPool: owner,
      concurrency,
      noHandleSignals: true,
      pollInterval: 2000,
      taskList: Object.fromEntries(
        names.map(([name, handle]) => [name, async (payload) => (handle as (p: unknown) => Promise<void>)(payload)]),
      ),
      crontab: cron,
      logger: quiet(log),
    })
  const all = Object.entries(handlers)
  const inside = await start(
    all.filter(([, handler]) => !callsOut(handler)),
    workers.inside,
    crontab,
  )
  const outside = await start(
    all.filter(([, handler]) => callsOut(handler)),
    workers.outside,
    '',
  )
  return { stop: () => Promise.all([inside.stop(), outside.stop()]) }
}

/** The library's own lines are noise at info; failures matter. */
function quiet(log: Log) {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({ job: message }, 'job queue')
    else log.debug({ job: message }, 'job queue')
  })
}
