import { fold } from '@recado/contract/text/fold'
import { splitSearchTerms } from '@recado/contract/text/people-search'
import { type RawBuilder, sql } from 'kysely'
import { listPossiblePhoneKeys } from '../../directory/contacts/identity.ts'
import { hideIdFromPlanner, keepPrepared, literalLimit } from '../../kernel/data/keep-prepared.ts'
import { likePattern } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { type TicketSelection, walkIndexPathsSql } from './base/index-paths.ts'
import { type CardPage, type CardWithHit, loadCardsWithHits, type SearchMatch } from './cards.ts'

export type SearchPage = { cards: CardWithHit[]; count: number }

/**
 * A page of the tickets whose contact, phone number, number or messages match, whatever the word and the filter.
 *
 * There are two strategies, and both find all matches. Rare words are looked up in the trigram indexes, which return every
 * hit; then the hits are filtered and ordered. For a common word the hits would be most of the table, so the tickets are
 * scanned in page order instead, as in a list without a search, and each is tested until the page is full.
 */
export async function searchTickets(
  scope: Scope,
  words: string,
  page: CardPage & TicketSelection,
): Promise<SearchPage> {
  const common = await detectCommonWords(scope, words)
  const search = { words, commonWords: common, page }
  const walked = common.messages || common.contacts ? await walkTickets(scope, search) : undefined
  const { matches, count } = walked ?? (await lookUpTickets(scope, search))
  const hit = walked && common.messages ? { body: wordsPatternSql(words) } : 'known'
  return { cards: await loadCardsWithHits(scope, matches, hit, page), count }
}

type Search = { words: string; commonWords: CommonWords; page: CardPage & TicketSelection }
type SearchMatches = { matches: SearchMatch[]; count: number }

/** The search pattern. The value is hidden from the planner, so that one cached plan serves every word. */
const wordsPatternSql = (words: string) => sql<string>`(select ${likePattern(fold(words))}::text)`
const namePatternsSql = (words: string) => sql<string[]>`(select ${splitSearchTerms(words).map(likePattern)}::text[])`

/** Whether a word is in so many messages, or names, that scanning tickets is cheaper than an index lookup. */
type CommonWords = {
  messages: boolean
  contacts: boolean
  /** Whether the word is rare enough for an index lookup. */
  canLookUp: boolean
}

/** Rows are sampled in groups, spread evenly over the company's ids. Several hits within one group count once. */
const sampleSizes = { messages: 40, contacts: 25, rowsEach: 8 }
/**
 * A word is common from this many groups with a hit on: about one message in 150, or one contact in 70. With a million
 * messages a rarer word is found faster by the index, and a more common word by testing tickets until the page is full.
 */
const commonThresholds = { messages: 2, contacts: 3 }
/** From this many groups with a hit on, about one message in 40, an index lookup would read too many rows. */
const maxHitsForLookup = 8

/**
 * Estimates from a sample how common the words are. A wrong estimate only costs time, because both strategies find the
 * same tickets. A search text of fewer than three characters has no trigram, so an index lookup would read everything.
 */
async function detectCommonWords(scope: Scope, words: string): Promise<CommonWords> {
  const { rows } = await sql<{ messages: number; contacts: number }>`${keepPrepared}select
    ${sampledHitsSql(scope, sql`messages`, sampleSizes.messages, sql`fold(x.body) like ${wordsPatternSql(words)}`)} as messages,
    ${sampledHitsSql(scope, sql`contacts`, sampleSizes.contacts, sql`x.search like all (${namePatternsSql(words)}::text[])`)}
      as contacts`.execute(scope.db)
  const { messages = 0, contacts = 0 } = rows[0] ?? {}
  const hasTrigram = (text: string) => [...text].length >= 3
  const hasTrigrams = hasTrigram(fold(words)) && splitSearchTerms(words).some(hasTrigram)
  return {
    messages: messages >= commonThresholds.messages || !hasTrigram(fold(words)),
    contacts: contacts >= commonThresholds.contacts || !splitSearchTerms(words).some(hasTrigram),
    canLookUp: hasTrigrams && messages < maxHitsForLookup,
  }
}

function sampledHitsSql(scope: Scope, table: RawBuilder<unknown>, groups: number, test: RawBuilder<unknown>) {
  const company = hideIdFromPlanner(scope.companyId)
  const edge = (direction: 'asc' | 'desc') =>
    sql`(select id from ${table} where "companyId" = ${company} order by id ${sql.raw(direction)} limit 1)`
  return sql<number>`(
    select count(distinct n.n)::int from (select ${edge('asc')} as low, ${edge('desc')} as high offset 0) ids
    cross join generate_series(0, ${sql.lit(groups - 1)}) n (n)
    cross join lateral (
      select * from ${table} where "companyId" = ${company} and id >= low + (high - low) * n.n / ${sql.lit(groups)}
      order by id limit ${sql.lit(sampleSizes.rowsEach)}
    ) x where ${test})`
}

/** Parses a ticket number, with or without #. Older clients show the id, without #. */
function ticketNumbersIn(words: string): { number: number; id: number } | undefined {
  const [, sharp, digits] = /^(#?)(\d{1,9})$/.exec(words) ?? []
  return digits === undefined ? undefined : { number: Number(digits), id: sharp ? 0 : Number(digits) }
}

const contactsWithPhone = (scope: Scope, phones: string[]) => sql`
  select i."contactId" from "contactIdentities" i
  where i."companyId" = ${hideIdFromPlanner(scope.companyId)} and i.kind = 'phone' and i.value = any(${phones}::text[])`
/** Contacts whose name matches. The function requires a limit; this limit is never reached. */
const contactsWithName = (words: string) =>
  sql`select id from find_contacts(${splitSearchTerms(words)}::text[], 2147483647)`
const ticketsWithWords = (words: string) => sql`select "ticketId", "messageId" from find_tickets_by_words(${words})`

/**
 * Finds all hits by the indexes, then filters and orders them. The count is exact. Each hit is looked up by its key
 * (the limit enforces it): the planner does not know how few hits there are, and would read every ticket of the
 * company.
 */
async function lookUpTickets(scope: Scope, { words, page }: Search): Promise<SearchMatches> {
  const company = hideIdFromPlanner(scope.companyId)
  const numbers = ticketNumbersIn(words)
  const phones = listPossiblePhoneKeys(words)
  const contacts = sql.join(
    [contactsWithName(words), ...(phones.length ? [contactsWithPhone(scope, phones)] : [])],
    sql` union `,
  )
  const { rows } = await sql<{ count: number; page: [number, string | null][] | null }>`${keepPrepared}
    with said as materialized (${ticketsWithWords(words)}), hits as (
      select "ticketId" as id from said
      union select t.id from (${contacts}) c (id) cross join lateral (
        select t.id from tickets t where t."companyId" = ${company} and t."contactId" = c.id offset 0) t
      ${numbers ? sql`union select ${numbers.id}::int union select t.id from tickets t where t."companyId" = ${company} and t.number = ${numbers.number}` : sql``}
    ), matches as materialized (
      select t.id, t."updatedMinute", t."updatedAt", t.priority, t."waitingSince", t."snoozedUntil" from hits cross join lateral (
        select * from tickets t where t."companyId" = ${company} and t.id = hits.id limit 1) t where ${page.filter}
    )
    select (select count(*)::int from matches) as count, (
      select json_agg(json_build_array(p.id, (select s."messageId"::text from said s where s."ticketId" = p.id)))
      from (select t.id from matches t order by ${page.order.exact} limit ${page.limit} offset ${page.offset}) p
    ) as page`.execute(scope.db)
  const matches = (rows[0]?.page ?? []).map(([id, messageId]) => ({ id, messageId }))
  return { matches, count: rows[0]?.count ?? 0 }
}

/** How many tickets the first statement tests; each further statement tests four times as many, up to a maximum. */
const firstBatchSize = 200
const maxBatchSize = 12_800

/**
 * If fewer than one ticket in this many matches, the hits are further down in the list, and an index lookup is faster.
 */
const maxTestedPerMatch = 20

/**
 * Scans in page order until the page is full. The count is exact if the scan reached the end, else a lower bound. Returns
 * undefined if a lookup is possible and the scan finds too little.
 */
async function walkTickets(scope: Scope, search: Search): Promise<SearchMatches | undefined> {
  const { limit, offset } = search.page
  const matches = new Map<number, SearchMatch>()
  const maxMatches = offset + limit + firstBatchSize
  let walked = 0
  for (let size = firstBatchSize; ; size = Math.min(size * 4, maxBatchSize)) {
    const batch = await testBatch(scope, search, walked, size, maxMatches - matches.size)
    // A ticket that changes between two statements may appear again.
    for (const match of batch.matches) if (!matches.has(match.id)) matches.set(match.id, match)
    walked += size
    if (matches.size >= offset + limit || batch.tested < size) break
    if (search.commonWords.canLookUp && walked >= maxTestedPerMatch * (offset + limit)) return undefined
  }
  return { matches: [...matches.values()].slice(offset, offset + limit), count: matches.size }
}

/** Tests the tickets of a batch in page order until enough match. `tested`: the size of the batch. */
async function testBatch(
  scope: Scope,
  { words, commonWords: common, page }: Search,
  walked: number,
  size: number,
  maxMatches: number,
) {
  const also = sql`t."contactId", t.number`
  const { rows } = await sql<{
    tested: number
    matches: [number, string | null][] | null
  }>`${walked < maxBatchSize ? keepPrepared : sql``}
    with batch as materialized (
      select t.* from (${walkIndexPathsSql({ ...page, also }, walked + size)}) t order by ${page.order.exact} ${literalLimit(size, walked)}
    ), said as materialized (${common.messages ? sql`select null::int as "ticketId", null::bigint as "messageId" where false` : ticketsWithWords(words)})
    select (select count(*)::int from batch) as tested, (
      select json_agg(json_build_array(t.id, (select s."messageId"::text from said s where s."ticketId" = t.id)) order by ${page.order.exact})
      from (select * from batch t where ${matchesTicketSql(scope, words, common)} limit ${maxMatches}) t
    ) as matches`.execute(scope.db)
  const matches = (rows[0]?.matches ?? []).map(([id, messageId]) => ({ id, messageId }))
  return { tested: rows[0]?.tested ?? 0, matches }
}

/**
 * Whether ticket `t` matches. Rare matches were looked up once (`said`); common matches are tested for each ticket: the
 * offset keeps the planner from reading the messages of all tickets instead.
 */
function matchesTicketSql(scope: Scope, words: string, common: CommonWords): RawBuilder<unknown> {
  const company = hideIdFromPlanner(scope.companyId)
  const numbers = ticketNumbersIn(words)
  const phones = listPossiblePhoneKeys(words)
  const named = common.contacts
    ? sql`exists (select 1 from contacts c where c."companyId" = ${company} and c.id = t."contactId"
        and c."mergedInto" is null and c.search like all (${namePatternsSql(words)}::text[]) offset 0)`
    : sql`t."contactId" in (${contactsWithName(words)})`
  const said = common.messages
    ? sql`exists (select 1 from messages m where m."companyId" = ${company} and m."ticketId" = t.id
        and not m."isDeleted" and fold(m.body) like ${wordsPatternSql(words)} offset 0)`
    : sql`t.id in (select "ticketId" from said)`
  return sql.join(
    [
      ...(numbers ? [sql`t.id = ${numbers.id}`, sql`t.number = ${numbers.number}`] : []),
      ...(phones.length ? [sql`t."contactId" in (${contactsWithPhone(scope, phones)})`] : []),
      named,
      said,
    ],
    sql` or `,
  )
}
