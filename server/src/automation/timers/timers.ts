import { randomUUID } from 'node:crypto'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { Log } from '../../kernel/log.ts'
import { runWithTrace } from '../../kernel/trace.ts'
import type { Timer } from './timer.ts'

/** Polling interval. A row that is due before the next poll gets its own timeout. */
const pollMs = 5000
const maxDuePerPoll = 200
/** Pause after a failure, while other rows continue: 10 s, 40 s, …, an hour. */
const retryDelayMs = (failures: number) => Math.min(10_000 * 4 ** (failures - 1), 3_600_000)

/** Companies processed in parallel, each in its own order; low, to leave database capacity for other work. */
const maxCompaniesInParallel = 3

type DueRow = { companyId: number; id: number; at: string }
type DueTimer = DueRow & { name: string; timer: Timer }
type TimerFailure = { failures: number; retryAt: number }

/** Groups rows that one timer may process together, at the position of the first; the order is kept otherwise. */
function groupIntoBatches(due: DueTimer[]): DueTimer[][] {
  const batches: DueTimer[][] = []
  const open = new Map<string, DueTimer[]>()
  for (const one of due) {
    const batch = open.get(one.name)
    if (batch && batch.length < one.timer.batchSize) batch.push(one)
    else {
      const next = [one]
      open.set(one.name, next)
      batches.push(next)
    }
  }
  return batches
}

/** Runs timers. Every process polls; the first to lock a row acts, and the next finds the row done. */
export function makeTimers(deps: Deps, log: Log, timers: Record<string, Timer>) {
  const failuresByTimer = new Map<string, Map<number, TimerFailure>>(
    Object.keys(timers).map((name) => [name, new Map()]),
  )
  let isClosed = false
  let working: Promise<void> | null = null
  let pollAgain = false
  let nextPollTimer: NodeJS.Timeout | undefined
  const now = () => deps.clock.now().getTime()

  /** The due rows of one timer. A failing query affects no other timer. */
  async function dueOf(name: string, timer: Timer): Promise<DueTimer[]> {
    const resting = [...(failuresByTimer.get(name) ?? [])]
      .filter(([, { retryAt: until }]) => until > now())
      .map(([id]) => id)
    const ask = {
      name: `timer_${name}`,
      text: timer.dueSql,
      values: [new Date(now() + pollMs), maxDuePerPoll, resting],
    }
    try {
      const { rows } = await deps.database.platformPool.query<DueRow>(ask)
      return rows.map((row) => ({ ...row, name, timer }))
    } catch (err) {
      log.warn({ err, timer: name }, 'a timer cannot be looked at')
      return []
    }
  }

  /** Each batch started by a timer has its own trace id. */
  const runBatch = (batch: DueTimer[]): Promise<void> =>
    runWithTrace(`t${randomUUID().slice(0, 13)}`, () => runBatchInTrace(batch))

  async function runBatchInTrace(batch: DueTimer[]): Promise<void> {
    const [{ name, timer, companyId, id }] = batch as [DueTimer]
    const misses = failuresByTimer.get(name)
    const ids = batch.map((one) => one.id)
    try {
      await new Scope(deps, { companyId }).transaction((scope) => timer.run(scope, ids))
      for (const done of ids) misses?.delete(done)
      log.debug({ timer: name, companyId, ids }, 'rang')
    } catch (err) {
      // One row failed the whole batch: run each row in its own transaction.
      if (batch.length > 1) {
        for (const one of batch) if (!isClosed) await runBatch([one])
        return
      }
      const failures = (misses?.get(id)?.failures ?? 0) + 1
      misses?.set(id, { failures, retryAt: now() + retryDelayMs(failures) })
      log.error({ err, timer: name, companyId, id, failures }, 'a timer could not be done; it is tried again')
    }
  }

  async function runAll(due: DueTimer[]): Promise<void> {
    const companies = [...Map.groupBy(due, ({ companyId }) => companyId).values()].map(groupIntoBatches)
    const work = async () => {
      for (let next = companies.shift(); next; next = companies.shift())
        for (const batch of next) if (!isClosed) await runBatch(batch)
    }
    await Promise.all(Array.from({ length: maxCompaniesInParallel }, work))
  }

  async function runRound(): Promise<void> {
    const found: DueTimer[] = []
    let isMore = false
    for (const [name, one] of Object.entries(timers)) {
      const these = await dueOf(name, one)
      isMore ||= these.length === maxDuePerPoll
      found.push(...these)
    }
    found.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    const due = found.filter(({ at }) => Date.parse(at) <= now())
    await runAll(due)
    if (isMore && due.length) pollAgain = true
    const next = found[due.length]
    const soon = due.flatMap(({ timer }) => timer.recheckMs ?? [])
    const waits = [...soon, ...(next ? [Date.parse(next.at) - now() + 1] : [])]
    clearTimeout(nextPollTimer)
    if (waits.length && !isClosed)
      nextPollTimer = setTimeout(() => void poll(), Math.max(1, Math.min(...waits))).unref()
  }

  async function work(): Promise<void> {
    do {
      pollAgain = false
      await runRound().catch((err) => log.warn({ err }, 'the timers cannot be looked at'))
    } while (pollAgain && !isClosed)
    working = null
  }

  /** Runs everything that is due. A call during a run causes one more run. */
  async function poll(): Promise<void> {
    pollAgain = true
    working ??= work()
    await working
  }
  const pollTimer = setInterval(() => void poll(), pollMs)
  pollTimer.unref()

  return {
    poll: poll,
    async close(): Promise<void> {
      isClosed = true
      clearInterval(pollTimer)
      clearTimeout(nextPollTimer)
      await working
    },
  }
}
export type Timers = ReturnType<typeof makeTimers>
