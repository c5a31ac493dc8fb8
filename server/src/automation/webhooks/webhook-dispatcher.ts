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

/** Nobody needs to say that something waits: this often we look ourselves. */
const pollMs = 5000
/** What is long over is looked for this often. */
const cleanupMs = minutes(1)
/** So many events of a webhook are told at once, each of another ticket. */
const maxParallelEvents = 32
/** So many are read at a time: what of one ticket waits must not hide the others. */
const readAhead = 256
/** One try may take so long. */
const attemptTimeoutMs = 15_000
/** Who tells a webhook looks this often whether it is still theirs, and what it is called now. */
const leaseRenewMs = 3000
/** Who tells already hears of news at once; whether the company has other webhooks can wait so long. */
const otherWebhooksPollMs = 250
/** Rounds that find nothing to do do not follow each other closer than this. */
const minRoundMs = 100
/** When the process ends, calls that are under way have so long. */
const shutdownGraceMs = 2000
/** Who looks at the list sees its numbers move this often. */
const publishCountsMs = 2000

declare module '../../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** Something of this company waits to be told, and who wrote it down tells nobody. */
    untold: [companyId: number]
  }
}

export type DispatchTimings = { timeoutMs: number; showMs: number; graceMs: number }

/** Tells webhooks what waits for them: each ticket's events in their order, tickets side by side, until all is told. */
export function makeWebhookDispatcher(means: Deps, log: Log, signals: Signals, given: Partial<DispatchTimings> = {}) {
  const pace: DispatchTimings = {
    timeoutMs: attemptTimeoutMs,
    showMs: publishCountsMs,
    graceMs: shutdownGraceMs,
    ...given,
  }
  /** By which other processes know who tells a webhook. */
  const me = randomUUID()
  const workers = new Map<number, Worker & { companyId: number }>()
  const busy = new Set<Promise<unknown>>()
  const shown = new Map<number, NodeJS.Timeout>()
  const cut = new AbortController()
  /** What became of what was told, since this process began. */
  const tally = { told: 0, failed: 0 }
  let others: NodeJS.Timeout | undefined
  let wanted = new Set<number>()
  let all = false
  let looking: Promise<void> | null = null
  let forgotAt = 0
  let closed = false

  /** The numbers in the list, not more often than anybody reads them. */
  function show(scope: Scope, id: number): void {
    if (closed || shown.has(id)) return
    const tell = async () => {
      shown.delete(id)
      const row = await webhooks.stored(scope, id)
      const record = await webhooks.shown(scope, row)
      scope.tell(webhooksApi.topic, { action: 'update', row: record }, webhooks.audience(scope, row))
    }
    shown.set(id, setTimeout(() => void tell().catch(() => {}), pace.showMs).unref())
  }

  /** What came back while the last of them were being written is written together. */
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

  /** One round of a webhook: everything that can be told now. In how many milliseconds there may be more. */
  async function round(scope: Scope, id: number, { ended, woken }: WorkerRound): Promise<number | null> {
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
    /** Lanes whose first has just failed: what is being read of them comes later. */
    const failed = new Set<string>()
    let reading: Promise<boolean> = Promise.resolve(false)
    let taken = 0
    let isTroubled = isProbe

    /** Still ours? Who slept too long must not go on with what another tells by now. */
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
      const found = await loadNextEvents(scope, id, { known, at, most })
      read.push(...found.filter(({ lane }) => !failed.has(lane)))
      return found.length > 0
    }
    await runLanesInParallel<WaitingEvent, string>({
      ended,
      woken,
      most: isProbe ? 1 : maxParallelEvents,
      laneOf: ({ lane }) => lane,
      async take(lanes) {
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
      carry: (event) => runWithTrace(event.trace, () => carried(event)),
    })
    async function carried(event: WaitingEvent): Promise<boolean> {
      const { timeoutMs } = pace
      const outcome = await attemptWebhookDelivery(scope, hook as WebhookRow, event, { timeoutMs, signal: cut.signal })
      const { status, ms } = outcome.one
      log[outcome.ok ? 'debug' : 'info'](
        { webhook: id, event: formatEventId(event.eventId), type: event.type, status, ms },
        outcome.ok ? 'told outside' : 'not told outside',
      )
      // Nobody knows whether it arrived: it is told again under its id.
      if (!outcome.ok && cut.signal.aborted) return false
      tally[outcome.ok ? 'told' : 'failed']++
      try {
        if (outcome.ok) {
          await settled({ id: event.id, one: outcome.one, answer: outcome.answer })
          if (failures > 0 || isProbe) await markWebhookHealthy(scope, id)
          failures = 0
          return !isProbe
        }
        failed.add(event.lane)
        isTroubled = true
        for (let at = read.length - 1; at >= 0; at--) if (read[at]?.lane === event.lane) read.splice(at, 1)
        if (outcome.resting) {
          await restWebhook(scope, id, outcome.one.error)
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
    // Nothing failed: what failed in an earlier round is found by who looks.
    if (!isTroubled) return null
    const after = ended.aborted ? null : await holdWebhook(scope, id, me)
    if (!after) return null
    // Rested, and nothing to try it with: the next event is its trial.
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
      // One that goes just now keeps nobody else waiting.
      if (companies === null)
        await giveUpOldEvents(new Scope(means, { companyId }), id).catch((err) => log.warn({ err, id }))
      if (!active) continue
      if (holder === me || Date.parse(heldUntil) <= now) start(companyId, id)
      else elsewhere.add(companyId)
    }
    // Who tells it lives elsewhere: they hear that there is something.
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

  /** Looks after all of them. */
  async function look(): Promise<void> {
    all = true
    begin()
    await looking
  }
  means.hooks.onWake(wake)
  signals.on('told', (word) => {
    for (const worker of workers.values()) if (worker.companyId === Number(word)) worker.wake()
  })
  signals.on('untold', (word) => wake(Number(word)))
  const looks = setInterval(() => void look(), pollMs).unref()

  return {
    tally,
    look,
    /** When nothing is being looked for or told any more. */
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

/** For a process that tells no webhook: those that do hear that something waits, of each company a few times a second. */
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
  means.hooks.onWake(pass)
  return {
    tally: { told: 0, failed: 0 },
    look: async () => {},
    idle: async () => {},
    async close(): Promise<void> {
      for (const timer of said.values()) clearTimeout(timer)
    },
  }
}
