import { randomUUID } from 'node:crypto'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { Log } from '../../kernel/log.ts'
import { runWithTrace } from '../../kernel/trace.ts'
import { routeNextTicket } from './route-queue.ts'

declare module '../../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** A ticket began to wait in a routed queue, or an agent of it may take one; sent by the database. */
    routing: []
  }
}

/** For requests whose signal was lost, and for queues that failed. */
const pollMs = 5000
const maxQueuesPerLook = 200
/** How many tickets of a queue are assigned before the next queue has its turn. */
const maxTicketsPerTurn = 50

/**
 * Assigns waiting tickets. Requests are rows that the database writes with the change itself: after a crash they are
 * still there, and the next look, of any process, finds them.
 */
export function makeRouter(deps: Deps, log: Log, isEnabled: boolean) {
  let isClosed = false
  let working: Promise<void> | null = null
  let lookAgain = false

  async function listRequestedQueues(): Promise<{ companyId: number; queueId: number }[]> {
    const { rows } = await deps.database.platformPool.query({
      name: 'routing_requests',
      text: `select r."companyId", r."queueId" from "routingRequests" r
        join queues q on q."companyId" = r."companyId" and q.id = r."queueId" and q.routing <> 'manual'
        where r."notBefore" is null or r."notBefore" <= $2
        group by 1, 2 order by min(r.id) limit $1`,
      values: [maxQueuesPerLook, deps.clock.now()],
    })
    return rows
  }
  /** Returns whether the queue is to be looked at once more. */
  async function routeQueue(companyId: number, queueId: number): Promise<boolean> {
    for (let n = 0; n < maxTicketsPerTurn; n++) {
      if (isClosed) return false
      const scope = new Scope(deps, { companyId })
      if (!(await scope.transaction((tx) => routeNextTicket(tx, queueId)))) return false
    }
    // Its turn ended before its tickets: it gets the next turn after the other queues.
    return true
  }

  async function lookOnce(): Promise<void> {
    for (const { companyId, queueId } of await listRequestedQueues())
      try {
        const isUnfinished = await runWithTrace(`r${randomUUID().slice(0, 13)}`, () => routeQueue(companyId, queueId))
        if (isUnfinished) lookAgain = true
      } catch (err) {
        // Its request was rolled back with it and stays, and the other queues continue.
        log.error({ err, companyId, queueId }, 'could not assign a waiting ticket; it is tried again')
      }
  }
  async function work(): Promise<void> {
    do {
      lookAgain = false
      await lookOnce().catch((err) => log.warn({ err }, 'waiting tickets cannot be looked at'))
    } while (lookAgain && !isClosed)
    working = null
  }
  /** A call during a look causes one more look. */
  async function poll(): Promise<void> {
    if (!isEnabled || isClosed) return
    lookAgain = true
    working ??= work()
    await working
  }
  const pollTimer = setInterval(() => void poll(), pollMs)
  pollTimer.unref()
  return {
    poll,
    async close(): Promise<void> {
      isClosed = true
      clearInterval(pollTimer)
      await working
    },
  }
}
export type Router = ReturnType<typeof makeRouter>
