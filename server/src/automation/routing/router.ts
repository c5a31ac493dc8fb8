import { randomUUID } from 'node:crypto'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { Log } from '../../kernel/log.ts'
import { makePollLoop } from '../../kernel/poll-loop.ts'
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
      if (loop.isClosed()) return false
      const scope = new Scope(deps, { companyId })
      if (!(await scope.transaction((tx) => routeNextTicket(tx, queueId)))) return false
    }
    // Its turn ended before its tickets: it gets the next turn after the other queues.
    return true
  }
  async function look(): Promise<boolean> {
    let isUnfinished = false
    for (const { companyId, queueId } of await listRequestedQueues())
      try {
        if (await runWithTrace(`r${randomUUID().slice(0, 13)}`, () => routeQueue(companyId, queueId)))
          isUnfinished = true
      } catch (err) {
        // Its request was rolled back with it and stays, and the other queues continue.
        log.error({ err, companyId, queueId }, 'could not assign a waiting ticket; it is tried again')
      }
    return isUnfinished
  }
  const loop = makePollLoop(look, { isEnabled, pollMs, log })
  return loop
}
export type Router = ReturnType<typeof makeRouter>
