import { leads, seesAll } from '@recado/contract/sight'
import type { TicketStatus } from '@recado/contract/ticket-statuses'
import { type RawBuilder, sql } from 'kysely'
import { pageEnd, unseen, unseenAll } from '../../kernel/data/hot.ts'
import type { Viewer } from './visibility.ts'

/**
 * Tickets met along one index, in order: `where`, for each row of `over` if there is one. `new` are those that no way
 * before it leads to. `t` is the ticket.
 */
export type Way = { over?: RawBuilder<unknown>; where: RawBuilder<unknown>; new?: RawBuilder<unknown> }

type Wish = {
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
export function waysTo(viewer: Viewer, { statuses, wide, queueIds, users }: Wish): Way[] {
  const admin = seesAll(viewer)
  if (users) return along(statuses, { where: sql`t."userId" = users.id`, over: each('users', users) })
  const theirs = statuses.filter((status) => status !== 'open' || (wide && leads(viewer)))
  const rest = statuses.filter((status) => !theirs.includes(status))
  const own = along(admin ? rest : statuses, { where: sql`t."userId" = ${unseen(viewer.id)}` })
  if (admin && !queueIds) return [...own, ...along(theirs, { where: sql`true` })]
  const queues = admin ? (queueIds ?? []) : viewer.queueIds.filter((id) => queueIds?.includes(id) ?? true)
  const loose = theirs.filter((status) => admin || (viewer.allTicket && status === 'pending'))
  // An admin's own way and these have no status in common.
  const notOwn = admin ? {} : { new: sql`t."userId" is distinct from ${unseen(viewer.id)}` }
  // Older clients name every queue where they mean all: then one way leads there, and the others are not begun.
  const every = admin ? everyQueue(viewer, queues) : undefined
  const few = every ? sql` and not ${every}` : sql``
  return [
    ...own,
    ...(every ? along(theirs, { where: every }) : []),
    ...(queues.length
      ? along(theirs, { where: sql`t."queueId" = queues.id${few}`, over: each('queues', queues), ...notOwn })
      : []),
    ...along(loose, { where: sql`t."queueId" is null${few}`, ...notOwn }),
  ]
}

/** Whether these are all that the company has, found out once for a statement. */
const everyQueue = ({ companyId }: Viewer, ids: number[]) => sql<boolean>`(select not exists (
  select 1 from queues e where e."companyId" = ${unseen(companyId)} and e.id <> all(${unseenAll(ids)})))`

/**
 * Written out, for the planner counts them: of a list that it does not know it believes ten. Filled up with nobody to
 * the next power of two, so that few texts serve for all: each of them is kept.
 */
function each(name: 'users' | 'queues', ids: number[]): RawBuilder<unknown> {
  const rows = [...new Set(ids)].map((id) => sql`(${unseen(id)})`)
  while (rows.length & (rows.length - 1)) rows.push(sql`(null::int)`)
  return sql`(values ${sql.join(rows)}) as ${sql.raw(name)}(id)`
}

const along = (statuses: readonly TicketStatus[], way: Way): Way[] =>
  statuses.map((status) => ({ ...way, where: sql`${way.where} and t.status = ${sql.lit(status)}` }))

/** The one that leads to all of them, as a condition. */
export const onlyWay = ([way, ...more]: Way[]): RawBuilder<unknown> | undefined =>
  more.length || way?.over ? undefined : way?.where

/** Which tickets are wanted, and the ways to them. */
export type Wanted = { ways: Way[]; filter: RawBuilder<unknown> }

/** As many of each way as are wanted in all: their ids, what they are ordered by and `also`, none twice. */
export function met(
  o: Wanted & { order: RawBuilder<unknown>; also?: RawBuilder<unknown> },
  most: number,
): RawBuilder<unknown> {
  const also = o.also ? sql`, ${o.also}` : sql``
  const walks = o.ways.map(({ over, where }) => {
    const walk = sql`select t.id, t."updatedMinute", t."updatedAt", t."waitingSince"${also} from tickets t
      where ${o.filter} and ${where} order by ${o.order} ${pageEnd(most)}`
    return over ? sql`(select t.* from ${over} cross join lateral (${walk}) t)` : sql`(${walk})`
  })
  return sql.join(walks, sql` union `)
}

/** How many there are, up to a bound: one way after the other until it is reached. */
export function counted({ ways, filter }: Wanted, most: number): RawBuilder<number> {
  const walks = ways.map((way) => {
    const walk = sql`select 1 from tickets t where ${filter} and ${way.where}${way.new ? sql` and ${way.new}` : sql``}`
    return way.over ? sql`select 1 from ${way.over} cross join lateral (${walk} ${pageEnd(most)}) t` : walk
  })
  return sql<number>`(select count(*) from (${sql.join(walks, sql` union all `)} ${pageEnd(most)}) x)`
}
