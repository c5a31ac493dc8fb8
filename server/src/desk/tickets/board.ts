import { type BoardQuery, boardApi } from '@recado/contract/board/board'
import type { Reply } from '@recado/contract/kit'
import { seesAll } from '@recado/contract/sight'
import type { TicketDetail } from '@recado/contract/tickets'
import { fold } from '@recado/contract/words/fold'
import { type RawBuilder, sql } from 'kysely'
import { laneIn, lanesOf } from '../../directory/lanes.ts'
import { hot, pageEnd, unseen, unseenAll } from '../../kernel/data/hot.ts'
import { like } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { Finished, route } from '../../kernel/http/http.ts'
import { cardsOf, stamp, stampJoins } from './cards.ts'
import { newestFirst, tagged } from './list.ts'
import { howMany, standing } from './standing.ts'
import { heldCard, retag } from './tags.ts'
import { asker, seesSql, type Viewer } from './visibility.ts'
import { counted, met, type Wanted, waysTo } from './ways.ts'

/** Cards of a lane at a time: two screens of them. Ten lanes of more would be the larger part of the first drawing. */
const pageSize = 12
/** So many living tickets, the newest of each way, are on one board: beyond it nobody moves cards by hand. */
const mostOnBoard = 20_000

type Lane = number | null

type Shown = { count: number; cards: string[]; next: string | null }
/** A card with its place in the order, to the microsecond: where the next page begins. */
type Found = [id: number, stamp: string, laneId: Lane, at: string]
const place = sql.raw(`(extract(epoch from t."updatedAt") * 1000000)::bigint::text`)
const found = sql`json_build_array(t.id, ${stamp}, t."laneId", ${place})`

/** What this person may see of what they ask for, and the ways to it. */
function wantedOf(viewer: Viewer, q: BoardQuery, scope: Scope, lane?: Lane): Wanted {
  const all: RawBuilder<unknown>[] = [
    sql`t."companyId" = ${unseen(scope.companyId)} and t.status in ('open', 'pending')`,
    seesSql(viewer),
  ]
  const queueIds = q.queueIds?.length ? q.queueIds : undefined
  const users = q.users?.length ? q.users : undefined
  if (queueIds) all.push(sql`t."queueId" = any(${unseenAll(queueIds)})`)
  if (users) all.push(sql`t."userId" = any(${unseenAll(users)})`)
  if (q.tags?.length) all.push(tagged(scope, q.tags))
  if (q.searchParam) all.push(mentions(q.searchParam))
  if (lane !== undefined) all.push(inLane(lane))
  const ways =
    lane !== undefined && seesAll(viewer) && !queueIds && !users
      ? living.map((status) => ({ where: sql`${inLane(lane)} and t.status = ${sql.lit(status)}` }))
      : waysTo(viewer, { statuses: living, wide: true, queueIds, users })
  return { filter: sql.join(all, sql` and `), ways }
}
const living = ['open', 'pending'] as const
const inLane = (lane: Lane) => (lane === null ? sql`t."laneId" is null` : sql`t."laneId" = ${unseen(lane)}`)

/** Every lane's newest cards and its count, in one statement. */
async function columnsOf(scope: Scope, q: BoardQuery, lanes: Lane[]): Promise<Map<Lane, Shown>> {
  const viewer = asker(scope)
  if (!viewer) return new Map()
  const wanted = wantedOf(viewer, q, scope)
  const { placed, counts } = hasOwnIndex(viewer, q) ? eachLane(scope, viewer, q, lanes) : together(wanted)
  // The limit takes nothing away: it tells the planner how few are looked up, of whom it would read all contacts instead.
  const { rows } = await sql<{ page: Found[] | null; counts: [Lane, number][] | null }>`${hot}
    with ${placed}
    select (select json_agg(x.card) from (
        select ${found} as card from (
          select p.id, p.place from placed p where p.place <= ${sql.lit(pageSize + 1)} ${pageEnd(lanes.length * (pageSize + 1))}
        ) p
        join tickets t on t."companyId" = ${unseen(scope.companyId)} and t.id = p.id ${stampJoins} order by p.place
      ) x) as page,
      (select json_agg(json_build_array(c."laneId", c.n)) from (${counts}) c) as counts`.execute(scope.db)
  const page = rows[0]?.page ?? []
  const texts = await textsOf(scope, page, wanted.filter)
  const byLane = Map.groupBy(page, ([, , laneId]) => laneId)
  return new Map(
    (rows[0]?.counts ?? []).map(([laneId, count]) => [laneId, { count, ...pageOf(byLane.get(laneId) ?? [], texts) }]),
  )
}

/** Who sees all of every lane is led there by its index, and what stands in it is known (standing.ts). */
const hasOwnIndex = (viewer: Viewer, q: BoardQuery): boolean =>
  seesAll(viewer) && !q.queueIds?.length && !q.users?.length && isCounted(q)
/** Whether how many there are is kept for what is asked: it is not for words and tags. */
const isCounted = (q: BoardQuery): boolean => !q.tags?.length && !q.searchParam

function eachLane(scope: Scope, viewer: Viewer, q: BoardQuery, lanes: Lane[]) {
  const walks = lanes.map((lane) => {
    const one = met({ ...wantedOf(viewer, q, scope, lane), order: newestFirst }, pageSize + 1)
    return sql`(select t.id, row_number() over (order by ${newestFirst}) as place from (${one}) t
      order by ${newestFirst} ${pageEnd(pageSize + 1)})`
  })
  return {
    placed: sql`placed as materialized (${sql.join(walks, sql` union all `)})`,
    counts: sql`select t."laneId", sum(t.n)::int as n from ${standing(scope)} group by t."laneId" having sum(t.n) > 0`,
  }
}

function together(wanted: Wanted) {
  const all = met({ ...wanted, order: newestFirst, also: sql`t."laneId"` }, mostOnBoard)
  return {
    placed: sql`living as materialized (${all}), placed as materialized (
      select t.id, row_number() over (partition by t."laneId" order by ${newestFirst}) as place from living t)`,
    counts: sql`select "laneId", count(*) as n from living group by "laneId"`,
  }
}

/** One lane's next cards: its own index leads there, whatever stands in others. */
async function laneOfBoard(scope: Scope, q: BoardQuery, lane: Lane, after: string): Promise<Shown> {
  const viewer = asker(scope)
  if (!viewer) return none
  const wanted = wantedOf(viewer, q, scope, lane)
  const filter = after ? sql`${wanted.filter} and ${behind(after)}` : wanted.filter
  const count = isCounted(q)
    ? sql`(select ${howMany(wanted.filter)} from ${standing(scope)})`
    : counted(wanted, mostOnBoard)
  const { rows } = await sql<{ page: Found[] | null; count: number }>`${hot}
    select (select json_agg(x.card) from (
        select ${found} as card from (
          select t.id from (${met({ filter, ways: wanted.ways, order: newestFirst }, pageSize + 1)}) t
          order by ${newestFirst} ${pageEnd(pageSize + 1)}
        ) p
        join tickets t on t."companyId" = ${unseen(scope.companyId)} and t.id = p.id ${stampJoins} order by ${newestFirst}
      ) x) as page, ${count} as count`.execute(scope.db)
  const page = rows[0]?.page ?? []
  return { count: rows[0]?.count ?? 0, ...pageOf(page, await textsOf(scope, page, filter)) }
}

async function textsOf(scope: Scope, page: Found[], filter: RawBuilder<unknown>): Promise<Map<number, string>> {
  const rows = page.map(([id, stamp]) => ({ id, stamp }))
  return new Map((await cardsOf(scope, rows, filter)).map(({ id, text }) => [id, text]))
}

/** The one too many says that there are more. */
function pageOf(found: Found[], texts: Map<number, string>): Pick<Shown, 'cards' | 'next'> {
  const page = found.slice(0, pageSize)
  const last = page.at(-1)
  return {
    next: last && found.length > pageSize ? `${last[3]}-${last[0]}` : null,
    cards: page.flatMap(([id]) => texts.get(id) ?? []),
  }
}
const columnText = (laneId: Lane, { count, cards, next }: Shown): string =>
  `{"laneId":${laneId},"count":${count},"cards":[${cards.join()}],"next":${JSON.stringify(next)}}`

function behind(after: string): RawBuilder<unknown> {
  const [, at, id] = /^(\d{1,17})-(\d{1,9})$/.exec(after) ?? []
  if (!at) throw new AppError('ERR_VALIDATION')
  const then = sql`to_timestamp(0) + make_interval(secs => ${Number(at.slice(0, -6))}) + ${Number(at.slice(-6))} * interval '1 microsecond'`
  return sql`(t."updatedAt", t.id) < (${then}, ${Number(id)}::int)`
}

/** What a browser can find in a card, too (`mentions` there): name, telephone, number, last message. */
function mentions(words: string): RawBuilder<unknown> {
  const pattern = like(fold(words))
  const number = Number(/^#?(\d{1,9})$/.exec(words)?.[1] ?? 0)
  return sql`(t.number = ${number} or fold(t."lastMessage") like ${pattern} or exists (
    select 1 from contacts c where c."companyId" = t."companyId" and c.id = t."contactId" and c.search like ${pattern}))`
}

const none: Shown = { count: 0, cards: [], next: null }
const laneOf = (given: 'lane0' | number): Lane => (given === 'lane0' ? null : given)

async function mustBeLane(scope: Scope, id: Lane): Promise<void> {
  if (id !== null) await laneIn(scope, await lanesOf(scope), id)
}

/** In one transaction the board tag goes and the target comes. Of two at once the later one decides, for both. */
async function move(scope: Scope, id: number, to: Lane, from?: Lane): Promise<TicketDetail> {
  const before = await heldCard(scope, id)
  if (from !== undefined && before.laneId !== from) throw new AppError('ERR_CARD_MOVED')
  await mustBeLane(scope, to)
  if (before.laneId === to) return before
  return retag(scope, before, { drop: 'kanban', add: to === null ? [] : [to] }, { why: 'by-person' })
}

export const boardRoutes = [
  route(boardApi.show, async (scope, { query }) => {
    const lanes = await lanesOf(scope)
    const ids = [null, ...lanes.map((lane) => lane.id)]
    const found = await columnsOf(scope, query, ids)
    const columns = ids.map((id) => columnText(id, found.get(id) ?? none))
    const shown = JSON.stringify(boardApi.show.reply.shape.lanes.parse(lanes))
    return new Finished<Reply<typeof boardApi.show>>(`{"lanes":${shown},"columns":[${columns.join()}]}`)
  }),
  route(boardApi.more, async (scope, { query }) => {
    const laneId = laneOf(query.laneId)
    await mustBeLane(scope, laneId)
    const text = columnText(laneId, await laneOfBoard(scope, query, laneId, query.after))
    return new Finished<Reply<typeof boardApi.more>>(text)
  }),
  route(boardApi.move, (scope, { params, body }) =>
    move(scope, params.id, laneOf(body.laneId), body.from === undefined ? undefined : laneOf(body.from)),
  ),
]
