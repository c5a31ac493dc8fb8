import { type BoardQuery, boardApi, type Card, type Column } from '@recado/contract/board/board'
import type { TicketDetail } from '@recado/contract/tickets'
import { fold } from '@recado/contract/words/fold'
import { type RawBuilder, sql } from 'kysely'
import { laneIn, lanesOf } from '../../directory/lanes.ts'
import { hot, pageEnd, unseen, unseenAll } from '../../kernel/data/hot.ts'
import { like } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { type Cells, shaped } from '../../kernel/data/shape.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/http.ts'
import { newestFirst, tagged } from './list.ts'
import { heldCard, retag } from './tags.ts'
import { ticketJoins, wholeShape, withPictures } from './view.ts'
import { asker, seesSql } from './visibility.ts'
import { met, waysTo } from './ways.ts'

/** Cards of a lane at a time: two screens of them. Ten lanes of more would be the larger part of the first drawing. */
const pageSize = 12
/** So many living tickets, the newest of each way, are on one board: beyond it nobody moves cards by hand. */
const mostOnBoard = 20_000

/** With its place in the order, to the microsecond: where the next page begins. */
const cards = shaped<Card & { at: string }>({
  ...wholeShape,
  at: '(extract(epoch from t."updatedAt") * 1000000)::bigint::text',
})

type Lane = number | null
type Page = { laneId: Lane; after: string }

/**
 * Every lane's newest cards and its count, or one lane's next ones: what this person may see and asks for, in one
 * statement. `lanes`: of how many cards come, besides the first.
 */
async function columnsOf(
  scope: Scope,
  q: BoardQuery,
  lanes: number,
  page?: Page,
): Promise<Map<Lane, Omit<Column, 'laneId'>>> {
  const viewer = asker(scope)
  if (!viewer) return new Map()
  const all: RawBuilder<unknown>[] = [sql`t."companyId" = ${unseen(scope.companyId)}`, seesSql(viewer)]
  const queueIds = q.queueIds?.length ? q.queueIds : undefined
  const users = q.users?.length ? q.users : undefined
  if (queueIds) all.push(sql`t."queueId" = any(${unseenAll(queueIds)})`)
  if (users) all.push(sql`t."userId" = any(${unseenAll(users)})`)
  if (q.tags?.length) all.push(tagged(scope, q.tags))
  if (q.searchParam) all.push(mentions(q.searchParam))
  if (page) all.push(page.laneId === null ? sql`t."laneId" is null` : sql`t."laneId" = ${unseen(page.laneId)}`)
  const ways = waysTo(viewer, { statuses: ['open', 'pending'], wide: true, queueIds, users })
  const filter = sql.join(all, sql` and `)
  const living = met({ filter, ways, order: newestFirst, also: sql`t."laneId"` }, mostOnBoard)
  // The limit takes nothing away: it tells the planner how few are looked up, of whom it would read all contacts instead.
  const wanted = sql`select ${cards.cells} from (
      select p.id, p.place from placed p where p.place <= ${sql.lit(pageSize + 1)} ${pageEnd((lanes + 1) * (pageSize + 1))}
    ) p
    join tickets t on t."companyId" = ${unseen(scope.companyId)} and t.id = p.id ${ticketJoins} order by p.place`
  const { rows } = await sql<{ page: Cells; counts: [Lane, number][] | null }>`${hot}
    with living as materialized (${living}),
    placed as materialized (
      select t.id, row_number() over (partition by t."laneId" order by ${newestFirst}) as place
      from living t where ${page?.after ? behind(page.after) : sql`true`}
    )
    select ${cards.all(wanted)} as page,
      (select json_agg(json_build_array(c."laneId", c.n)) from
        (select "laneId", count(*) as n from living group by "laneId") c) as counts`.execute(scope.db)
  const found = Map.groupBy(withPictures(scope, cards.read(rows[0]?.page)), (card) => card.laneId)
  return new Map((rows[0]?.counts ?? []).map(([laneId, count]) => [laneId, { count, ...pageOf(found.get(laneId)) }]))
}

/** The one too many says that there are more. */
function pageOf(found: (Card & { at: string })[] = []): Pick<Column, 'cards' | 'next'> {
  const page = found.slice(0, pageSize)
  const last = page.at(-1)
  return {
    next: last && found.length > pageSize ? `${last.at}-${last.id}` : null,
    cards: page.map(({ at: _, ...card }) => card),
  }
}

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

const none = { count: 0, cards: [], next: null }
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
    const found = await columnsOf(scope, query, lanes.length)
    const ids = [null, ...lanes.map((lane) => lane.id)]
    return { lanes, columns: ids.map((laneId) => ({ laneId, ...(found.get(laneId) ?? none) })) }
  }),
  route(boardApi.more, async (scope, { query }) => {
    const page = { laneId: laneOf(query.laneId), after: query.after }
    await mustBeLane(scope, page.laneId)
    return { laneId: page.laneId, ...((await columnsOf(scope, query, 0, page)).get(page.laneId) ?? none) }
  }),
  route(boardApi.move, (scope, { params, body }) =>
    move(scope, params.id, laneOf(body.laneId), body.from === undefined ? undefined : laneOf(body.from)),
  ),
]
