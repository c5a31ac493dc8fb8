import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/** `userId`: who is asked; null during the pause after everybody who is free has passed. */
export type WatchedOffer = { userId: number | null; passedUserIds: number[]; dueAt: string }
/** A ticket of the routed queue: it waits (`since`, by the clock of the server), or somebody has it. */
export type RoutedTicket = {
  id: number
  userId: number | null
  priority: number
  since: number | null
  offer: WatchedOffer | null
}

const lookEveryMs = 150
/**
 * A choice that a process made before it hung may be committed seconds later, when a ticket is there that is older by the
 * clock, which jumps. So a ticket counts as overtaken only if it was there for longer than a process hangs.
 */
const settleMs = 6000

/** Who has the ticket, or is asked whether they take it. */
const findReceiver = ({ userId, offer }: RoutedTicket): number | null => userId ?? offer?.userId ?? null

/**
 * What two looks at the queue prove: nobody has more tickets and offers than places, no ticket was assigned or offered
 * while an older one of the same priority waited through both looks, and nobody is asked again who has passed. A user
 * who passed the older ticket may get the younger one.
 */
export function compareRoutingLooks(
  before: RoutedTicket[],
  now: RoutedTicket[],
  capacity: number,
  isSettled: (ticket: RoutedTicket) => boolean = () => true,
): string[] {
  const taken = Map.groupBy(
    now.filter((ticket) => findReceiver(ticket) !== null),
    findReceiver,
  )
  const full = [...taken].filter(([, tickets]) => tickets.length > capacity)
  const askedAgain = now.filter(({ offer }) => offer?.userId && offer.passedUserIds.includes(offer.userId))

  const nowById = new Map(now.map((ticket) => [ticket.id, ticket]))
  const beforeById = new Map(before.map((ticket) => [ticket.id, ticket]))
  // An offer that ended and began again between the looks has another due time.
  const waitsOn = before.filter((ticket) => {
    const later = nowById.get(ticket.id)
    const isUnchanged = later?.since === ticket.since && JSON.stringify(later?.offer) === JSON.stringify(ticket.offer)
    return ticket.since !== null && isUnchanged && findReceiver(ticket) === null && isSettled(ticket)
  })
  const given = now.flatMap((ticket) => {
    const earlier = beforeById.get(ticket.id)
    const [receiver, since] = [findReceiver(ticket), ticket.since ?? earlier?.since]
    const isNew = receiver !== null && receiver !== (earlier ? findReceiver(earlier) : null)
    return isNew && typeof since === 'number' ? [{ ...ticket, receiver, since }] : []
  })
  const overtaken = given.flatMap(({ id, receiver, since, priority, userId }) =>
    waitsOn
      .filter((older) => older.priority === priority && (older.since as number) < since)
      .filter((older) => !older.offer?.passedUserIds.includes(receiver))
      .map(
        (older) =>
          `ticket ${id} was ${userId === null ? 'offered' : 'assigned'} to user ${receiver} while the older ticket ${older.id} waited`,
      ),
  )
  return [
    ...full.map(([userId, { length }]) => `user ${userId} has ${length} of ${capacity} tickets`),
    ...askedAgain.map(({ id, offer }) => `user ${offer?.userId} is asked again about ticket ${id}`),
    ...overtaken,
  ]
}

/** Looks at the queue again and again, and collects what must not be. */
export function watchRouting(db: pg.Pool, companyId: number, queueId: number, capacity: number) {
  const faults = new Set<string>()
  let isOpen = true
  let before: RoutedTicket[] | null = null
  /** When each wait was seen first. */
  const seenAt = new Map<string, number>()
  const waitKey = ({ id, since }: RoutedTicket) => `${id} ${since}`
  const isSettled = (ticket: RoutedTicket) =>
    performance.now() - (seenAt.get(waitKey(ticket)) ?? performance.now()) > settleMs
  async function look(): Promise<RoutedTicket[] | null> {
    const text = `select t.id, case when t.status = 'open' then t."userId" end as "userId", t.priority,
        extract(epoch from t."routableSince")::float8 as since,
        case when o."ticketId" is not null then json_build_object(
          'userId', o."userId", 'passedUserIds', o."passedUserIds", 'dueAt', o."dueAt") end as offer
      from tickets t
      left join "ticketOffers" o on o."companyId" = t."companyId" and o."ticketId" = t.id
      where t."companyId" = $1 and t."queueId" = $2 and (t.status = 'open' or t."routableSince" is not null)`
    // While the database is down there is nothing to compare.
    return db.query<RoutedTicket>(text, [companyId, queueId]).then(
      ({ rows }) => rows,
      () => null,
    )
  }
  const watching = (async () => {
    for (; isOpen; await pause(lookEveryMs)) {
      const now = await look()
      if (before && now) for (const fault of compareRoutingLooks(before, now, capacity, isSettled)) faults.add(fault)
      for (const ticket of now ?? []) if (!seenAt.has(waitKey(ticket))) seenAt.set(waitKey(ticket), performance.now())
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
