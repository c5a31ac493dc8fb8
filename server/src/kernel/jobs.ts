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
 * Every job and its payload. The module that runs a job declares it here (`declare module`). Payloads with secrets are
 * encrypted by the caller.
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
 * A job that waits for an external service. These jobs have separate workers, so that a service that does not answer
 * blocks no other job. They are enqueued in a lane (`outboundLaneName`).
 */
export const asExternalCallJob = assignWorkerGroup('outside')
/**
 * A job whose duration depends on the amount of company data: spreadsheets, documents, history. These jobs also have
 * separate workers, and each company has a queue per kind, so that mails, events and timers do not wait for them.
 */
export const asLongRunningJob = assignWorkerGroup('long')

/** How many calls of a company run in parallel, however many are waiting: a named queue runs one job after another. */
const lanesPerCompany = 2
export const outboundLaneName = (whose: number | string, n: number): string => `out:${whose}:${n % lanesPerCompany}`

/**
 * Processes items one after another. A failed item does not stop the items after it; the job fails at the end, so that
 * the failure is noticed.
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

/** The payload key of the trace that enqueued the job. */
export const jobTraceKey = '_trace'

/** Runs the job under its trace id, which is removed from the payload. */
const runTraced =
  (name: string, handle: (payload: unknown) => Promise<void>, log: Log) => async (rawPayload: unknown) => {
    const { [jobTraceKey]: because, ...payload } = (rawPayload ?? {}) as Record<string, unknown>
    await runWithTrace(typeof because === 'string' ? because : null, async () => {
      await handle(payload)
      log.debug({ job: name }, 'job done')
    })
  }

/** Runs due jobs. A failed job is retried with growing pauses instead of being dropped. */
export async function startJobs(owner: pg.Pool, handlers: JobHandlers, log: Log, crontab: string, signals: Signals) {
  const events: WorkerEvents = new EventEmitter()
  // A job is locked under the id of the whole worker pool, not of a single worker.
  events.on('pool:create', ({ workerPool }) => {
    advertiseJobRunner(signals, workerPool.id).catch((err) =>
      log.warn({ err }, 'could not record which process runs jobs'),
    )
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
  const handlersOf = (by: WorkerGroup) =>
    Object.entries(handlers).filter(([, handler]) => workerGroupOf(handler) === by)
  const mainRunner = await start(handlersOf('inside'), workerCounts.inside, crontab)
  const otherRunners = [
    await start(handlersOf('outside'), workerCounts.outside, ''),
    await start(handlersOf('long'), workerCounts.long, ''),
  ]
  const orphans = releaseOrphanedJobs(owner, log)
  return { stop: () => Promise.all([orphans.close(), mainRunner.stop(), ...otherRunners.map((some) => some.stop())]) }
}

/**
 * The library records the end of a job without waiting, and retries only errors it recognises. Any other outage would end
 * this process and leave the job locked for hours. So outages are mapped to "server is starting", for which the library
 * waits.
 */
function withRetryableErrors(pool: pg.Pool): pg.Pool {
  const rethrowRetryable = (error: unknown): never => {
    if (isTransientError(error) && !codesRetriedByLibrary.has(String(Reflect.get(error as Error, 'code'))))
      Object.assign(error as Error, { code: serverStartingCode })
    throw error
  }
  const clientOf = (client: pg.PoolClient) =>
    withReplacedMethod(client, 'query', (...args: [text: string, values?: unknown[]]) =>
      client.query(...args).catch(rethrowRetryable),
    )
  return withReplacedMethod(pool, 'connect', (...args: unknown[]) =>
    // A call with a callback is the listener, which reconnects by itself.
    args.length ? Reflect.apply(pool.connect, pool, args) : pool.connect().then(clientOf, rethrowRetryable),
  )
}
const serverStartingCode = '57P03'
const codesRetriedByLibrary = new Set(['40001', '40P01', serverStartingCode])

/** A proxy of the object with one method replaced. */
const withReplacedMethod = <T extends object>(thing: T, name: keyof T, method: unknown): T =>
  new Proxy(thing, {
    get(target, key) {
      if (key === name) return method
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** The library's errors are logged as errors; its other messages only at debug level. */
function makeQuietLogger(log: Log) {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({ job: message }, 'job queue')
    else log.debug({ job: message }, 'job queue')
  })
}
