import { EventEmitter } from 'node:events'
import { Logger, run, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import { isTransientError } from './errors.ts'
import type { EventName, Events } from './events.ts'
import type { Signals } from './live/signals.ts'
import type { Log } from './log.ts'
import { advertiseJobRunner, releaseOrphanedJobs } from './orphaned-jobs.ts'
import { runWithTrace } from './trace.ts'

/**
 * Every job and what it carries. The slice that runs a job adds its line here (`declare module`). Payloads with secrets
 * are sealed by who enqueues them.
 */
export interface Jobs {
  event: { event: EventName; payload: Events[EventName] }
}
export type JobName = keyof Jobs
export type JobHandlers = { [N in JobName]: (payload: Jobs[N]) => Promise<void> }

const workerCounts = { inside: 4, outside: 8, long: 4 }
type WorkerGroup = keyof typeof workerCounts

const workerGroupKey = Symbol('whose')
const assignWorkerGroup =
  (by: WorkerGroup) =>
  <H extends (payload: never) => Promise<void>>(handler: H): H =>
    Object.assign(handler, { [workerGroupKey]: by })
const workerGroupOf = (handler: object): WorkerGroup =>
  (Reflect.get(handler, workerGroupKey) as WorkerGroup | undefined) ?? 'inside'
/**
 * A job that waits for somebody outside. Such jobs have workers of their own: whoever does not answer keeps nobody from
 * anything else. They are enqueued in a lane (`laneOf`).
 */
export const asExternalCallJob = assignWorkerGroup('outside')
/**
 * A job that takes as long as a company likes: its sheets, its papers, its history. So do these have their own, and each
 * company a queue for each kind: letters, news and what the clock does wait for none of them.
 */
export const asLongRunningJob = assignWorkerGroup('long')

/** Of each company two calls at once, whatever it has waiting: a queue of the job queue runs one after the other. */
const lanesPerCompany = 2
export const outboundLaneName = (whose: number | string, n: number): string => `out:${whose}:${n % lanesPerCompany}`

/**
 * What a job does for one company after the other. One that fails keeps none of those behind it from theirs; at the end
 * the job fails for it, and is seen.
 */
export async function forEachCollectErrors<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = []
  for (const one of all)
    try {
      await work(one)
    } catch (error) {
      failures.push(error)
    }
  if (failures.length === 1) throw failures[0]
  if (failures.length) throw new AggregateError(failures, `${failures.length} of ${all.length}: ${failures[0]}`)
}

/** Beside what a job carries: what set it off. */
export const jobTraceKey = '_trace'

/** The job under the id of what set it off, without it in its hands. */
const runTraced = (name: string, handle: (payload: unknown) => Promise<void>, log: Log) => async (carried: unknown) => {
  const { [jobTraceKey]: because, ...payload } = (carried ?? {}) as Record<string, unknown>
  await runWithTrace(typeof because === 'string' ? because : null, async () => {
    await handle(payload)
    log.debug({ job: name }, 'job done')
  })
}

/** Runs what is due. Late is better than lost: a failed job is tried again with growing pauses. */
export async function startJobs(owner: pg.Pool, handlers: JobHandlers, log: Log, crontab: string, signals: Signals) {
  const events: WorkerEvents = new EventEmitter()
  // Jobs are locked in the name of all workers that were started together.
  events.on('pool:create', ({ workerPool }) => {
    advertiseJobRunner(signals, workerPool.id).catch((err) => log.warn({ err }, 'who runs jobs is not shown yet'))
  })
  const start = (names: [string, object][], concurrency: number, cron: string) =>
    run({
      pgPool: withRetryableErrors(owner),
      concurrency,
      noHandleSignals: true,
      events,
      pollInterval: 2000,
      taskList: Object.fromEntries(
        names.map(([name, handle]) => [name, runTraced(name, handle as (p: unknown) => Promise<void>, log)]),
      ),
      crontab: cron,
      logger: makeQuietLogger(log),
    })
  const of = (by: WorkerGroup) => Object.entries(handlers).filter(([, handler]) => workerGroupOf(handler) === by)
  const inside = await start(of('inside'), workerCounts.inside, crontab)
  const others = [await start(of('outside'), workerCounts.outside, ''), await start(of('long'), workerCounts.long, '')]
  const orphans = releaseOrphanedJobs(owner, log)
  return { stop: () => Promise.all([orphans.close(), inside.stop(), ...others.map((some) => some.stop())]) }
}

/**
 * The library writes down how a job ended without waiting for that, and tries again only what it knows. Any other outage
 * would end this process and leave the job locked for hours: so it hears that the server is starting, which it waits for.
 */
function withRetryableErrors(pool: pg.Pool): pg.Pool {
  const inKnownWords = (error: unknown): never => {
    if (isTransientError(error) && !codesRetriedByLibrary.has(String(Reflect.get(error as Error, 'code'))))
      Object.assign(error as Error, { code: serverStartingCode })
    throw error
  }
  const clientOf = (client: pg.PoolClient) =>
    withReplacedMethod(client, 'query', (...asked: [text: string, values?: unknown[]]) =>
      client.query(...asked).catch(inKnownWords),
    )
  return withReplacedMethod(pool, 'connect', (...called: unknown[]) =>
    // Who waits with a callback only listens, and comes back by itself.
    called.length ? Reflect.apply(pool.connect, pool, called) : pool.connect().then(clientOf, inKnownWords),
  )
}
const serverStartingCode = '57P03'
const codesRetriedByLibrary = new Set(['40001', '40P01', serverStartingCode])

/** The same thing, with one method that is another. */
const withReplacedMethod = <T extends object>(thing: T, name: keyof T, method: unknown): T =>
  new Proxy(thing, {
    get(target, key) {
      if (key === name) return method
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** The library's own lines are noise at info; failures matter. */
function makeQuietLogger(log: Log) {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({ job: message }, 'job queue')
    else log.debug({ job: message }, 'job queue')
  })
}
