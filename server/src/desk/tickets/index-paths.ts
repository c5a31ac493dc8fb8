import type { TicketStatus } from '@recado/contract/ticket-statuses'
import { canLeadQueues, canSeeAllTickets } from '@recado/contract/visibility'
import { type RawBuilder, sql } from 'kysely'
import { hideIdFromPlanner, hideIdsFromPlanner, literalLimit } from '../../kernel/data/keep-prepared.ts'
import type { Viewer } from './visibility.ts'

/**
 * Tickets met along one index, in order: `where`, for each row of `over` if there is one. `new` are those that no way
 * before it leads to. `t` is the ticket.
 */
export type IndexPath = { over?: RawBuilder<unknown>; where: RawBuilder<unknown>; new?: RawBuilder<unknown> }

type PathRequest = {
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
export function indexPathsTo(viewer: Viewer, { statuses, wide, queueIds, users }: PathRequest): IndexPath[] {
  const admin = canSeeAllTickets(viewer)
  if (users) return pathPerStatus(statuses, { where: sql`t."userId" = users.id`, over: idValuesSql('users', users) })
  const theirs = statuses.filter((status) => status !== 'open' || (wide && canLeadQueues(viewer)))
  const rest = statuses.filter((status) => !theirs.includes(status))
  const own = pathPerStatus(admin ? rest : statuses, { where: sql`t."userId" = ${hideIdFromPlanner(viewer.id)}` })
  if (admin && !queueIds) return [...own, ...pathPerStatus(theirs, { where: sql`true` })]
  const queues = admin ? (queueIds ?? []) : viewer.queueIds.filter((id) => queueIds?.includes(id) ?? true)
  const loose = theirs.filter((status) => admin || (viewer.allTicket && status === 'pending'))
  // An admin's own way and these have no status in common.
  const notOwn = admin ? {} : { new: sql`t."userId" is distinct from ${hideIdFromPlanner(viewer.id)}` }
  // Older clients name every queue where they mean all: then one way leads there, and the others are not begun.
  const every = admin ? isEveryQueueSql(viewer, queues) : undefined
  const few = every ? sql` and not ${every}` : sql``
  return [
    ...own,
    ...(every ? pathPerStatus(theirs, { where: every }) : []),
    ...(queues.length
      ? pathPerStatus(theirs, {
          where: sql`t."queueId" = queues.id${few}`,
          over: idValuesSql('queues', queues),
          ...notOwn,
        })
      : []),
    ...pathPerStatus(loose, { where: sql`t."queueId" is null${few}`, ...notOwn }),
  ]
}

/** Whether these are all that the company has, found out once for a statement. */
const isEveryQueueSql = ({ companyId }: Viewer, ids: number[]) => sql<boolean>`(select not exists (
  select 1 from queues e where e."companyId" = ${hideIdFromPlanner(companyId)} and e.id <> all(${hideIdsFromPlanner(ids)})))`

/**
 * Written out, for the planner counts them: of a list that it does not know it believes ten. Filled up with nobody to
 * the next power of two, so that few texts serve for all: each of them is kept.
 */
function idValuesSql(name: 'users' | 'queues', ids: number[]): RawBuilder<unknown> {
  const rows = [...new Set(ids)].map((id) => sql`(${hideIdFromPlanner(id)})`)
  while (rows.length & (rows.length - 1)) rows.push(sql`(null::int)`)
  return sql`(values ${sql.join(rows)}) as ${sql.raw(name)}(id)`
}

const pathPerStatus = (statuses: readonly TicketStatus[], way: IndexPath): IndexPath[] =>
  statuses.map((status) => ({ ...way, where: sql`${way.where} and t.status = ${sql.lit(status)}` }))

/** The one that leads to all of them, as a condition. */
export const singlePathCondition = ([way, ...more]: IndexPath[]): RawBuilder<unknown> | undefined =>
  more.length || way?.over ? undefined : way?.where

/** Which tickets are wanted, and the ways to them. */
export type TicketSelection = { ways: IndexPath[]; filter: RawBuilder<unknown> }

/** As many of each way as are wanted in all: their ids, what they are ordered by and `also`, none twice. */
export function walkIndexPathsSql(
  o: TicketSelection & { order: RawBuilder<unknown>; also?: RawBuilder<unknown> },
  most: number,
): RawBuilder<unknown> {
  const also = o.also ? sql`, ${o.also}` : sql``
  const walks = o.ways.map(({ over, where }) => {
    const walk = sql`select t.id, t."updatedMinute", t."updatedAt", t."waitingSince"${also} from tickets t
      where ${o.filter} and ${where} order by ${o.order} ${literalLimit(most)}`
    return over ? sql`(select t.* from ${over} cross join lateral (${walk}) t)` : sql`(${walk})`
  })
  return sql.join(walks, sql` union `)
}

/** How many there are, up to a bound: one way after the other until it is reached. */
export function countAlongPathsSql({ ways, filter }: TicketSelection, most: number): RawBuilder<number> {
  const walks = ways.map((way) => {
    const walk = sql`select 1 from tickets t where ${filter} and ${way.where}${way.new ? sql` and ${way.new}` : sql``}`
    return way.over ? sql`select 1 from ${way.over} cross join lateral (${walk} ${literalLimit(most)}) t` : walk
  })
  return sql<number>`(select count(*) from (${sql.join(walks, sql` union all `)} ${literalLimit(most)}) x)`
}
