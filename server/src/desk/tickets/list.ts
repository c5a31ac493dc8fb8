import type { Reply } from '@recado/contract/endpoint'
import { can } from '@recado/contract/rules'
import { ticketStatuses } from '@recado/contract/ticket-statuses'
import type { SearchHit, TicketQuery, ticketsApi } from '@recado/contract/tickets'
import { canLeadQueues, canSeeAllTickets } from '@recado/contract/visibility'
import { type RawBuilder, sql } from 'kysely'
import { loadCompanyTimeZone } from '../../accounts/settings.ts'
import { hideIdFromPlanner, hideIdsFromPlanner, keepPrepared, literalLimit } from '../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { SerializedReply } from '../../kernel/http/routes.ts'
import { selectView } from '../ticket-views/select-view.ts'
import { findView } from '../ticket-views/views.ts'
import { indexPathsTo, type TicketSelection, ticketOrders, walkIndexPathsSql } from './base/index-paths.ts'
import { canSeeTicketSql, currentViewer, type Viewer } from './base/visibility.ts'
import { type CardPage, listLegacyBoardCards, listTicketCards } from './cards.ts'
import { searchTickets } from './search.ts'
import { makeSearchHit } from './search-hits.ts'
import { tallySumSql, ticketTalliesSql } from './ticket-tallies.ts'
import { listViewPage } from './view-page.ts'

export const ticketsPerPage = 40
/** Counting stops after this many pages, because the badges show the totals. */
const maxPagesCounted = 5
type TicketListReply = SerializedReply<Reply<typeof ticketsApi.list>>

/** A page of tickets that the user may see. */
export async function listTickets(scope: Scope, query: TicketQuery): Promise<TicketListReply> {
  const viewer = currentViewer(scope)
  if (!viewer) return finishList([], 0)
  const view = query.viewId ? await findView(scope, viewer, query.viewId) : null
  const order = view?.order ?? toIndexedOrder(query)
  const end = query.pageNumber * ticketsPerPage + 1
  if (view && !query.searchParam) {
    const page = { order, limit: ticketsPerPage + 1, offset: end - ticketsPerPage - 1 }
    const { cards, count } = await listViewPage(scope, viewer, view, page)
    return finishList(
      cards.map(({ text }) => text),
      count,
    )
  }
  const page = {
    ...(await (view ? selectView(scope, viewer, view, { order, end }) : selectTickets(scope, viewer, query))),
    order: ticketOrders[order],
    limit: ticketsPerPage + 1,
    offset: (query.pageNumber - 1) * ticketsPerPage,
  }
  if (query.searchParam) return searchList(scope, query.searchParam, page)
  const { cards, count } = await listTicketCards(scope, {
    ...page,
    maxCount: page.offset + maxPagesCounted * ticketsPerPage,
  })
  return finishList(
    cards.map(({ text }) => text),
    count,
  )
}

/** The ids of all tickets of a list, newest first, up to a limit. */
export async function listTicketIds(
  scope: Scope,
  filter: Omit<TicketQuery, 'searchParam' | 'pageNumber' | 'order'>,
  limit: number,
): Promise<number[]> {
  const viewer = currentViewer(scope)
  if (!viewer) return []
  const view = filter.viewId ? await findView(scope, viewer, filter.viewId) : null
  const order = ticketOrders[!view && filter.snoozed === 'only' ? 'snoozed' : 'newest']
  const selection = await (view
    ? selectView(scope, viewer, view, { order: 'newest', end: limit })
    : selectTickets(scope, viewer, filter))
  const { rows } = await sql<{ id: number }>`
    select t.id from (${walkIndexPathsSql({ ...selection, order }, limit)}) t order by ${order.exact} ${literalLimit(limit)}`.execute(
    scope.db,
  )
  return rows.map(({ id }) => id)
}

/** The index by priority has no closed tickets: lists with closed ones are sorted by their last change. */
const toIndexedOrder = ({ order, status, snoozed }: TicketQuery): keyof typeof ticketOrders =>
  snoozed === 'only' ? 'snoozed' : order === 'priority' && status !== 'open' && status !== 'pending' ? 'newest' : order

/** Removes the extra row, which was read only to find out whether there are more. */
const finishList = (texts: string[], count: number): TicketListReply =>
  new SerializedReply(
    `{"tickets":[${texts.slice(0, ticketsPerPage).join()}],"count":${count},"hasMore":${texts.length > ticketsPerPage}}`,
  )

type TicketFilter = Partial<TicketQuery> & Pick<TicketQuery, 'showAll' | 'withUnreadMessages'>

/** The filter applies to any status: the index paths select the requested status. */
async function selectTickets(scope: Scope, viewer: Viewer, q: TicketFilter): Promise<TicketSelection> {
  // Which index is best for a day or a tag depends on the company and the day: such a list is planned at each call.
  const isPlannedByValues = Boolean(q.date || q.updatedAt || q.tags?.length)
  const all: RawBuilder<unknown>[] = [
    sql`t."companyId" = ${isPlannedByValues ? sql`${scope.companyId}::int` : hideIdFromPlanner(scope.companyId)}`,
    canSeeTicketSql(viewer),
  ]
  if (q.date) all.push(onDaySql(sql`t."createdAt"`, await dayBounds(scope, q.date)))
  if (q.updatedAt) all.push(changedOnSql(await dayBounds(scope, q.updatedAt)))
  if (q.withUnreadMessages) {
    const indexPaths = indexPathsTo(viewer, { statuses: ['pending', 'open'], includesOtherAgents: false })
    return { filter: sql.join([...all, isUnreadForSql(viewer)], sql` and `), indexPaths, isPlannedByValues }
  }
  // Without "show all", open tickets are only one's own; pending and closed tickets belong to the queue. "Show
  // all" for open tickets is for users who lead: admins get all of them, supervisors those in their queues.
  const includesOthers = Boolean(q.searchParam) || (q.showAll && (q.status !== 'open' || canLeadQueues(viewer)))
  if (!includesOthers && (q.status ?? 'open') === 'open')
    all.push(sql`(t."userId" = ${hideIdFromPlanner(viewer.id)} or t.status <> 'open')`)
  if (q.queueIds) all.push(inQueuesSql(q.queueIds))
  const users = can(viewer, 'tickets-manager:showall') && q.users?.length ? q.users : undefined
  if (users) all.push(sql`((t."userId" = any(${hideIdsFromPlanner(users)})) is true)`)
  if (q.tags?.length) all.push(hasAllTagsSql(scope, q.tags))
  if (q.snoozed) all.push(q.snoozed === 'only' ? sql`t."snoozedAt" is not null` : sql`t."snoozedAt" is null`)
  if (q.ads?.length) all.push(sql`((t."adId" = any(${hideIdsFromPlanner(q.ads)})) is true)`)
  if (q.searchParam && q.status) all.push(sql`t.status = ${sql.lit(q.status)}`)
  // The company's snoozed tickets are few, and they have an index of their own.
  if (q.snoozed === 'only') {
    const ofStatus = q.status ? sql` and t.status = ${sql.lit(q.status)}` : sql``
    const indexPaths = [{ where: sql`t."snoozedAt" is not null${ofStatus}` }]
    return { filter: sql.join(all, sql` and `), indexPaths, isPlannedByValues }
  }
  const statuses = q.status ? [q.status] : ticketStatuses
  const indexPaths = indexPathsTo(viewer, {
    statuses,
    includesOtherAgents: includesOthers,
    queueIds: q.queueIds,
    users,
  })
  return { filter: sql.join(all, sql` and `), indexPaths, isPlannedByValues }
}

/** `is true` keeps the planner from using an index for this condition, as in `canSeeTicketSql`. */
const inQueuesSql = (ids: number[]) =>
  sql<boolean>`((t."queueId" is null or t."queueId" = any(${hideIdsFromPlanner(ids)})) is true)`

/** Tickets that have all of these tags. */
export const hasAllTagsSql = (scope: Scope, tags: number[]) => sql`t.id in (
    select x."ticketId" from "ticketTags" x where x."companyId" = ${hideIdFromPlanner(scope.companyId)} and x."tagId" = any(${tags}::int[])
    group by x."ticketId" having count(*) = ${new Set(tags).size})`

/** Tickets that cause a notification: unread, not snoozed, and one's own or unassigned. Supervisors see others without a notification. */
const isUnreadForSql = (viewer: Viewer): RawBuilder<unknown> =>
  sql`t."unreadMessages" > 0 and t."snoozedAt" is null and (t.status = 'pending' or (t.status = 'open' and t."userId" = ${hideIdFromPlanner(viewer.id)}))`

type DayBounds = { start: RawBuilder<unknown>; end: RawBuilder<unknown> }
async function dayBounds(scope: Scope, day: string): Promise<DayBounds> {
  const zone = await loadCompanyTimeZone(scope)
  const midnight = (date: RawBuilder<unknown>) => sql`((${date})::timestamp at time zone ${zone})`
  return { start: midnight(sql`${day}::date`), end: midnight(sql`${day}::date + 1`) }
}
const onDaySql = (column: RawBuilder<unknown>, { start, end }: DayBounds) =>
  sql`(${column} >= ${start} and ${column} < ${end})`

/** Compares the indexed minute first, then the exact time. */
function changedOnSql(day: DayBounds): RawBuilder<unknown> {
  const minute = (at: RawBuilder<unknown>) => sql`floor(extract(epoch from ${at}) / 60)::int`
  const minutes = sql`t."updatedMinute" between ${minute(day.start)} and ${minute(day.end)}`
  return sql`${minutes} and ${onDaySql(sql`t."updatedAt"`, day)}`
}

/** Searches among the tickets that the user may see. */
async function searchList(scope: Scope, words: string, page: CardPage & TicketSelection): Promise<TicketListReply> {
  const { cards, count } = await searchTickets(scope, words, page)
  return finishList(
    cards.map(({ text, hit }) => (hit ? withHit(text, makeSearchHit(hit, words)) : text)),
    count,
  )
}

/** Appends the hit to the JSON text of a ticket. */
const withHit = (text: string, hit: SearchHit): string => `${text.slice(0, -1)},"hit":${JSON.stringify(hit)}}`

/** Maximum number of cards on the board; nobody moves more cards by hand. */
const boardLimit = 500

export async function listKanban(
  scope: Scope,
  q: { queueIds?: number[] | undefined; showAll: boolean },
): Promise<SerializedReply<Reply<typeof ticketsApi.kanban>>> {
  const viewer = currentViewer(scope)
  if (!viewer) return finishBoard([])
  // Other users see all tickets on the board that they may see; an admin may leave out tickets of others.
  const isAdmin = canSeeAllTickets(viewer)
  const includesOthers = q.showAll || !isAdmin
  // Older clients send the user's queues as of login, also for an admin: an empty list then means all.
  const queueIds = isAdmin && q.showAll && !q.queueIds?.length ? undefined : q.queueIds
  const all = [sql`t."companyId" = ${hideIdFromPlanner(scope.companyId)}`, canSeeTicketSql(viewer)]
  if (!includesOthers) all.push(sql`(t."userId" = ${hideIdFromPlanner(viewer.id)} or t.status = 'pending')`)
  if (queueIds) all.push(inQueuesSql(queueIds))
  const indexPaths = indexPathsTo(viewer, {
    statuses: ['open', 'pending'],
    includesOtherAgents: includesOthers,
    queueIds,
  })
  const page = {
    filter: sql.join(all, sql` and `),
    indexPaths: indexPaths,
    order: ticketOrders.newest,
    limit: boardLimit + 1,
    offset: 0,
  }
  return finishBoard((await listLegacyBoardCards(scope, page)).map(({ text }) => text))
}

function finishBoard(texts: string[]): SerializedReply<Reply<typeof ticketsApi.kanban>> {
  const shown = texts.slice(0, boardLimit)
  return new SerializedReply(
    `{"tickets":[${shown.join()}],"count":${shown.length},"hasMore":${texts.length > boardLimit}}`,
  )
}

const zeroCounts = { open: 0, pending: 0, unread: 0, snoozed: 0 }

export async function countTickets(scope: Scope, q: { showAll: boolean; queueIds?: number[] | undefined }) {
  const viewer = currentViewer(scope)
  if (!viewer) return zeroCounts
  const of = async (status: 'open' | 'pending', snoozed: 'only' | 'without') => {
    const { filter } = await selectTickets(scope, viewer, { ...q, status, snoozed, withUnreadMessages: false })
    return sql`t.status = ${sql.lit(status)} and ${filter}`
  }
  const unread = await selectTickets(scope, viewer, { ...q, withUnreadMessages: true })
  const snoozed = sql`((${await of('open', 'only')}) or (${await of('pending', 'only')}))`
  const { rows } = await sql<typeof zeroCounts>`${keepPrepared}
    select ${tallySumSql(await of('open', 'without'))} as open, ${tallySumSql(await of('pending', 'without'))} as pending,
      ${tallySumSql(unread.filter)} as unread, ${tallySumSql(snoozed)} as snoozed
    from ${ticketTalliesSql(scope)}`.execute(scope.db)
  return rows[0] ?? zeroCounts
}
