import { randomUUID } from 'node:crypto'
import { webhooksApi } from '@recado/contract/api-access/webhooks'
import { attemptWebhookDelivery, formatEventId } from '../../directory/webhooks/delivery-attempt.ts'
import {
  type DeliveredEvent,
  deleteOldEvents,
  findNextRetryAt,
  giveUpOldEvents,
  holdWebhook,
  listWebhooksWithEvents,
  loadNextEvents,
  markEventFailed,
  markEventsDelivered,
  markWebhookHealthy,
  releaseWebhooks,
  restWebhook,
  type WaitingEvent,
} from '../../directory/webhooks/event-queue.ts'
import { type WebhookRow, webhooks } from '../../directory/webhooks/webhooks.ts'
import { minutes } from '../../kernel/clock.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { Signals } from '../../kernel/live/signals.ts'
import type { Log } from '../../kernel/log.ts'
import { runWithTrace } from '../../kernel/trace.ts'
import { runLanesInParallel } from '../outbox/parallel-lanes.ts'
import { startWorker, type Worker, type WorkerRound } from '../outbox/worker.ts'

/** Polling interval, so that dispatching does not depend on notifications. */
const pollMs = 5000
/** Cleanup interval of old events. */
const cleanupMs = minutes(1)
/** Events of one webhook that are sent in parallel, each of a different ticket. */
const maxParallelEvents = 32
/** Events read at a time; many, so that the backlog of one ticket does not hide other tickets. */
const readAhead = 256
/** Timeout of one attempt. */
const attemptTimeoutMs = 15_000
/** How often the sender of a webhook renews its lease and rereads its settings. */
const leaseRenewMs = 3000
/** An active sender is notified of new events at once; the check for other webhooks can wait this long. */
const otherWebhooksPollMs = 250
/** Minimum delay between rounds that find nothing to do. */
const minRoundMs = 100
/** Time for calls in progress when the process ends. */
const shutdownGraceMs = 2000
/** How often the counts in the list are published. */
const publishCountsMs = 2000

declare module '../../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** Signal that events of this company wait, sent by a process that does not dispatch webhooks. */
    untold: [companyId: number]
  }
}

export type DispatchTimings = { timeoutMs: number; publishMs: number; graceMs: number }

/** Dispatches webhook events until all are sent: in order per ticket, tickets in parallel. */
export function makeWebhookDispatcher(
  deps: Deps,
  log: Log,
  signals: Signals,
  overrides: Partial<DispatchTimings> = {},
) {
  const timings: DispatchTimings = {
    timeoutMs: attemptTimeoutMs,
    publishMs: publishCountsMs,
    graceMs: shutdownGraceMs,
    ...overrides,
  }
  /** Identifies this process as the holder of a webhook. */
  const me = randomUUID()
  const workers = new Map<number, Worker & { companyId: number }>()
  const runningRounds = new Set<Promise<unknown>>()
  const publishTimers = new Map<number, NodeJS.Timeout>()
  const abortCalls = new AbortController()
  /** Numbers of calls by result since this process started. */
  const tally = { told: 0, failed: 0 }
  let otherWebhooksTimer: NodeJS.Timeout | undefined
  let companiesToCheck = new Set<number>()
  let checkAll = false
  let checking: Promise<void> | null = null
  let forgotAt = 0
  let closed = false

  /** Publishes the counts shown in the list, throttled. */
  function publishCountsSoon(scope: Scope, id: number): void {
    if (closed || publishTimers.has(id)) return
    const publishCounts = async () => {
      publishTimers.delete(id)
      const row = await webhooks.findRow(scope, id)
      const record = await webhooks.presentRow(scope, row)
      scope.publish(webhooksApi.topic, { action: 'update', row: record }, webhooks.audience(scope, row))
    }
    publishTimers.set(id, setTimeout(() => void publishCounts().catch(() => {}), timings.publishMs).unref())
  }

  /** Combines results that arrive while earlier ones are being written. */
  function makeDeliveredWriter(scope: Scope, webhookId: number) {
    let next: { all: DeliveredEvent[]; written: Promise<void> } | null = null
    let writing: Promise<unknown> = Promise.resolve()
    return (delivered: DeliveredEvent): Promise<void> => {
      if (!next) {
        const batch: DeliveredEvent[] = []
        const written = writing.then(() => {
          next = null
          return markEventsDelivered(scope, webhookId, batch)
        })
        writing = written.catch(() => {})
        next = { all: batch, written }
      }
      next.all.push(delivered)
      return next.written
    }
  }

  /** One round of a webhook: sends all due events. Returns the milliseconds until more may be due. */
  async function runRound(
    scope: Scope,
    id: number,
    { signal: ended, whenWoken: woken }: WorkerRound,
  ): Promise<number | null> {
    let hook = await holdWebhook(scope, id, me)
    if (!hook) return null
    const now = () => scope.now().getTime()
    const restsFor = ({ restsUntil }: WebhookRow) => (restsUntil === null ? 0 : Date.parse(restsUntil) - now())
    if (restsFor(hook) > 0) return restsFor(hook)
    const isProbe = hook.restsUntil !== null
    let renewAt = now() + leaseRenewMs
    let failures = hook.failuresInRow
    const writeDelivered = makeDeliveredWriter(scope, id)
    const readEvents: WaitingEvent[] = []
    const underWay = new Set<number>()
    /** Lanes whose first event has just failed: their later events wait. */
    const failed = new Set<string>()
    let reading: Promise<boolean> = Promise.resolve(false)
    let takenCount = 0
    let hasFailed = isProbe

    /** Renews the lease: a process that stalled must not continue with events that another process sends by now. */
    async function renewLease(): Promise<boolean> {
      if (now() < renewAt) return true
      const again = await holdWebhook(scope, id, me)
      if (!again || (!isProbe && again.restsUntil !== null)) return false
      hook = again
      renewAt = now() + leaseRenewMs
      return true
    }
    async function readMore(): Promise<boolean> {
      const known = [...underWay, ...readEvents.map((one) => one.id)]
      const at = isProbe ? 'infinity' : scope.now()
      const most = isProbe ? 1 : readAhead
      const found = await loadNextEvents(scope, id, { excludedIds: known, dueBefore: at, limit: most })
      readEvents.push(...found.filter(({ lane }) => !failed.has(lane)))
      return found.length > 0
    }
    await runLanesInParallel<WaitingEvent, string>({
      signal: ended,
      whenWoken: woken,
      maxParallel: isProbe ? 1 : maxParallelEvents,
      laneOf: ({ lane }) => lane,
      async takeNext(lanes) {
        if ((isProbe && takenCount > 0) || !(await renewLease())) return undefined
        const pick = () => {
          const at = readEvents.findIndex(({ lane }) => !lanes.includes(lane))
          return at < 0 ? undefined : readEvents.splice(at, 1)[0]
        }
        let next = pick()
        if (!next && readEvents.length < 2 * readAhead) {
          reading = readMore()
          if (await reading) next = pick()
        }
        if (!next) return undefined
        underWay.add(next.id)
        takenCount++
        return next
      },
      process: (event) => runWithTrace(event.trace, () => deliver(event)),
    })
    async function deliver(event: WaitingEvent): Promise<boolean> {
      const { timeoutMs } = timings
      const outcome = await attemptWebhookDelivery(scope, hook as WebhookRow, event, {
        timeoutMs,
        signal: abortCalls.signal,
      })
      const { status, ms } = outcome.attempt
      log[outcome.ok ? 'debug' : 'info'](
        { webhook: id, event: formatEventId(event.eventId), type: event.type, status, ms },
        outcome.ok ? 'told outside' : 'not told outside',
      )
      // It is unknown whether the event arrived, so it is sent again under the same id.
      if (!outcome.ok && abortCalls.signal.aborted) return false
      tally[outcome.ok ? 'told' : 'failed']++
      try {
        if (outcome.ok) {
          await writeDelivered({ id: event.id, attempt: outcome.attempt, answer: outcome.answer })
          if (failures > 0 || isProbe) await markWebhookHealthy(scope, id)
          failures = 0
          return !isProbe
        }
        failed.add(event.lane)
        hasFailed = true
        for (let at = readEvents.length - 1; at >= 0; at--)
          if (readEvents[at]?.lane === event.lane) readEvents.splice(at, 1)
        if (outcome.isResting) {
          await restWebhook(scope, id, outcome.attempt.error)
          return false
        }
        const isUp = await markEventFailed(scope, id, event, outcome)
        failures++
        await reading.catch(() => {})
        failed.delete(event.lane)
        return isUp
      } finally {
        underWay.delete(event.id)
        publishCountsSoon(scope, id)
      }
    }
    // Nothing failed in this round, so no retry is due; the next poll finds events that failed earlier.
    if (!hasFailed) return null
    const after = ended.aborted ? null : await holdWebhook(scope, id, me)
    if (!after) return null
    // The pause is over and no event waits: the next event tests whether the webhook answers again.
    if (isProbe && !takenCount) return null
    if (after.restsUntil !== null) return Math.max(minRoundMs, restsFor(after))
    if (isProbe) return 0
    const next = await findNextRetryAt(scope, id)
    return next && Math.max(minRoundMs, next.getTime() - now())
  }

  function start(companyId: number, id: number): void {
    const worker = workers.get(id)
    if (worker) {
      worker.wake()
      return
    }
    const scope = new Scope(deps, { companyId })
    const safely = (_: AbortSignal, call: WorkerRound) => {
      const work = runRound(scope, id, call)
      const ended = work.catch(() => {}).finally(() => runningRounds.delete(ended))
      runningRounds.add(ended)
      return work
    }
    workers.set(id, { ...startWorker(safely, log, id), companyId })
  }

  async function startWebhooks(companies: number[] | null, isHeard: boolean): Promise<void> {
    const now = deps.clock.now().getTime()
    const found = await listWebhooksWithEvents(deps, companies)
    const elsewhere = new Set<number>()
    for (const { id, companyId, holder, heldUntil, active } of found) {
      // A webhook that was deleted just now must not stop the others.
      if (companies === null)
        await giveUpOldEvents(new Scope(deps, { companyId }), id).catch((err) => log.warn({ err, id }))
      if (!active) continue
      if (holder === me || Date.parse(heldUntil) <= now) start(companyId, id)
      else elsewhere.add(companyId)
    }
    // Another process dispatches this webhook: notify that process.
    if (!isHeard) for (const companyId of elsewhere) await new Scope(deps, { companyId }).signal('told', companyId)
  }

  async function work(): Promise<void> {
    while ((checkAll || companiesToCheck.size) && !closed) {
      const [isAll, companies] = [checkAll, [...companiesToCheck]]
      checkAll = false
      companiesToCheck = new Set()
      await startWebhooks(isAll ? null : companies, isAll).catch((err) =>
        log.warn({ err }, 'webhooks cannot be looked at'),
      )
      if (isAll) await deleteOld().catch((err) => log.warn({ err }, 'could not delete old webhook events'))
    }
  }

  async function deleteOld(): Promise<void> {
    const now = deps.clock.now().getTime()
    if (now - forgotAt < cleanupMs) return
    forgotAt = (await deleteOldEvents(deps)) ? 0 : now
  }

  function wake(companyId: number): void {
    if (closed) return
    const own = [...workers.values()].filter((worker) => worker.companyId === companyId)
    for (const worker of own) worker.wake()
    companiesToCheck.add(companyId)
    if (!own.length) startCheck()
    else otherWebhooksTimer ??= setTimeout(startCheck, otherWebhooksPollMs).unref()
  }
  function startCheck(): void {
    clearTimeout(otherWebhooksTimer)
    otherWebhooksTimer = undefined
    checking ??= runWithTrace(null, work).finally(() => {
      checking = null
      if ((checkAll || companiesToCheck.size) && !closed) startCheck()
    })
  }

  /** Checks all webhooks. */
  async function poll(): Promise<void> {
    checkAll = true
    startCheck()
    await checking
  }
  deps.webhookInterest.onWake(wake)
  signals.on('told', (word) => {
    for (const worker of workers.values()) if (worker.companyId === Number(word)) worker.wake()
  })
  signals.on('untold', (word) => wake(Number(word)))
  const pollTimer = setInterval(() => void poll(), pollMs).unref()

  return {
    tally,
    poll: poll,
    /** Resolves when no check and no round is running. */
    async idle(): Promise<void> {
      while (checking || runningRounds.size) await Promise.all([checking, ...runningRounds])
    },
    async close(): Promise<void> {
      closed = true
      clearInterval(pollTimer)
      clearTimeout(otherWebhooksTimer)
      const end = setTimeout(() => abortCalls.abort(), timings.graceMs)
      for (const timer of publishTimers.values()) clearTimeout(timer)
      await checking
      await Promise.all([...workers.values()].map((worker) => worker.stop()))
      clearTimeout(end)
      await releaseWebhooks(deps, me).catch(() => {})
    },
  }
}
export type WebhookDispatcher = ReturnType<typeof makeWebhookDispatcher>

/** For a process without a dispatcher: notifies processes that have one, a few times a second per company. */
export function makeWebhookForwarder(deps: Deps, log: Log): WebhookDispatcher {
  const forwardTimers = new Map<number, NodeJS.Timeout>()
  const again = new Set<number>()
  function forward(companyId: number): void {
    if (forwardTimers.has(companyId)) return void again.add(companyId)
    const rested = () => {
      forwardTimers.delete(companyId)
      if (again.delete(companyId)) forward(companyId)
    }
    forwardTimers.set(companyId, setTimeout(rested, otherWebhooksPollMs).unref())
    new Scope(deps, { companyId })
      .signal('untold', companyId)
      .catch((err) => log.warn({ err }, 'could not signal new webhook events'))
  }
  deps.webhookInterest.onWake(forward)
  return {
    tally: { told: 0, failed: 0 },
    poll: async () => {},
    idle: async () => {},
    async close(): Promise<void> {
      for (const timer of forwardTimers.values()) clearTimeout(timer)
    },
  }
}
