import { type BoardQuery, boardApi } from '@recado/contract/board/board'
import type { Reply } from '@recado/contract/endpoint'
import { fold } from '@recado/contract/text/fold'
import type { TicketDetail } from '@recado/contract/tickets'
import { canSeeAllTickets } from '@recado/contract/visibility'
import { type RawBuilder, sql } from 'kysely'
import { findLane, listLanes } from '../../directory/lanes.ts'
import { hideIdFromPlanner, hideIdsFromPlanner, keepPrepared, literalLimit } from '../../kernel/data/keep-prepared.ts'
import { likePattern } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { route, SerializedReply } from '../../kernel/http/routes.ts'
import {
  countAlongPathsSql,
  type IndexPath,
  indexPathsTo,
  type TicketSelection,
  ticketOrders,
  walkIndexPathsSql,
} from './base/index-paths.ts'
import { canSeeTicketSql, currentViewer, type Viewer } from './base/visibility.ts'
import { cardStampJoins, cardStampSql, joinTicketsSql, loadCards } from './cards.ts'
import { hasAllTagsSql } from './list.ts'
import { changeTags, lockVisibleTicket } from './tags.ts'
import { tallySumSql, ticketTalliesSql } from './ticket-tallies.ts'

/** Cards of a lane per page, enough for two screens. More, times ten lanes, would dominate the first render. */
const pageSize = 12
/** Maximum number of open tickets on a board, the newest of each index path; no user moves more cards by hand. */
const maxTicketsOnBoard = 20_000

const newestFirst = ticketOrders.newest.exact

type LaneId = number | null

type BoardColumn = { count: number; cards: string[]; next: string | null }
/** A card with its sort position in microseconds, where the next page begins. */
type CardPosition = [id: number, stamp: string, laneId: LaneId, at: string]
const cursorSql = sql.raw(`(extract(epoch from t."updatedAt") * 1000000)::bigint::text`)
const cardPositionSql = sql`json_build_array(t.id, ${cardStampSql}, t."laneId", ${cursorSql})`

/** The query's filter, limited to tickets that the user may see, and its index paths. */
function selectBoardTickets(viewer: Viewer, q: BoardQuery, scope: Scope, lane?: LaneId): TicketSelection {
  const all: RawBuilder<unknown>[] = [
    sql`t."companyId" = ${hideIdFromPlanner(scope.companyId)} and ((t.status in ('open', 'pending')) is true)`,
    canSeeTicketSql(viewer),
  ]
  const queueIds = q.queueIds?.length ? q.queueIds : undefined
  const users = q.users?.length ? q.users : undefined
  if (queueIds) all.push(sql`((t."queueId" = any(${hideIdsFromPlanner(queueIds)})) is true)`)
  if (users) all.push(sql`((t."userId" = any(${hideIdsFromPlanner(users)})) is true)`)
  if (q.tags?.length) all.push(hasAllTagsSql(scope, q.tags))
  if (q.searchParam) all.push(matchesWordsSql(q.searchParam))
  if (lane !== undefined) all.push(inLaneSql(lane))
  const indexPaths =
    lane !== undefined && canSeeAllTickets(viewer) && !queueIds && !users
      ? activeStatuses.map((status) => lanePath(lane, status))
      : indexPathsTo(viewer, { statuses: activeStatuses, includesOtherAgents: true, queueIds, users })
  return { filter: sql.join(all, sql` and `), indexPaths: indexPaths }
}
const activeStatuses = ['open', 'pending'] as const
/**
 * `is true` keeps the planner from using an index for this condition, because index entries with null are not in order.
 */
const inLaneSql = (lane: LaneId) =>
  lane === null ? sql`((t."laneId" is null) is true)` : sql`t."laneId" = ${hideIdFromPlanner(lane)}`
/** The index path of a lane, which has its own index; cards in no lane are found among the newest tickets. */
const lanePath = (lane: LaneId, status: (typeof activeStatuses)[number]): IndexPath =>
  lane === null ? { where: sql`true`, status } : { where: sql`${inLaneSql(lane)} and t.status = ${sql.lit(status)}` }

/** The newest cards and the count of every lane, in one statement. */
async function loadColumns(scope: Scope, q: BoardQuery, lanes: LaneId[]): Promise<Map<LaneId, BoardColumn>> {
  const viewer = currentViewer(scope)
  if (!viewer) return new Map()
  const selection = selectBoardTickets(viewer, q, scope)
  const { placed, counts } = hasOwnIndex(viewer, q)
    ? lanesByIndex(scope, viewer, q, lanes)
    : lanesFromSelection(selection)
  // The limit removes no rows: it tells the planner how few rows are joined. Otherwise the planner would read all
  // contacts.
  const { rows } = await sql<{ page: CardPosition[] | null; counts: [LaneId, number][] | null }>`${keepPrepared}
    with ${placed}
    select (select json_agg(x.card) from (
        select ${cardPositionSql} as card from (
          select p.id, p.place from placed p where p.place <= ${sql.lit(pageSize + 1)} ${literalLimit(lanes.length * (pageSize + 1))}
        ) p
        ${joinTicketsSql(scope, sql`p.id`)} ${cardStampJoins} order by p.place
      ) x) as page,
      (select json_agg(json_build_array(c."laneId", c.n)) from (${counts}) c) as counts`.execute(scope.db)
  const page = rows[0]?.page ?? []
  const texts = await loadCardTexts(scope, page, selection.filter)
  const byLane = Map.groupBy(page, ([, , laneId]) => laneId)
  return new Map(
    (rows[0]?.counts ?? []).map(([laneId, count]) => [laneId, { count, ...toPage(byLane.get(laneId) ?? [], texts) }]),
  )
}

/** For a user who sees everything, each lane has its own index, and its count is stored (ticket-tallies.ts). */
const hasOwnIndex = (viewer: Viewer, q: BoardQuery): boolean =>
  canSeeAllTickets(viewer) && !q.queueIds?.length && !q.users?.length && hasTallies(q)
/** Whether a stored count exists for the filter; there is none for text and tags. */
const hasTallies = (q: BoardQuery): boolean => !q.tags?.length && !q.searchParam

function lanesByIndex(scope: Scope, viewer: Viewer, q: BoardQuery, lanes: LaneId[]) {
  const walks = lanes.map((lane) => {
    const one = walkIndexPathsSql(
      { ...selectBoardTickets(viewer, q, scope, lane), order: ticketOrders.newest },
      pageSize + 1,
    )
    return sql`(select t.id, row_number() over (order by ${newestFirst}) as place from (${one}) t
      order by ${newestFirst} ${literalLimit(pageSize + 1)})`
  })
  return {
    placed: sql`placed as materialized (${sql.join(walks, sql` union all `)})`,
    counts: sql`select t."laneId", sum(t.n)::int as n from ${ticketTalliesSql(scope)} group by t."laneId" having sum(t.n) > 0`,
  }
}

function lanesFromSelection(selection: TicketSelection) {
  const all = walkIndexPathsSql({ ...selection, order: ticketOrders.newest, also: sql`t."laneId"` }, maxTicketsOnBoard)
  return {
    placed: sql`living as materialized (${all}), placed as materialized (
      select t.id, row_number() over (partition by t."laneId" order by ${newestFirst}) as place from living t)`,
    counts: sql`select "laneId", count(*) as n from living group by "laneId"`,
  }
}

/** The next cards of one lane, read by its own index, whatever other lanes contain. */
async function loadLanePage(scope: Scope, q: BoardQuery, lane: LaneId, after: string): Promise<BoardColumn> {
  const viewer = currentViewer(scope)
  if (!viewer) return emptyColumn
  const selection = selectBoardTickets(viewer, q, scope, lane)
  const filter = after ? sql`${selection.filter} and ${afterCursorSql(after)}` : selection.filter
  const count = hasTallies(q)
    ? sql`(select ${tallySumSql(selection.filter)} from ${ticketTalliesSql(scope)})`
    : countAlongPathsSql(selection, maxTicketsOnBoard)
  const { rows } = await sql<{ page: CardPosition[] | null; count: number }>`${keepPrepared}
    select (select json_agg(x.card) from (
        select ${cardPositionSql} as card from (
          select t.id from (${walkIndexPathsSql({ filter, indexPaths: selection.indexPaths, order: ticketOrders.newest }, pageSize + 1)}) t
          order by ${newestFirst} ${literalLimit(pageSize + 1)}
        ) p
        ${joinTicketsSql(scope, sql`p.id`)} ${cardStampJoins} order by ${newestFirst}
      ) x) as page, ${count} as count`.execute(scope.db)
  const page = rows[0]?.page ?? []
  return { count: rows[0]?.count ?? 0, ...toPage(page, await loadCardTexts(scope, page, filter)) }
}

async function loadCardTexts(
  scope: Scope,
  page: CardPosition[],
  filter: RawBuilder<unknown>,
): Promise<Map<number, string>> {
  const rows = page.map(([id, stamp]) => ({ id, stamp }))
  return new Map((await loadCards(scope, rows, filter)).map(({ id, text }) => [id, text]))
}

/** Removes the extra row, which was read only to find out whether there are more. */
function toPage(found: CardPosition[], texts: Map<number, string>): Pick<BoardColumn, 'cards' | 'next'> {
  const page = found.slice(0, pageSize)
  const last = page.at(-1)
  return {
    next: last && found.length > pageSize ? `${last[3]}-${last[0]}` : null,
    cards: page.flatMap(([id]) => texts.get(id) ?? []),
  }
}
const columnText = (laneId: LaneId, { count, cards, next }: BoardColumn): string =>
  `{"laneId":${laneId},"count":${count},"cards":[${cards.join()}],"next":${JSON.stringify(next)}}`

function afterCursorSql(after: string): RawBuilder<unknown> {
  const [, at, id] = /^(\d{1,17})-(\d{1,9})$/.exec(after) ?? []
  if (!at) throw new AppError('ERR_VALIDATION')
  const then = sql`to_timestamp(0) + make_interval(secs => ${Number(at.slice(0, -6))}) + ${Number(at.slice(-6))} * interval '1 microsecond'`
  return sql`(t."updatedAt", t.id) < (${then}, ${Number(id)}::int)`
}

/** The fields that a browser can also match in a card (`mentions` there): name, phone number, number, last message. */
function matchesWordsSql(words: string): RawBuilder<unknown> {
  const pattern = likePattern(fold(words))
  const number = Number(/^#?(\d{1,9})$/.exec(words)?.[1] ?? 0)
  return sql`(t.number = ${number} or fold(t."lastMessage") like ${pattern} or exists (
    select 1 from contacts c where c."companyId" = t."companyId" and c.id = t."contactId" and c.search like ${pattern}))`
}

const emptyColumn: BoardColumn = { count: 0, cards: [], next: null }
const parseLane = (given: 'lane0' | number): LaneId => (given === 'lane0' ? null : given)

async function assertLaneExists(scope: Scope, id: LaneId): Promise<void> {
  if (id !== null) await findLane(scope, await listLanes(scope), id)
}

/** Replaces the board tag in one transaction. Of two concurrent moves, the later one determines the lane. */
async function moveCard(scope: Scope, id: number, to: LaneId, from?: LaneId): Promise<TicketDetail> {
  const before = await lockVisibleTicket(scope, id)
  if (from !== undefined && before.laneId !== from) throw new AppError('ERR_CARD_MOVED')
  await assertLaneExists(scope, to)
  if (before.laneId === to) return before
  return changeTags(scope, before, { remove: 'kanban', add: to === null ? [] : [to] }, { why: 'by-person' })
}

/** Choosing every queue means all tickets, as in the lists: then the lanes have indexes and counts of their own. */
async function withoutFullQueueList<Query extends BoardQuery>(scope: Scope, query: Query): Promise<Query> {
  if (!query.queueIds?.length) return query
  const other = await scope.db
    .selectFrom('queues')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', 'not in', query.queueIds)
    .limit(1)
    .executeTakeFirst()
  return other ? query : { ...query, queueIds: undefined }
}

export const boardRoutes = [
  route(boardApi.show, async (scope, { query: given }) => {
    const query = await withoutFullQueueList(scope, given)
    const lanes = await listLanes(scope)
    const ids = [null, ...lanes.map((lane) => lane.id)]
    const found = await loadColumns(scope, query, ids)
    const columns = ids.map((id) => columnText(id, found.get(id) ?? emptyColumn))
    const shown = JSON.stringify(boardApi.show.reply.shape.lanes.parse(lanes))
    return new SerializedReply<Reply<typeof boardApi.show>>(`{"lanes":${shown},"columns":[${columns.join()}]}`)
  }),
  route(boardApi.more, async (scope, { query: given }) => {
    const query = await withoutFullQueueList(scope, given)
    const laneId = parseLane(query.laneId)
    await assertLaneExists(scope, laneId)
    const text = columnText(laneId, await loadLanePage(scope, query, laneId, query.after))
    return new SerializedReply<Reply<typeof boardApi.more>>(text)
  }),
  route(boardApi.move, (scope, { params, body }) =>
    moveCard(scope, params.id, parseLane(body.laneId), body.from === undefined ? undefined : parseLane(body.from)),
  ),
]
