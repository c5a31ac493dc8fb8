import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/** A ticket of the routed queue: it waits (`since`, by the clock of the database), or somebody has it. */
export type RoutedTicket = { id: number; userId: number | null; priority: number; since: number | null }

const lookEveryMs = 150

/**
 * What two looks at the queue prove: nobody has more tickets than places, and no ticket was assigned while an older one
 * of the same priority waited through both looks.
 */
export function compareRoutingLooks(before: RoutedTicket[], now: RoutedTicket[], capacity: number): string[] {
  const held = Map.groupBy(
    now.filter(({ userId }) => userId !== null),
    ({ userId }) => userId,
  )
  const full = [...held].filter(([, tickets]) => tickets.length > capacity)
  const nowById = new Map(now.map((ticket) => [ticket.id, ticket]))
  const waited = before.filter(({ since }) => since !== null)
  const waitsOn = waited.filter(({ id, since }) => nowById.get(id)?.since === since)
  const assigned = waited.filter(({ id }) => nowById.get(id)?.userId)
  const isAhead = (one: RoutedTicket, other: RoutedTicket) =>
    one.priority === other.priority && (one.since as number) < (other.since as number)
  const overtaken = assigned.flatMap((younger) =>
    waitsOn
      .filter((older) => isAhead(older, younger))
      .map((older) => `ticket ${younger.id} was assigned while the older ticket ${older.id} waited`),
  )
  return [...full.map(([userId, { length }]) => `user ${userId} has ${length} of ${capacity} tickets`), ...overtaken]
}

/** Looks at the queue again and again, and collects what must not be. */
export function watchRouting(db: pg.Pool, companyId: number, queueId: number, capacity: number) {
  const faults = new Set<string>()
  let isOpen = true
  let before: RoutedTicket[] | null = null
  async function look(): Promise<RoutedTicket[] | null> {
    const text = `select id, case when status = 'open' then "userId" end as "userId", priority,
        extract(epoch from "routableSince")::float8 as since
      from tickets where "companyId" = $1 and "queueId" = $2 and (status = 'open' or "routableSince" is not null)`
    // While the database is down there is nothing to compare.
    return db.query<RoutedTicket>(text, [companyId, queueId]).then(
      ({ rows }) => rows,
      () => null,
    )
  }
  const watching = (async () => {
    for (; isOpen; await pause(lookEveryMs)) {
      const now = await look()
      if (before && now) for (const fault of compareRoutingLooks(before, now, capacity)) faults.add(fault)
      before = now
    }
  })()
  return {
    listFaults: (): string[] => [...faults],
    async close(): Promise<void> {
      isOpen = false
      await watching
    },
  }
}
