import { Contact, type contactsApi } from '@recado/contract/contacts'
import type { ParsedInput, Reply } from '@recado/contract/endpoint'
import { splitSearchTerms } from '@recado/contract/text/people-search'
import { type RawBuilder, sql } from 'kysely'
import { loadCompanyTimeZone } from '../../accounts/settings.ts'
import { addDays, endOfDay } from '../../kernel/clock.ts'
import { hideIdFromPlanner, keepPagePrepared, keepPrepared, literalLimit } from '../../kernel/data/keep-prepared.ts'
import { likePattern } from '../../kernel/data/records.ts'
import { makeRowTextCache, parseRowVersions } from '../../kernel/data/row-text-cache.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { SerializedReply } from '../../kernel/http/routes.ts'
import { type TallyKind, tallyCount } from '../tallies.ts'
import { type ContactRow, presentContact } from './contact-store.ts'
import { listPossiblePhoneKeys } from './identity.ts'

type ContactListQuery = ParsedInput<typeof contactsApi.list>['query']
type ContactExportQuery = ParsedInput<typeof contactsApi.export>['query']
type Condition = RawBuilder<unknown>
type ExportedContact = Pick<ContactRow, 'name' | 'number' | 'email'> & { owner: string }

const pageSize = 30
/** Counting stops at these limits, because an exact count would be expensive and is only displayed. */
const maxCounted = { all: 100_000, found: 2_000 }
/**
 * The search condition, and the rows among which it selects. `count`: the number of matches, if the search already knows
 * it (at most the limit plus 1).
 */
type ContactSearch = { condition: Condition; candidates: Candidates; maxCounted: number; count?: number }
type Candidates = RawBuilder<unknown>
const allContacts: Candidates = sql`contacts`
const unfilteredSearch: ContactSearch = { condition: sql`true`, candidates: allContacts, maxCounted: maxCounted.all }

/**
 * Contacts looked up one by one by their key (the limit enforces it). The planner knows only the average company: in a
 * small one it is as cheap to read all contacts in the order of names.
 */
const contactsByIds = (scope: Scope, ids: number[]): Candidates => sql`(
  select c.* from unnest(${ids}::int[]) k (id) cross join lateral (
    select *, xmin from contacts where "companyId" = ${hideIdFromPlanner(scope.companyId)} and id = k.id limit 1) c) contacts`

async function buildConditions(scope: Scope, query: ContactExportQuery) {
  const days = await createdCondition(scope, query)
  const found = query.searchParam ? await searchContacts(scope, query.searchParam) : unfilteredSearch
  const kind = query.kind && (query.kind === 'group' ? sql`"isGroup"` : sql`not "isGroup"`)
  const condition = sql`${ownContacts(scope)} and ${kind ?? sql`true`} and ${days ?? sql`true`} and ${found.condition}`
  return { found, wanted: condition, days, isWhole: !days && !kind }
}

/** The search column begins with the name in lower case without accents, so an index on it sorts by name (0235). */
const nameOrder = sql`search collate "C", id`

/** Rows per batch: an address book can have any size. */
const exportBatchSize = 5000

/** All matches of a search, sorted by name, in batches for an export file. */
export async function* streamContactsForExport(
  scope: Scope,
  query: ContactExportQuery,
): AsyncGenerator<ExportedContact[]> {
  const { wanted: condition, found } = await buildConditions(scope, query)
  let next = sql`true`
  for (;;) {
    const { rows } = await sql<ExportedContact & { id: number; search: string }>`
      select id, search, name, number, email, coalesce((select u.email from users u
        where u."companyId" = contacts."companyId" and u.id = contacts."ownerId"), '') as owner from ${found.candidates} where ${condition} and ${next}
      order by ${nameOrder} ${literalLimit(exportBatchSize)}`.execute(scope.db)
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < exportBatchSize) return
    next = sql`(search collate "C", id) > (${last.search}::text collate "C", ${last.id}::int)`
  }
}

/** Whether any contact has an owner: only then exports have a column for them. */
export async function hasOwners(scope: Scope): Promise<boolean> {
  const row = await scope.db
    .selectFrom('contacts')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('ownerId', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Sorts by name, or newest first. */
const orderFor = (by: ContactListQuery['sortBy']): Condition =>
  by === 'newest' ? sql`"createdAt" desc, id desc` : nameOrder

const cachedRowTexts = makeRowTextCache(8_000_000)

/** One page of contacts. One more row is read to know whether there is a next page; nothing is counted. */
export async function listContactsPage(
  scope: Scope,
  query: ContactListQuery,
): Promise<SerializedReply<Reply<typeof contactsApi.list>>> {
  const { found, wanted: condition, isWhole, days } = await buildConditions(scope, query)
  const offset = (query.pageNumber - 1) * pageSize
  const known = (isWhole && found.count) || undefined
  const kept = query.searchParam || days ? undefined : tallyKinds(query.kind)
  const counted = known !== undefined ? sql`0` : kept ? tallyCount(scope, kept) : countUpTo(found, condition)
  const { rows } = await sql<{ page: string | null; count: number }>`${keepPagePrepared(pageSize + 1, offset)}
    select (select string_agg(x.row, '|') from (
        select id || ':' || xmin as row from ${found.candidates} where ${condition}
        order by ${orderFor(query.sortBy)} ${literalLimit(pageSize + 1, offset)}
      ) x) as page, ${counted} as count`.execute(scope.db)
  const texts = await cachedRowTexts(scope, parseRowVersions(rows[0]?.page), (ids) => loadRowTexts(scope, ids))
  const shown = texts.slice(0, pageSize).map(({ text }) => text)
  const count = known ?? rows[0]?.count ?? 0
  const isLowerBound = !kept && count > found.maxCounted
  return new SerializedReply(
    `{"contacts":[${shown.join()}],"count":${isLowerBound ? found.maxCounted : count},"hasMore":${texts.length > pageSize},"isLowerBound":${isLowerBound}}`,
  )
}

/** All users of the company see its contacts, so the text of a row is the same for all of them. */
async function loadRowTexts(scope: Scope, ids: number[]) {
  const { rows } = await sql<ContactRow & { stamp: string }>`${keepPrepared}
    select xmin::text as stamp, * from contacts where ${ownContacts(scope)} and id = any(${ids}::int[])`.execute(
    scope.db,
  )
  return rows.map(({ stamp, ...row }) => ({
    id: row.id,
    stamp,
    text: JSON.stringify(Contact.parse(presentContact(scope, row))),
  }))
}

const tallyKinds = (kind: ContactListQuery['kind']): TallyKind[] => {
  if (!kind) return ['contacts', 'groups']
  return [kind === 'group' ? 'groups' : 'contacts']
}

const countUpTo = ({ candidates, maxCounted }: ContactSearch, condition: Condition) =>
  sql`(select count(*) from (select 1 from ${candidates} where ${condition} ${literalLimit(maxCounted + 1)}) t)`

/** A maximum that no user scrolls through in a select. */
const maxListedContacts = 20_000

/** All contacts, for selects. */
export async function listAllContacts(scope: Scope, name: string): Promise<Reply<typeof contactsApi.all>> {
  const { rows } = await sql<{ id: number; name: string; number: string }>`
    select id, name, number from contacts where ${ownContacts(scope)}
      and ${name ? nameCondition(splitSearchTerms(name)) : sql`true`} order by ${nameOrder} ${literalLimit(maxListedContacts)}`.execute(
    scope.db,
  )
  return rows
}

const ownContacts = (scope: Scope): Condition =>
  sql`"companyId" = ${hideIdFromPlanner(scope.companyId)} and "mergedInto" is null`
const nameCondition = (words: string[]): Condition => sql`search like all (${words.map(likePattern)}::text[])`

/**
 * Finds contacts by words. Rare words are found through the index. Frequent words would give a long list to sort:
 * instead, the contacts are read in the order of names until a page is full. A trigram index cannot find words under
 * three letters.
 */
async function searchContacts(scope: Scope, typed: string): Promise<ContactSearch> {
  const words = splitSearchTerms(typed)
  const phoneIds = await findByPhone(scope, typed.replace(/\D/g, ''))
  const walk = {
    condition: phoneIds.length ? sql`(${nameCondition(words)} or id = any(${phoneIds}::int[]))` : nameCondition(words),
    candidates: allContacts,
    maxCounted: maxCounted.found,
  }
  if (!words.some((word) => [...word].length >= 3)) return walk
  const search = sql<{ id: number }>`select id from find_contacts(${words}::text[], ${maxCounted.found + 1})`
  const { rows } = await search.execute(scope.db)
  if (rows.length > maxCounted.found) return { ...walk, count: maxCounted.found + 1 }
  const ids = [...new Set([...rows.map((r) => r.id), ...phoneIds])]
  const candidates = contactsByIds(scope, ids)
  return { condition: sql`true`, candidates, maxCounted: maxCounted.found, count: ids.length }
}

/** A full Brazilian number is found with and without its ninth digit. */
async function findByPhone(scope: Scope, digits: string): Promise<number[]> {
  const keys = listPossiblePhoneKeys(digits)
  if (!keys.length) return []
  const rows = await scope.db
    .selectFrom('contactIdentities')
    .select('contactId')
    .where('companyId', '=', scope.companyId)
    .where('kind', '=', 'phone')
    .where('value', 'in', keys)
    .execute()
  return rows.map((r) => r.contactId)
}

/** Created on a day or in a range of days, in the company's time zone. */
async function createdCondition(
  scope: Scope,
  { date, dateStart, dateEnd }: ContactExportQuery,
): Promise<Condition | null> {
  const [from, to] = [date ?? dateStart, date ?? dateEnd]
  if (!from && !to) return null
  const zone = await loadCompanyTimeZone(scope)
  const lastSecond = (day: string) => endOfDay(day, zone).getTime() + 1000
  const since = from ? sql`"createdAt" >= ${new Date(lastSecond(addDays(from, -1)))}` : sql`true`
  const until = to ? sql`"createdAt" < ${new Date(lastSecond(to))}` : sql`true`
  return sql`${since} and ${until}`
}
