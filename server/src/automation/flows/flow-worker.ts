import { randomUUID } from 'node:crypto'
import { addMs, minutes, seconds } from '../../kernel/clock.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { isTransientError } from '../../kernel/errors.ts'
import { withStoredUploads } from '../../kernel/files/media.ts'
import type { Log } from '../../kernel/log.ts'
import { makePollLoop } from '../../kernel/poll-loop.ts'
import { runWithTrace } from '../../kernel/trace.ts'
import type { BotBackend } from '../bot-requests/backend.ts'
import { sendCall } from './acts/call.ts'
import { askBot, filesOfAnswer } from './acts/respond.ts'
import { type CallResult, continueRun, continueRuns, type PendingCall } from './continue-run.ts'
import { giveUpRun } from './flow-failures.ts'
import { postponeRun } from './runs/run-rows.ts'
import { postponeEvents, startOldestRuns } from './runs/start-runs.ts'

declare module '../../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** Something happened that starts flows, or a run goes on; also sent by the database. */
    flows: []
  }
}

/** Waits end by time, and are looked at this often, also if a timer is lost. */
const pollMs = 1000
/** Waits that end within this time of each other are continued together. */
const minRestMs = 100
const maxCompaniesPerLook = 200
/** How much of one company is done before the next one's turn. */
const startsPerTurn = 20
const runsPerTurn = 50
/** Transactions at the same time, for different companies or for the only one that has work: connections are few. */
const maxInParallel = 3
/** Calls that are on their way, in this process and of one company: a slow system delays only its own company. */
const maxCalls = 32
const maxCallsPerCompany = 8
/** A run that fails for a reason that is not the step's is tried this often. */
const maxTries = 5
const retryDelayMs = (tries: number): number => Math.min(seconds(5) * 4 ** tries, minutes(10))

type DueRun = { id: number; ticketId: number; tries: number }

/**
 * Starts and continues flows. Companies take turns, and nothing is kept in memory: after a crash the events and due runs
 * are still there.
 */
export function makeFlowWorker(deps: Deps, log: Log, isEnabled: boolean, backends: readonly BotBackend[]) {
  const shutdown = new AbortController()
  const calls = new Map<Promise<void>, number>()
  /** The company after which the next look begins, so that each gets its turn. */
  let lastCompanyId = 0
  let nextLook: NodeJS.Timeout | undefined

  async function listCompanies(): Promise<number[]> {
    const { rows } = await deps.database.platformPool.query<{ companyId: number }>({
      name: 'flow_work',
      text: `select "companyId" from (
          select "companyId" from "flowEvents" where "lookAt" <= now() group by 1
          union select "companyId" from "flowRuns" where "dueAt" <= $1 group by 1) w
        order by "companyId" <= $2, "companyId" limit $3`,
      values: [deps.clock.now(), lastCompanyId, maxCompaniesPerLook],
    })
    return rows.map(({ companyId }) => companyId)
  }

  /** How long until the next wait ends; null: not before the next look. */
  async function readRest(): Promise<number | null> {
    const now = deps.clock.now()
    const { rows } = await deps.database.platformPool.query<{ at: number | null }>({
      name: 'flow_next_due',
      text: `select extract(epoch from min("dueAt"))::float8 * 1000 as at from "flowRuns" where "dueAt" > $1 and "dueAt" < $2`,
      values: [now, addMs(now, pollMs)],
    })
    const at = rows[0]?.at
    return typeof at === 'number' ? Math.max(minRestMs, at - now.getTime()) : null
  }

  const listDueRuns = (scope: Scope, limit: number): Promise<DueRun[]> =>
    scope.db
      .selectFrom('flowRuns')
      .select(['id', 'ticketId', 'tries'])
      .where('companyId', '=', scope.companyId)
      .where('dueAt', '<=', deps.clock.now().toISOString())
      .orderBy('dueAt')
      .orderBy('id')
      .limit(limit)
      .execute()

  /** The places that are free now among the calls, to be taken one by one. */
  function freeCalls(companyId: number): () => boolean {
    const ofCompany = [...calls.values()].filter((id) => id === companyId).length
    let free = Math.min(maxCalls - calls.size, maxCallsPerCompany - ofCompany)
    return () => free-- > 0
  }

  /** Returns whether it worked. Runs that cannot be continued together are continued one by one. */
  async function continueTogether(scope: Scope, runs: DueRun[], takeCall: () => boolean): Promise<boolean> {
    try {
      const pending = await continueRuns(scope, runs, { takeCall })
      for (const call of pending) beginCall(scope, call)
      return true
    } catch (err) {
      log.debug({ err, companyId: scope.companyId }, 'runs of flows are continued one by one')
      return false
    }
  }

  /** Returns whether it worked. */
  async function continueOne(scope: Scope, run: DueRun): Promise<boolean> {
    try {
      const call = await continueRun(scope, run, { takeCall: freeCalls(scope.companyId) })
      if (call) beginCall(scope, call)
      return true
    } catch (err) {
      log.error({ err, companyId: scope.companyId, run: run.id }, 'a run of a flow could not be continued')
      // What it did was rolled back. After an outage it is tried again at the next look.
      if (isTransientError(err)) return false
      if (run.tries + 1 >= maxTries) await scope.transaction((tx) => giveUpRun(tx, run))
      else await postponeRun(scope, run.id, addMs(deps.clock.now(), retryDelayMs(run.tries)))
      return true
    }
  }

  /** Returns whether there were events. */
  async function startOldest(scope: Scope): Promise<boolean> {
    let eventIds: number[] = []
    try {
      return await scope.transaction((tx) =>
        startOldestRuns(tx, (ids) => {
          eventIds = ids
        }),
      )
    } catch (err) {
      log.error({ err, companyId: scope.companyId, eventIds }, 'flows could not be started')
      if (isTransientError(err) || !eventIds.length) return false
      await postponeEvents(scope, eventIds)
      return true
    }
  }

  async function send(scope: Scope, call: PendingCall): Promise<CallResult> {
    if (!('variables' in call)) return { answer: await askBot(scope, backends, call, shutdown.signal) }
    const { step, variables, texts } = call
    const key = `flow-${call.runId}-${step.id}-${call.n}`
    return { outcome: await sendCall(deps, scope.companyId, step, variables, texts, key) }
  }

  /** Sends a call without keeping others waiting, and continues its run with the result. */
  function beginCall(scope: Scope, call: PendingCall): void {
    const sending: Promise<void> = runWithTrace(traceId(), async () => {
      const result = await send(scope, call)
      const run = { id: call.runId, ticketId: call.ticketId }
      const options = { takeCall: freeCalls(scope.companyId), result: { call, result } }
      const next = await withStoredUploads(scope, 'answer' in result ? filesOfAnswer(result.answer) : [], () =>
        continueRun(scope, run, options),
      )
      if (next) beginCall(scope, next)
    })
      // The result is lost, and the call is repeated with the same key when its lease is over.
      .catch((err) => log.warn({ err, run: call.runId }, 'the result of a call was not stored'))
      .finally(() => calls.delete(sending))
    calls.set(sending, scope.companyId)
  }

  /** Returns whether a run was continued. `parallel`: how many transactions may be open at the same time. */
  async function continueDueRuns(scope: Scope, parallel: number): Promise<boolean> {
    const due = await listDueRuns(scope, runsPerTurn * parallel)
    const tickets = Map.groupBy(due, ({ ticketId }) => ticketId)
    // A run that has failed would keep the others from being continued together.
    const first = [...tickets.values()].flatMap(([one]) => (one && one.tries === 0 ? [one] : []))
    const size = Math.ceil(first.length / parallel)
    const batches = Array.from({ length: parallel }, (_, i) => first.slice(i * size, (i + 1) * size)).filter(
      (batch) => batch.length > 1,
    )
    const takeCall = freeCalls(scope.companyId)
    const continued = await Promise.all(
      batches.map((batch) => runWithTrace(traceId(), () => continueTogether(scope, batch, takeCall))),
    )
    const together = new Set(batches.flatMap((batch, i) => (continued[i] ? batch : [])))
    let done = together.size > 0
    for (const run of due)
      if (!together.has(run) && (await runWithTrace(traceId(), () => continueOne(scope, run)))) done = true
    return done
  }

  /** Returns whether the company may have more to do. */
  async function serveCompany(companyId: number, parallel: number): Promise<boolean> {
    const scope = new Scope(deps, { companyId })
    let starts = 0
    while (starts < startsPerTurn && (await runWithTrace(traceId(), () => startOldest(scope)))) starts++
    return (await continueDueRuns(scope, parallel)) || starts === startsPerTurn
  }

  async function look(): Promise<boolean> {
    const companies = await listCompanies()
    const queue = [...companies]
    const parallel = companies.length === 1 ? maxInParallel : 1
    let hasMore = companies.length === maxCompaniesPerLook
    const work = async () => {
      for (let next = queue.shift(); next !== undefined && !loop.isClosed(); next = queue.shift()) {
        const companyId = next
        lastCompanyId = companyId
        const isMore = await serveCompany(companyId, parallel).catch((err) => {
          log.error({ err, companyId }, 'flows of a company could not be started; they are tried again')
          return false
        })
        if (isMore) hasMore = true
      }
    }
    await Promise.all(Array.from({ length: maxInParallel }, work))
    if (!hasMore) await lookAtNextDue()
    return hasMore
  }

  async function lookAtNextDue(): Promise<void> {
    const rest = await readRest()
    clearTimeout(nextLook)
    if (rest === null || loop.isClosed()) return
    nextLook = setTimeout(() => void loop.poll(), rest)
    nextLook.unref()
  }

  const loop = makePollLoop(look, { isEnabled, pollMs, log })
  return {
    poll: loop.poll,
    /** Resolves when nothing is due and no call is on its way. */
    async idle(): Promise<void> {
      await loop.poll()
      while (calls.size) {
        await Promise.all(calls.keys())
        await loop.poll()
      }
    },
    async close(): Promise<void> {
      await loop.close()
      clearTimeout(nextLook)
      shutdown.abort(new Error('the server closes'))
      await Promise.all(calls.keys())
    },
  }
}

const traceId = (): string => `f${randomUUID().slice(0, 13)}`
