import { Ticket } from '@recado/contract/tickets'
import { type RawBuilder, sql } from 'kysely'
import { hideIdFromPlanner, keepPagePrepared, keepPrepared, literalLimit } from '../../kernel/data/keep-prepared.ts'
import { type JsonRows, makeShapedRows } from '../../kernel/data/row-shape.ts'
import { makeRowTextCache, parseRowVersions, type RowVersion } from '../../kernel/data/row-text-cache.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { hasReplyWindowSql, replyWindowEndSql } from '../reply-window.ts'
import {
  countAlongPathsSql,
  type IndexPath,
  singlePath,
  type TicketOrder,
  type TicketSelection,
  walkIndexPathsSql,
  walkPathSql,
} from './base/index-paths.ts'
import { ticketJoins, ticketRowShape, withPictureUrls } from './base/ticket-view.ts'

/**
 * List rows cached as finished JSON text. The database selects the rows of a page and returns a version stamp for each;
 * rows with a known stamp come from the cache, and only the others are read. A row is the same for everybody who may
 * see it; the selection of the page decides who may.
 */
const cardCache = makeRowTextCache(16_000_000)
/** The cached rows of older clients' board, whose fields are a subset of the list row. */
const boardCardCache = makeRowTextCache(4_000_000)

const ticketCompanySql = 't."companyId"'
/** The company id, evaluated once for a whole page, as row-level security does (migration 0001). */
const companyIdSql = `(select nullif(current_setting('app.company_id', true), '')::int)`
/** A version of names and colours of users, queues, lines and tags, for the whole company (migration 0180). */
const companyLooksSql = `(select k.looks from companies k where k.id = ${companyIdSql})`
const linesWithWindowSql = `(select w.id from whatsapps w where w."companyId" = ${companyIdSql} and ${hasReplyWindowSql('w')})`
const messageStampSql = `select concat(m.id, '/', m.xmin) from messages m where m."companyId" = ${ticketCompanySql}`
/**
 * The version stamp of a list row: for every field in `ticketRowShape` the transaction that wrote it last. `t` is the
 * ticket, `c` its contact and `l` its newest message. A field that is shown but missing here would become stale.
 */
const cardStampText = `concat(${[
  ...[companyLooksSql, 't.xmin', 'c.xmin', 'l.id', 'l.xmin'],
  `(select array_agg(x."tagId" order by x."tagId") from "ticketTags" x where x."companyId" = ${ticketCompanySql} and x."ticketId" = t.id)`,
  `(select string_agg(concat(g.id, '/', g.xmin), ',' order by g.id) from "ticketGoals" g
    where g."companyId" = ${ticketCompanySql} and g."ticketId" = t.id and g."queueId" = t."queueId" and g."endedAt" is null)`,
  `case when l.bot is not null then (
    ${messageStampSql} and m."ticketId" = t.id and not m."fromMe" and not m."isDeleted" order by m.id desc limit 1) end`,
  `case
    when t.past then (${messageStampSql} and m."ticketId" = t.id order by m."createdAt" desc, m.id desc limit 1)
    when t."lastElsewhere" is not null then (${messageStampSql} and m.id = greatest(t."lastElsewhere", l.id::bigint)) end`,
  `case when t."whatsappId" in ${linesWithWindowSql} then ${replyWindowEndSql('t')} end`,
].join(", ' ', ")})`

/** The joins a stamp needs besides the ticket. */
export const cardStampJoins = sql.raw(`
  join contacts c on c."companyId" = ${ticketCompanySql} and c.id = t."contactId"
  left join lateral (
    select l.id, l.xmin, l.bot from messages l
    where l."companyId" = ${ticketCompanySql} and l."ticketId" = t.id order by l.id desc limit 1
  ) l on true`)
export const cardStampSql = sql.raw(cardStampText)
/** A ticket id with its stamp. */
const stampedRowSql = sql.raw(`t.id || ':' || ${cardStampText}`)
/** All rows of a query that selects `card`, in its order, as one value. */
const allStampedSql = (rows: RawBuilder<unknown>) =>
  sql<string | null>`(select string_agg(x.card, '|') from (${rows}) x)`

const stampedTicketShaped = makeShapedRows<Ticket & { stamp: string }>({ ...ticketRowShape, stamp: cardStampText })
export type TicketCard = { id: number; text: string }

/**
 * The rows of a page as texts, in order. Rows that must be read are checked against the `filter` again, and rows that no
 * longer match are left out.
 */
const makeCardLoader =
  (kept: typeof cardCache, shown: (ticket: Ticket) => Ticket = (ticket) => ticket) =>
  (scope: Scope, rows: RowVersion[], filter: RawBuilder<unknown>): Promise<TicketCard[]> =>
    kept(scope, rows, async (missing) => {
      const wanted = sql`select ${stampedTicketShaped.cells} from unnest(${missing}::int[]) as wanted(id)
      ${joinTicketsSql(scope, sql`wanted.id`)} ${ticketJoins} where ${filter}`
      const { rows: made } = await sql<{
        page: JsonRows
      }>`${keepPrepared}select ${stampedTicketShaped.aggregate(wanted)} as page`.execute(scope.db)
      return withPictureUrls(scope, stampedTicketShaped.read(made[0]?.page)).map(({ stamp, ...ticket }) => ({
        id: ticket.id,
        stamp,
        text: JSON.stringify(Ticket.parse(shown(ticket))),
      }))
    })
export const loadCards = makeCardLoader(cardCache)
/**
 * Keeps only the tag of the lane, because a card is in one lane; with other tags older clients would show it in no
 * lane, or in two.
 */
const loadBoardCards = makeCardLoader(boardCardCache, (ticket) => ({
  ...ticket,
  tags: ticket.tags.filter((tag) => tag.id === ticket.laneId),
}))

export type CardPage = { filter: RawBuilder<unknown>; order: TicketOrder; limit: number; offset: number }

/** A page of tickets and the total, counted up to a bound. Details are read after the page is selected. */
export async function listTicketCards(
  scope: Scope,
  o: CardPage & TicketSelection & { maxCount: number; total?: RawBuilder<number> },
): Promise<{ cards: TicketCard[]; count: number }> {
  const wanted = sql`select ${stampedRowSql} as card from (${selectPageSql(scope, o)}) t ${cardStampJoins} order by ${o.order.exact}`
  const { rows } = await sql<{
    page: string | null
    count: number
  }>`${o.isPlannedByValues ? sql`` : keepPagePrepared(o.limit, o.offset)}
    select ${allStampedSql(wanted)} as page, ${o.total ?? countAlongPathsSql(o, o.maxCount)} as count`.execute(scope.db)
  return { cards: await loadCards(scope, parseRowVersions(rows[0]?.page), o.filter), count: rows[0]?.count ?? 0 }
}

/** A page of those of the tickets that pass the filter: a statement that is the same for all pages of one size. */
export async function listCardsAmong(scope: Scope, ids: number[], o: CardPage): Promise<TicketCard[]> {
  if (!ids.length) return []
  const chosen = sql`select t.* from unnest(${ids}::int[]) as wanted(id) ${joinTicketsSql(scope, sql`wanted.id`)}
    where ${o.filter} order by ${o.order.exact} ${literalLimit(o.limit, o.offset)}`
  const wanted = sql`select ${stampedRowSql} as card from (${chosen}) t ${cardStampJoins} order by ${o.order.exact}`
  const { rows } = await sql<{ page: string | null }>`${keepPagePrepared(o.limit, o.offset)}
    select ${allStampedSql(wanted)} as page`.execute(scope.db)
  return loadCards(scope, parseRowVersions(rows[0]?.page), o.filter)
}

/** The cards of older clients' board. */
export async function listLegacyBoardCards(
  scope: Scope,
  o: CardPage & { indexPaths: IndexPath[] },
): Promise<TicketCard[]> {
  const wanted = sql`select ${stampedRowSql} as card from (${selectPageSql(scope, o)}) t ${cardStampJoins} order by ${o.order.exact}`
  const { rows } = await sql<{ page: string | null }>`${keepPrepared}select ${allStampedSql(wanted)} as page`.execute(
    scope.db,
  )
  return loadBoardCards(scope, parseRowVersions(rows[0]?.page), o.filter)
}

/**
 * If there is one index path, its rows are used directly; with several, the rows of the page are selected first. Each
 * row is looked up by its key (the limit enforces it): for five hundred rows the planner would read all rows of a small
 * company instead.
 */
function selectPageSql(scope: Scope, o: CardPage & { indexPaths: IndexPath[] }): RawBuilder<unknown> {
  const end = literalLimit(o.limit, o.offset)
  const only = singlePath(o.indexPaths)
  if (only)
    return sql`select t.* from (${walkPathSql(sql`t.xmin, t.*`, only, o, o.offset + o.limit)}) t
      order by ${o.order.exact} ${end}`
  return sql`select t.* from (select t.id from (${walkIndexPathsSql(o, o.offset + o.limit)}) t order by ${o.order.exact} ${end}) page
    ${joinTicketsSql(scope, sql`page.id`)}`
}

/**
 * Looks up tickets by their key for the rows of `from`. The limit enforces the lookup: PostgreSQL plans for the average
 * company, and would read all tickets of a large company instead.
 */
export const joinTicketsSql = (scope: Scope, id: RawBuilder<unknown>): RawBuilder<unknown> => sql`cross join lateral (
  select t.xmin, t.* from tickets t where t."companyId" = ${hideIdFromPlanner(scope.companyId)} and t.id = ${id} limit 1) t`

/** A ticket found by a search and, if known, the newest matching message. */
export type SearchMatch = { id: number; messageId: string | null }
export type CardWithHit = TicketCard & { hit: { id: string; body: string } | undefined }

/**
 * The tickets of a search, in its order, each with the matching message: the message `known` from the search, or the newest
 * whose text is like `body`. Tickets that no longer match the filter are left out.
 */
export async function loadCardsWithHits(
  scope: Scope,
  matches: SearchMatch[],
  hit: 'known' | { body: RawBuilder<string> },
  { filter }: Pick<CardPage, 'filter'>,
): Promise<CardWithHit[]> {
  if (!matches.length) return []
  const company = hideIdFromPlanner(scope.companyId)
  const message = sql`select m.id, m.body from messages m where m."companyId" = ${company}`
  const newest =
    hit === 'known'
      ? sql`${message} and m.id = p."messageId"`
      : sql`${message} and m."ticketId" = p.id and not m."isDeleted" and fold(m.body) like ${hit.body}
        order by m.id desc limit 1`
  const { rows } = await sql<{ page: string | null; hits: [number, string, string][] | null }>`${keepPrepared}
    with p as materialized (
      select * from unnest(${matches.map(({ id }) => id)}::int[], ${matches.map(({ messageId }) => messageId)}::bigint[])
        with ordinality as p(id, "messageId", place)
    )
    select ${allStampedSql(sql`select ${stampedRowSql} as card
      from p ${joinTicketsSql(scope, sql`p.id`)} ${cardStampJoins} where ${filter} order by p.place`)} as page, (
      select json_agg(json_build_array(p.id, h.id::text, h.body)) from p cross join lateral (${newest}) h) as hits`.execute(
    scope.db,
  )
  const hits = new Map((rows[0]?.hits ?? []).map(([ticketId, id, body]) => [ticketId, { id, body }]))
  const cards = await loadCards(scope, parseRowVersions(rows[0]?.page), filter)
  return cards.map((card) => ({ ...card, hit: hits.get(card.id) }))
}
