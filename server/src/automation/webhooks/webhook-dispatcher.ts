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

/** Polling interval, because no notification is required. */
const pollMs = 5000
/** Cleanup interval of old events. */
const cleanupMs = minutes(1)
/** Events of a webhook sent in parallel, each of another ticket. */
const maxParallelEvents = 32
/** Events read at a time: the backlog of one ticket must not hide the others. */
const readAhead = 256
/** Timeout of one try. */
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
    /** Events of this company wait, and their writer does not dispatch them. */
    untold: [companyId: number]
  }
}

export type DispatchTimings = { timeoutMs: number; publishMs: number; graceMs: number }

/** Dispatches webhook events: each ticket's in order, tickets in parallel, until all are sent. */
export function makeWebhookDispatcher(means: Deps, log: Log, signals: Signals, given: Partial<DispatchTimings> = {}) {
  const pace: DispatchTimings = {
    timeoutMs: attemptTimeoutMs,
    publishMs: publishCountsMs,
    graceMs: shutdownGraceMs,
    ...given,
  }
  /** Identifies this process as the holder of a webhook. */
  const me = randomUUID()
  const workers = new Map<number, Worker & { companyId: number }>()
  const busy = new Set<Promise<unknown>>()
  const shown = new Map<number, NodeJS.Timeout>()
  const cut = new AbortController()
  /** Results since this process started. */
  const tally = { told: 0, failed: 0 }
  let others: NodeJS.Timeout | undefined
  let wanted = new Set<number>()
  let all = false
  let looking: Promise<void> | null = null
  let forgotAt = 0
  let closed = false

  /** Publishes the counts of the list, throttled. */
  function show(scope: Scope, id: number): void {
    if (closed || shown.has(id)) return
    const tell = async () => {
      shown.delete(id)
      const row = await webhooks.findRow(scope, id)
      const record = await webhooks.presentRow(scope, row)
      scope.publish(webhooksApi.topic, { action: 'update', row: record }, webhooks.audience(scope, row))
    }
    shown.set(id, setTimeout(() => void tell().catch(() => {}), pace.publishMs).unref())
  }

  /** Combines results that arrive while earlier ones are being written. */
  function settler(scope: Scope, webhookId: number) {
    let next: { all: DeliveredEvent[]; written: Promise<void> } | null = null
    let writing: Promise<unknown> = Promise.resolve()
    return (told: DeliveredEvent): Promise<void> => {
      if (!next) {
        const batch: DeliveredEvent[] = []
        const written = writing.then(() => {
          next = null
          return markEventsDelivered(scope, webhookId, batch)
        })
        writing = written.catch(() => {})
        next = { all: batch, written }
      }
      next.all.push(told)
      return next.written
    }
  }

  /** One round of a webhook: sends everything that can be sent. Returns the milliseconds until there may be more. */
  async function round(
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
    const settled = settler(scope, id)
    const read: WaitingEvent[] = []
    const underWay = new Set<number>()
    /** Lanes whose first event has just failed: their later events wait. */
    const failed = new Set<string>()
    let reading: Promise<boolean> = Promise.resolve(false)
    let taken = 0
    let isTroubled = isProbe

    /** Renews the lease: a process that stalled must not continue with what another sends by now. */
    async function keeps(): Promise<boolean> {
      if (now() < renewAt) return true
      const again = await holdWebhook(scope, id, me)
      if (!again || (!isProbe && again.restsUntil !== null)) return false
      hook = again
      renewAt = now() + leaseRenewMs
      return true
    }
    async function more(): Promise<boolean> {
      const known = [...underWay, ...read.map((one) => one.id)]
      const at = isProbe ? 'infinity' : scope.now()
      const most = isProbe ? 1 : readAhead
      const found = await loadNextEvents(scope, id, { excludedIds: known, dueBefore: at, limit: most })
      read.push(...found.filter(({ lane }) => !failed.has(lane)))
      return found.length > 0
    }
    await runLanesInParallel<WaitingEvent, string>({
      signal: ended,
      whenWoken: woken,
      maxParallel: isProbe ? 1 : maxParallelEvents,
      laneOf: ({ lane }) => lane,
      async takeNext(lanes) {
        if ((isProbe && taken > 0) || !(await keeps())) return undefined
        const pick = () => {
          const at = read.findIndex(({ lane }) => !lanes.includes(lane))
          return at < 0 ? undefined : read.splice(at, 1)[0]
        }
        let next = pick()
        if (!next && read.length < 2 * readAhead) {
          reading = more()
          if (await reading) next = pick()
        }
        if (!next) return undefined
        underWay.add(next.id)
        taken++
        return next
      },
      process: (event) => runWithTrace(event.trace, () => carried(event)),
    })
    async function carried(event: WaitingEvent): Promise<boolean> {
      const { timeoutMs } = pace
      const outcome = await attemptWebhookDelivery(scope, hook as WebhookRow, event, { timeoutMs, signal: cut.signal })
      const { status, ms } = outcome.attempt
      log[outcome.ok ? 'debug' : 'info'](
        { webhook: id, event: formatEventId(event.eventId), type: event.type, status, ms },
        outcome.ok ? 'told outside' : 'not told outside',
      )
      // Unknown whether it arrived: it is sent again under the same id.
      if (!outcome.ok && cut.signal.aborted) return false
      tally[outcome.ok ? 'told' : 'failed']++
      try {
        if (outcome.ok) {
          await settled({ id: event.id, attempt: outcome.attempt, answer: outcome.answer })
          if (failures > 0 || isProbe) await markWebhookHealthy(scope, id)
          failures = 0
          return !isProbe
        }
        failed.add(event.lane)
        isTroubled = true
        for (let at = read.length - 1; at >= 0; at--) if (read[at]?.lane === event.lane) read.splice(at, 1)
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
        show(scope, id)
      }
    }
    // Nothing failed: earlier failures are found by the next look.
    if (!isTroubled) return null
    const after = ended.aborted ? null : await holdWebhook(scope, id, me)
    if (!after) return null
    // The pause is over and there is nothing to try: the next event is the trial.
    if (isProbe && !taken) return null
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
    const scope = new Scope(means, { companyId })
    const safely = (_: AbortSignal, call: WorkerRound) => {
      const work = round(scope, id, call)
      const ended = work.catch(() => {}).finally(() => busy.delete(ended))
      busy.add(ended)
      return work
    }
    workers.set(id, { ...startWorker(safely, log, id), companyId })
  }

  async function lookAt(companies: number[] | null, isHeard: boolean): Promise<void> {
    const now = means.clock.now().getTime()
    const found = await listWebhooksWithEvents(means, companies)
    const elsewhere = new Set<number>()
    for (const { id, companyId, holder, heldUntil, active } of found) {
      // A webhook deleted just now must not stop the others.
      if (companies === null)
        await giveUpOldEvents(new Scope(means, { companyId }), id).catch((err) => log.warn({ err, id }))
      if (!active) continue
      if (holder === me || Date.parse(heldUntil) <= now) start(companyId, id)
      else elsewhere.add(companyId)
    }
    // Another process dispatches it: notify that process.
    if (!isHeard) for (const companyId of elsewhere) await new Scope(means, { companyId }).signal('told', companyId)
  }

  async function work(): Promise<void> {
    while ((all || wanted.size) && !closed) {
      const [isAll, companies] = [all, [...wanted]]
      all = false
      wanted = new Set()
      await lookAt(isAll ? null : companies, isAll).catch((err) => log.warn({ err }, 'webhooks cannot be looked at'))
      if (isAll) await forget().catch((err) => log.warn({ err }, 'old events of webhooks were not forgotten'))
    }
  }

  async function forget(): Promise<void> {
    const now = means.clock.now().getTime()
    if (now - forgotAt < cleanupMs) return
    forgotAt = (await deleteOldEvents(means)) ? 0 : now
  }

  function wake(companyId: number): void {
    if (closed) return
    const own = [...workers.values()].filter((worker) => worker.companyId === companyId)
    for (const worker of own) worker.wake()
    wanted.add(companyId)
    if (!own.length) begin()
    else others ??= setTimeout(begin, otherWebhooksPollMs).unref()
  }
  function begin(): void {
    clearTimeout(others)
    others = undefined
    looking ??= runWithTrace(null, work).finally(() => {
      looking = null
      if ((all || wanted.size) && !closed) begin()
    })
  }

  /** Looks at all webhooks. */
  async function look(): Promise<void> {
    all = true
    begin()
    await looking
  }
  means.webhookInterest.onWake(wake)
  signals.on('told', (word) => {
    for (const worker of workers.values()) if (worker.companyId === Number(word)) worker.wake()
  })
  signals.on('untold', (word) => wake(Number(word)))
  const looks = setInterval(() => void look(), pollMs).unref()

  return {
    tally,
    poll: look,
    /** Resolves when nothing is looked for or sent any more. */
    async idle(): Promise<void> {
      while (looking || busy.size) await Promise.all([looking, ...busy])
    },
    async close(): Promise<void> {
      closed = true
      clearInterval(looks)
      clearTimeout(others)
      const end = setTimeout(() => cut.abort(), pace.graceMs)
      for (const timer of shown.values()) clearTimeout(timer)
      await looking
      await Promise.all([...workers.values()].map((worker) => worker.stop()))
      clearTimeout(end)
      await releaseWebhooks(means, me).catch(() => {})
    },
  }
}
export type WebhookDispatcher = ReturnType<typeof makeWebhookDispatcher>

/** For a process without a dispatcher: notifies those that have one, a few times a second per company. */
export function makeWebhookForwarder(means: Deps, log: Log): WebhookDispatcher {
  const said = new Map<number, NodeJS.Timeout>()
  const again = new Set<number>()
  function pass(companyId: number): void {
    if (said.has(companyId)) return void again.add(companyId)
    const rested = () => {
      said.delete(companyId)
      if (again.delete(companyId)) pass(companyId)
    }
    said.set(companyId, setTimeout(rested, otherWebhooksPollMs).unref())
    new Scope(means, { companyId })
      .signal('untold', companyId)
      .catch((err) => log.warn({ err }, 'nobody heard that a webhook has news'))
  }
  means.webhookInterest.onWake(pass)
  return {
    tally: { told: 0, failed: 0 },
    poll: async () => {},
    idle: async () => {},
    async close(): Promise<void> {
      for (const timer of said.values()) clearTimeout(timer)
    },
  }
}
