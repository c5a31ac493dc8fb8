import type { Reply } from '@recado/contract/kit'
import { can } from '@recado/contract/rules'
import { seesAll } from '@recado/contract/sight'
import { ticketStatuses } from '@recado/contract/ticket-statuses'
import type { Hit, TicketQuery, ticketsApi } from '@recado/contract/tickets'
import { type RawBuilder, sql } from 'kysely'
import { zoneOf } from '../../accounts/settings.ts'
import { hot, unseen, unseenAll } from '../../kernel/data/hot.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { Finished } from '../../kernel/http/http.ts'
import { cardsOfBoard, type Page, pageOfTickets } from './cards.ts'
import { hitIn } from './hits.ts'
import { searchTickets } from './search.ts'
import { howMany, standing } from './standing.ts'
import { asker, seesSql, type Viewer } from './visibility.ts'
import { type Wanted, waysTo } from './ways.ts'

export const pageSize = 40
/** Counting stops so many pages from there: badges say how many there are in all. */
const pagesCounted = 5
type Listed = Finished<Reply<typeof ticketsApi.list>>

/** By the indexes of the minute, then exactly (see "updatedMinute" in the migrations). */
export const newestFirst = sql`t."updatedMinute" desc, t."updatedAt" desc, t.id desc`

const orders = {
  newest: newestFirst,
  oldest: sql`t."updatedMinute", t."updatedAt", t.id`,
  waiting: sql`t."waitingSince", t.id`,
}

/** A page of what this person may see. */
export async function listTickets(scope: Scope, query: TicketQuery): Promise<Listed> {
  const viewer = asker(scope)
  if (!viewer) return listed([], 0)
  const page = {
    ...(await wantedOf(scope, viewer, query)),
    order: orders[query.order],
    limit: pageSize + 1,
    offset: (query.pageNumber - 1) * pageSize,
  }
  if (query.searchParam) return search(scope, query.searchParam, page)
  const { cards, count } = await pageOfTickets(scope, { ...page, most: page.offset + pagesCounted * pageSize })
  return listed(
    cards.map(({ text }) => text),
    count,
  )
}

/** The one too many says that there are more. */
const listed = (texts: string[], count: number): Listed =>
  new Finished(`{"tickets":[${texts.slice(0, pageSize).join()}],"count":${count},"hasMore":${texts.length > pageSize}}`)

type Asked = Partial<TicketQuery> & Pick<TicketQuery, 'showAll' | 'withUnreadMessages'>

/** The filter is for tickets of whatever status: the ways lead to those of the status that was asked for. */
async function wantedOf(scope: Scope, viewer: Viewer, q: Asked): Promise<Wanted> {
  const all: RawBuilder<unknown>[] = [sql`t."companyId" = ${unseen(scope.companyId)}`, seesSql(viewer)]
  if (q.date) all.push(onDay(sql`t."createdAt"`, await dayOf(scope, q.date)))
  if (q.updatedAt) all.push(changedOn(await dayOf(scope, q.updatedAt)))
  if (q.withUnreadMessages) {
    const ways = waysTo(viewer, { statuses: ['pending', 'open'], wide: false })
    return { filter: sql.join([...all, unread(viewer)], sql` and `), ways }
  }
  // Without "show all", an open ticket is somebody's own; what waits or is closed belongs to the queue. Of those who lead,
  // admins alone have it (spec): supervisors find what others attend on the board and by searching, which looks at all
  // that one may see.
  const wide = Boolean(q.searchParam) || (q.showAll && (q.status !== 'open' || can(viewer, 'tickets-manager:showall')))
  if (!wide && (q.status ?? 'open') === 'open') all.push(sql`(t."userId" = ${unseen(viewer.id)} or t.status <> 'open')`)
  if (q.queueIds) all.push(inQueues(q.queueIds))
  const users = can(viewer, 'tickets-manager:showall') && q.users?.length ? q.users : undefined
  if (users) all.push(sql`t."userId" = any(${unseenAll(users)})`)
  if (q.tags?.length) all.push(tagged(scope, q.tags))
  if (q.searchParam && q.status) all.push(sql`t.status = ${sql.lit(q.status)}`)
  const statuses = q.status ? [q.status] : ticketStatuses
  const ways = waysTo(viewer, { statuses, wide, queueIds: q.queueIds, users })
  return { filter: sql.join(all, sql` and `), ways }
}

const inQueues = (ids: number[]) => sql<boolean>`(t."queueId" is null or t."queueId" = any(${unseenAll(ids)}))`

/** With all of these tags. */
export const tagged = (scope: Scope, tags: number[]) => sql`t.id in (
    select x."ticketId" from "ticketTags" x where x."companyId" = ${unseen(scope.companyId)} and x."tagId" = any(${tags}::int[])
    group by x."ticketId" having count(*) = ${new Set(tags).size})`

/** What rings: unread, and this person's own or still nobody's. Who leads sees the rest without being rung for it. */
const unread = (viewer: Viewer): RawBuilder<unknown> =>
  sql`t."unreadMessages" > 0 and (t.status = 'pending' or (t.status = 'open' and t."userId" = ${unseen(viewer.id)}))`

type Day = { start: RawBuilder<unknown>; end: RawBuilder<unknown> }
async function dayOf(scope: Scope, day: string): Promise<Day> {
  const zone = await zoneOf(scope)
  const midnight = (date: RawBuilder<unknown>) => sql`((${date})::timestamp at time zone ${zone})`
  return { start: midnight(sql`${day}::date`), end: midnight(sql`${day}::date + 1`) }
}
const onDay = (column: RawBuilder<unknown>, { start, end }: Day) => sql`(${column} >= ${start} and ${column} < ${end})`

/** By the minute, which the indexes know, then exactly. */
function changedOn(day: Day): RawBuilder<unknown> {
  const minute = (at: RawBuilder<unknown>) => sql`floor(extract(epoch from ${at}) / 60)::int`
  const minutes = sql`t."updatedMinute" between ${minute(day.start)} and ${minute(day.end)}`
  return sql`${minutes} and ${onDay(sql`t."updatedAt"`, day)}`
}

/** What matches among what this person may see. */
async function search(scope: Scope, words: string, page: Page & Wanted): Promise<Listed> {
  const { cards, count } = await searchTickets(scope, words, page)
  return listed(
    cards.map(({ text, hit }) => (hit ? withHit(text, hitIn(hit, words)) : text)),
    count,
  )
}

/** A ticket's text ends where what it was found by stands. */
const withHit = (text: string, hit: Hit): string => `${text.slice(0, -1)},"hit":${JSON.stringify(hit)}}`

/** The board shows at most this many cards: beyond it nobody moves cards by hand. */
const boardLimit = 500

export async function board(
  scope: Scope,
  q: { queueIds?: number[] | undefined; showAll: boolean },
): Promise<Finished<Reply<typeof ticketsApi.kanban>>> {
  const viewer = asker(scope)
  if (!viewer) return boardOf([])
  // Others see on the board what they see anywhere; an admin may leave out what others attend.
  const isAdmin = seesAll(viewer)
  const wide = q.showAll || !isAdmin
  // Older clients send the queues their person had at login, for an admin too: none of them means all of it.
  const queueIds = isAdmin && q.showAll && !q.queueIds?.length ? undefined : q.queueIds
  const all = [sql`t."companyId" = ${unseen(scope.companyId)}`, seesSql(viewer)]
  if (!wide) all.push(sql`(t."userId" = ${unseen(viewer.id)} or t.status = 'pending')`)
  if (queueIds) all.push(inQueues(queueIds))
  const ways = waysTo(viewer, { statuses: ['open', 'pending'], wide, queueIds })
  const page = { filter: sql.join(all, sql` and `), ways, order: newestFirst, limit: boardLimit + 1, offset: 0 }
  return boardOf((await cardsOfBoard(scope, page)).map(({ text }) => text))
}

function boardOf(texts: string[]): Finished<Reply<typeof ticketsApi.kanban>> {
  const shown = texts.slice(0, boardLimit)
  return new Finished(`{"tickets":[${shown.join()}],"count":${shown.length},"hasMore":${texts.length > boardLimit}}`)
}

const nobody = { open: 0, pending: 0, unread: 0 }

export async function counts(scope: Scope, q: { showAll: boolean; queueIds?: number[] | undefined }) {
  const viewer = asker(scope)
  if (!viewer) return nobody
  const of = async (status: 'open' | 'pending') => {
    const { filter } = await wantedOf(scope, viewer, { ...q, status, withUnreadMessages: false })
    return howMany(sql`t.status = ${sql.lit(status)} and ${filter}`)
  }
  const unread = await wantedOf(scope, viewer, { ...q, withUnreadMessages: true })
  const { rows } = await sql<{ open: number; pending: number; unread: number }>`${hot}
    select ${await of('open')} as open, ${await of('pending')} as pending, ${howMany(unread.filter)} as unread
    from ${standing(scope)}`.execute(scope.db)
  return rows[0] ?? nobody
}
