import { can } from '@recado/contract/rules'
import type { TicketStatus } from '@recado/contract/ticket-statuses'
import type { Ticket, TicketQuery } from '@recado/contract/tickets'
import { type RawBuilder, sql } from 'kysely'
import { zoneOf } from '../../accounts/settings.ts'
import { hot, pageEnd } from '../../kernel/hot.ts'
import { like } from '../../kernel/records.ts'
import type { Scope } from '../../kernel/scope.ts'
import { hitIn } from './hits.ts'
import { type Page, pageOfFound, pageOfTickets, presentTickets } from './view.ts'
import { asker, seesSql, type Viewer } from './visibility.ts'

export const pageSize = 40
/** Counting stops here: nobody reads a badge beyond it, and counting a hundred thousand rows for each call would cost. */
const countLimit = 1000
/** Beside a page, which comes more often and has the badges for it, this many pages from there. */
const pagesCounted = 5
const none = { tickets: [], count: 0, hasMore: false }

/** By the indexes of the minute, then exactly (see "updatedMinute" in the migrations). */
const newestFirst = sql`t."updatedMinute" desc, t."updatedAt" desc, t.id desc`

/** A page of what this person may see. */
export async function listTickets(
  scope: Scope,
  query: TicketQuery,
): Promise<{ tickets: Ticket[]; count: number; hasMore: boolean }> {
  const viewer = asker(scope)
  if (!viewer) return none
  const page = {
    filter: sql.join(await conditions(scope, viewer, query), sql` and `),
    order: query.order === 'oldest' ? sql`t."updatedMinute", t."updatedAt", t.id` : newestFirst,
    limit: pageSize + 1,
    offset: (query.pageNumber - 1) * pageSize,
  }
  if (query.searchParam && !query.withUnreadMessages) return search(scope, viewer, query.searchParam, page)
  const { tickets, count } = await pageOfTickets(scope, { ...page, most: page.offset + pagesCounted * pageSize })
  return { tickets: tickets.slice(0, pageSize), count, hasMore: tickets.length > pageSize }
}

async function bounded(scope: Scope, filter: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`${hot}select count(*) as n from (select 1 from tickets t where ${filter} ${pageEnd(countLimit)}) x`.execute(
    scope.db,
  )
  return rows[0]?.n ?? 0
}

async function conditions(scope: Scope, viewer: Viewer, q: Omit<TicketQuery, 'order'>): Promise<RawBuilder<unknown>[]> {
  const all: RawBuilder<unknown>[] = [sql`t."companyId" = ${scope.companyId}`, seesSql(viewer)]
  if (q.date) all.push(await onDay(scope, sql.ref('t.createdAt'), q.date))
  if (q.updatedAt) all.push(await onDay(scope, sql.ref('t.updatedAt'), q.updatedAt))
  if (q.withUnreadMessages) return [...all, unread(viewer)]
  if (q.status) all.push(sql`t.status = ${q.status}`)
  // Without "show all", an open ticket is somebody's own; what waits or is closed belongs to the queue.
  const wide =
    q.showAll && (q.status !== 'open' || can(scope.actor, 'tickets-manager:showall') || viewer.profile === 'supervisor')
  if (!wide && !q.searchParam) all.push(sql`(t."userId" = ${viewer.id} or t.status <> 'open')`)
  if (q.queueIds) all.push(sql`(t."queueId" is null or t."queueId" = any(${q.queueIds}::int[]))`)
  if (q.users?.length && can(scope.actor, 'tickets-manager:showall')) all.push(sql`t."userId" = any(${q.users}::int[])`)
  if (q.tags?.length) {
    all.push(
      sql`(select count(*) from "ticketTags" x where x."companyId" = t."companyId" and x."ticketId" = t.id and x."tagId" = any(${q.tags}::int[])) = ${new Set(q.tags).size}`,
    )
  }
  return all
}

/** What rings: unread, and this person's own or still nobody's. Who leads sees the rest without being rung for it. */
const unread = (viewer: Viewer): RawBuilder<unknown> =>
  sql`t."unreadMessages" > 0 and (t.status = 'pending' or (t.status = 'open' and t."userId" = ${viewer.id}))`

async function onDay(scope: Scope, column: RawBuilder<unknown>, day: string): Promise<RawBuilder<unknown>> {
  const zone = await zoneOf(scope)
  return sql`(${column} >= (${day}::date)::timestamp at time zone ${zone} and ${column} < (${day}::date + 1)::timestamp at time zone ${zone})`
}

/** Most tickets worth ranking: by names and numbers first, then by the newest messages that contain the words. */
const mostFound = 160
/** Messages looked at for that: several may be of one ticket. */
const mostSaid = 240

/** Who does not see everything has these looked through besides: of a common word, others may have the newest hits. */
const mostOwn = 200

/** Tickets whose contact, number, id or messages match. Each part is bounded, so a common word stays cheap. */
async function search(scope: Scope, viewer: Viewer, words: string, page: Page) {
  const asId = Number(/^#?(\d{1,9})$/.exec(words)?.[1] ?? 0)
  const found = sql`
    select id, "messageId" from (
      select distinct on (id) id, at, "messageId" from (
        select t.id, null::timestamptz as at, null::bigint as "messageId" from tickets t
        where t."companyId" = ${scope.companyId} and t."contactId" in (select id from find_contacts(${words}, ${mostFound}))
        union all
        select ${asId}::int, null, null
        union all
        select "ticketId", "createdAt", id from find_messages(${words}, ${mostSaid})
        ${viewer.profile === 'admin' ? sql`` : sql`union all ${inOwn(scope, viewer, words)}`}
      ) hits order by id, at desc nulls last, "messageId" desc
    ) found order by at desc nulls first ${viewer.profile === 'admin' ? pageEnd(mostFound) : sql``}`
  const { tickets, count } = await pageOfFound(scope, { ...page, found })
  const shown = tickets.slice(0, pageSize).map((ticket) => {
    const hit = ticket.hit ? hitIn(ticket.hit, words) : undefined
    return Object.assign(ticket, { hit }) as Ticket
  })
  return { tickets: shown, count, hasMore: tickets.length > pageSize }
}

const inOwn = (scope: Scope, viewer: Viewer, words: string) => sql`
  select m."ticketId", m."createdAt", m.id from messages m
  where m."companyId" = ${scope.companyId} and m."ticketId" in (
    select t.id from tickets t where t."companyId" = ${scope.companyId} and ${seesSql(viewer)}
    order by ${newestFirst} limit ${mostOwn}
  ) and fold(m.body) like fold(${like(words)}) and not m."isDeleted"`

/** The board shows at most this many cards: beyond it nobody moves cards by hand. */
const boardLimit = 500

export async function board(scope: Scope, q: { queueIds?: number[] | undefined; showAll: boolean }): Promise<Ticket[]> {
  const viewer = asker(scope)
  if (!viewer) return []
  // Others see on the board what they see anywhere; an admin may leave out what others attend.
  const isAdmin = viewer.profile === 'admin'
  const mine = isAdmin && !q.showAll ? sql`(t."userId" = ${viewer.id} or t.status = 'pending')` : sql`true`
  // Older clients send the queues their person had at login, for an admin too: none of them means all of it.
  const queueIds = isAdmin && q.showAll && !q.queueIds?.length ? undefined : q.queueIds
  const inQueues = queueIds ? sql`(t."queueId" is null or t."queueId" = any(${queueIds}::int[]))` : sql`true`
  const { rows } = await sql<{ id: number }>`
    select t.id from tickets t
    where t."companyId" = ${scope.companyId} and t.status in ('open', 'pending') and ${seesSql(viewer)} and ${mine} and ${inQueues}
    order by ${newestFirst} limit ${boardLimit}`.execute(scope.db)
  const tickets = await presentTickets(
    scope,
    rows.map((r) => r.id),
  )
  // A card stands in the lane of its board tag; other tags would put it in none.
  return tickets.map((ticket) => ({ ...ticket, tags: ticket.tags.filter((tag) => tag.kanban === 1) }))
}

export async function counts(scope: Scope, q: { showAll: boolean; queueIds?: number[] | undefined }) {
  const viewer = asker(scope)
  if (!viewer) return { open: 0, pending: 0, unread: 0 }
  const count = async (status: TicketStatus) => {
    const query = {
      searchParam: '',
      pageNumber: 1,
      status,
      showAll: q.showAll,
      withUnreadMessages: false,
      queueIds: q.queueIds,
      tags: undefined,
      users: undefined,
      date: undefined,
      updatedAt: undefined,
    }
    return bounded(scope, sql.join(await conditions(scope, viewer, query), sql` and `))
  }
  const rings = sql.join([sql`t."companyId" = ${scope.companyId}`, seesSql(viewer), unread(viewer)], sql` and `)
  const [open, pending] = [await count('open'), await count('pending')]
  return { open, pending, unread: await bounded(scope, rings) }
}
