import type { TicketStatus } from '@recado/contract/ticket-statuses'
import { type RawBuilder, sql } from 'kysely'
import { pageEnd } from '../../kernel/hot.ts'
import type { Viewer } from './visibility.ts'

/** Tickets met along one index, in order: `where`, for each row of `over` if there is one. `t` is the ticket. */
export type Way = { over?: RawBuilder<unknown>; where: RawBuilder<unknown> }

type Wanted = {
  statuses: readonly TicketStatus[]
  /** What others have open, too. */
  wide: boolean
  queueIds?: number[] | undefined
  users?: number[] | undefined
}

/**
 * Where to look for what somebody wants to see: among their own, in each of their queues, in what has none. One
 * condition with "or" would lead past every ticket of the company to the few that are theirs. A way only leads there:
 * who may see it is decided by the filter that every list has (see visibility.ts).
 */
export function waysTo(viewer: Viewer, { statuses, wide, queueIds, users }: Wanted): Way[] {
  const admin = viewer.profile === 'admin'
  if (users) return along(statuses, sql`t."userId" = users.id`, each('users', users))
  const own = sql`t."userId" = ${viewer.id}`
  const theirs = statuses.filter((status) => status !== 'open' || (wide && viewer.profile !== 'user'))
  const rest = statuses.filter((status) => !theirs.includes(status))
  if (admin && !queueIds) return [...along(rest, own), ...along(theirs, sql`true`)]
  const queues = admin ? (queueIds ?? []) : viewer.queueIds.filter((id) => queueIds?.includes(id) ?? true)
  const loose = theirs.filter((status) => admin || (viewer.allTicket && status === 'pending'))
  return [
    ...along(admin ? rest : statuses, own),
    ...(queues.length ? along(theirs, sql`t."queueId" = queues.id`, each('queues', queues)) : []),
    ...along(loose, sql`t."queueId" is null`),
  ]
}

const each = (name: 'users' | 'queues', ids: number[]) => sql`unnest(${ids}::int[]) as ${sql.raw(name)}(id)`

function along(statuses: readonly TicketStatus[], where: RawBuilder<unknown>, over?: RawBuilder<unknown>): Way[] {
  return statuses.map((status) => ({ ...(over && { over }), where: sql`${where} and t.status = ${status}` }))
}

/** The one that leads to all of them, as a condition. */
export const onlyWay = ([way, ...more]: Way[]): RawBuilder<unknown> | undefined =>
  more.length || way?.over ? undefined : way?.where

/** As many of each way as are wanted in all: their ids and what they are ordered by, none twice. */
export function met(
  o: { ways: Way[]; filter: RawBuilder<unknown>; order: RawBuilder<unknown> },
  most: number,
): RawBuilder<unknown> {
  const walks = o.ways.map(({ over, where }) => {
    const walk = sql`select t.id, t."updatedMinute", t."updatedAt" from tickets t
      where ${o.filter} and ${where} order by ${o.order} ${pageEnd(most)}`
    return over ? sql`(select t.* from ${over} cross join lateral (${walk}) t)` : sql`(${walk})`
  })
  return sql.join(walks, sql` union `)
}
