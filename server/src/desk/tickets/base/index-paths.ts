import type { TicketStatus } from '@recado/contract/ticket-statuses'
import { canLeadQueues, canSeeAllTickets } from '@recado/contract/visibility'
import { type RawBuilder, sql } from 'kysely'
import { hideIdFromPlanner, hideIdsFromPlanner, literalLimit } from '../../../kernel/data/keep-prepared.ts'
import type { Viewer } from './visibility.ts'

/**
 * An index path: tickets found in the order of one index. `where` is its condition, with this status if set, for each
 * row of `over` if set. `new` excludes tickets that an earlier path found. `t` is the ticket.
 */
export type IndexPath = {
  over?: RawBuilder<unknown>
  where: RawBuilder<unknown>
  status?: TicketStatus
  new?: RawBuilder<unknown>
}

type PathRequest = {
  statuses: readonly TicketStatus[]
  /** Whether open tickets of other agents are included. */
  includesOtherAgents: boolean
  queueIds?: number[] | undefined
  users?: number[] | undefined
}

/**
 * The index paths for a query: one's own tickets, each of one's queues, tickets without a queue. One condition
 * with "or" would scan every ticket of the company for the few that match. A path only finds candidates: the
 * filter of every list decides who may see them (see visibility.ts).
 */
export function indexPathsTo(
  viewer: Viewer,
  { statuses, includesOtherAgents: wide, queueIds, users }: PathRequest,
): IndexPath[] {
  const admin = canSeeAllTickets(viewer)
  if (users) return pathPerStatus(statuses, { where: sql`t."userId" = users.id`, over: idValuesSql('users', users) })
  const sharedStatuses = statuses.filter((status) => status !== 'open' || (wide && canLeadQueues(viewer)))
  const rest = statuses.filter((status) => !sharedStatuses.includes(status))
  const own = pathPerStatus(admin ? rest : statuses, { where: sql`t."userId" = ${hideIdFromPlanner(viewer.id)}` })
  if (admin && !queueIds) return [...own, ...pathPerStatus(sharedStatuses, { where: sql`true` })]
  const queues = admin ? (queueIds ?? []) : viewer.queueIds.filter((id) => queueIds?.includes(id) ?? true)
  const loose = sharedStatuses.filter((status) => admin || (viewer.allTicket && status === 'pending'))
  // An admin's own path and these paths have no status in common, so they find no ticket twice.
  const notOwn = admin ? {} : { new: sql`t."userId" is distinct from ${hideIdFromPlanner(viewer.id)}` }
  // Older clients list every queue to request all: then one path covers all queues, and the others are skipped.
  const every = admin ? isEveryQueueSql(viewer, queues) : undefined
  const few = every ? sql` and not ${every}` : sql``
  return [
    ...own,
    ...(every ? pathPerStatus(sharedStatuses, { where: every }) : []),
    ...(queues.length
      ? pathPerStatus(sharedStatuses, {
          where: sql`t."queueId" = queues.id${few}`,
          over: idValuesSql('queues', queues),
          ...notOwn,
        })
      : []),
    ...pathPerStatus(loose, { where: sql`t."queueId" is null${few}`, ...notOwn }),
  ]
}

/** Whether these are all queues of the company, evaluated once per statement. */
const isEveryQueueSql = ({ companyId }: Viewer, ids: number[]) => sql<boolean>`(select not exists (
  select 1 from queues e where e."companyId" = ${hideIdFromPlanner(companyId)} and e.id <> all(${hideIdsFromPlanner(ids)})))`

/**
 * The ids as a list of values, because the planner counts them: for an unknown list it assumes ten. The list is padded
 * to the next power of two, so that a few statement texts, each of which is cached, serve all queries.
 */
function idValuesSql(name: 'users' | 'queues', ids: number[]): RawBuilder<unknown> {
  const rows = [...new Set(ids)].map((id) => sql`(${hideIdFromPlanner(id)})`)
  while (rows.length & (rows.length - 1)) rows.push(sql`(null::int)`)
  return sql`(values ${sql.join(rows)}) as ${sql.raw(name)}(id)`
}

const pathPerStatus = (statuses: readonly TicketStatus[], indexPath: IndexPath): IndexPath[] =>
  statuses.map((status) => ({ ...indexPath, status }))

/** The only path, if there is one and it needs no list of values. */
export const singlePath = ([indexPath, ...more]: IndexPath[]): IndexPath | undefined =>
  more.length || indexPath?.over ? undefined : indexPath

const pathConditionSql = ({ where, status }: IndexPath): RawBuilder<unknown> =>
  status ? sql`${where} and t.status = ${sql.lit(status)}` : where

/**
 * The order of a list. `walk` is the order of an index, and `exact` decides between rows that are equal in it. Rows are
 * read in the index's own order, including all rows that tie with the last, so that the planner never prefers to
 * collect and sort all rows of the company. The planner knows only the average company, for which sorting would be as
 * fast.
 */
export type TicketOrder = { walk: RawBuilder<unknown>; exact: RawBuilder<unknown>; hasPartialIndex?: boolean }
export const ticketOrders = {
  // The indexed minute (see "updatedMinute" in the migrations).
  newest: { walk: sql`t."updatedMinute" desc`, exact: sql`t."updatedMinute" desc, t."updatedAt" desc, t.id desc` },
  oldest: { walk: sql`t."updatedMinute"`, exact: sql`t."updatedMinute", t."updatedAt", t.id` },
  // The index ends with the id, so no rows tie.
  priority: {
    walk: sql`t.priority, t."waitingSince", t.id`,
    exact: sql`t.priority, t."waitingSince", t.id`,
    hasPartialIndex: true,
  },
  /** Soonest return first; last, those that wait for the customer. Only along the path to snoozed tickets. */
  snoozed: {
    walk: sql`t."snoozedUntil", t.id`,
    exact: sql`t."snoozedUntil", t.id`,
    hasPartialIndex: true,
  },
  waiting: { walk: sql`t."waitingSince"`, exact: sql`t."waitingSince", t.id`, hasPartialIndex: true },
} satisfies Record<string, TicketOrder>

/**
 * Reads the tickets of one index path in order. The status is hidden from the planner if the index has all statuses:
 * otherwise it may use the smaller index of open and pending tickets, which has another order.
 */
export function walkPathSql(
  columns: RawBuilder<unknown>,
  path: IndexPath,
  o: { filter: RawBuilder<unknown>; order: TicketOrder },
  limit: number,
): RawBuilder<unknown> {
  const condition =
    path.status && !o.order.hasPartialIndex
      ? sql`${path.where} and t.status = (select ${sql.lit(path.status)})`
      : pathConditionSql(path)
  return sql`select ${columns} from tickets t where ${o.filter} and ${condition}
    order by ${o.order.walk} fetch first ${sql.lit(limit)} rows with ties`
}

/**
 * A filter, and the index paths that find its candidates. `isPlannedByValues`: no single plan is good for all values,
 * so each call is planned.
 */
export type TicketSelection = { indexPaths: IndexPath[]; filter: RawBuilder<unknown>; isPlannedByValues?: boolean }

/**
 * Reads from each index path at least as many rows as the whole page needs: ids, sort columns and `also`, without
 * duplicates.
 */
export function walkIndexPathsSql(
  o: TicketSelection & { order: TicketOrder; also?: RawBuilder<unknown> },
  limit: number,
): RawBuilder<unknown> {
  const also = o.also ? sql`, ${o.also}` : sql``
  const columns = sql`t.id, t."updatedMinute", t."updatedAt", t.priority, t."waitingSince", t."snoozedUntil"${also}`
  const walks = o.indexPaths.map((path) => {
    const { over } = path
    const walk = walkPathSql(columns, path, o, limit)
    return over ? sql`(select t.* from ${over} cross join lateral (${walk}) t)` : sql`(${walk})`
  })
  return sql.join(walks, sql` union `)
}

/** Counts up to a limit: one index path after another until the limit is reached. */
export function countAlongPathsSql({ indexPaths, filter }: TicketSelection, limit: number): RawBuilder<number> {
  const walks = indexPaths.map((indexPath) => {
    const walk = sql`select 1 from tickets t where ${filter} and ${pathConditionSql(indexPath)}${indexPath.new ? sql` and ${indexPath.new}` : sql``}`
    return indexPath.over
      ? sql`select 1 from ${indexPath.over} cross join lateral (${walk} ${literalLimit(limit)}) t`
      : walk
  })
  return sql<number>`(select count(*) from (${sql.join(walks, sql` union all `)} ${literalLimit(limit)}) x)`
}
