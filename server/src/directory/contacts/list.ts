import { Contact, type contactsApi } from '@recado/contract/contacts'
import type { Parsed, Reply } from '@recado/contract/kit'
import { searchedWords } from '@recado/contract/words/searched'
import { type RawBuilder, sql } from 'kysely'
import { zoneOf } from '../../accounts/settings.ts'
import { addDays, endOfDay } from '../../kernel/clock.ts'
import { hot, hotPage, pageEnd, unseen } from '../../kernel/data/hot.ts'
import { keptTexts, stampedIn } from '../../kernel/data/kept.ts'
import { like } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { Finished } from '../../kernel/http/http.ts'
import { type Kind, tallied } from '../tallies.ts'
import { phonesIn } from './identity.ts'
import { type ContactRow, shownContact } from './people.ts'

type Query = Parsed<typeof contactsApi.list>['query']
type Asked = Parsed<typeof contactsApi.export>['query']
type Condition = RawBuilder<unknown>
type Written = Pick<ContactRow, 'name' | 'number' | 'email'>

const pageSize = 30
/** Counting is for a figure on a screen: it stops where reading on would cost more than the figure is worth. */
const maxCounted = { all: 100_000, found: 2_000 }
/** Who is looked for; how many that is, where finding them has told, or one more than is counted. */
type Found = { condition: Condition; maxCounted: number; count?: number }
const everybody: Found = { condition: sql`true`, maxCounted: maxCounted.all }

async function wantedBy(scope: Scope, query: Asked) {
  const days = await created(scope, query)
  const found = query.searchParam ? await matching(scope, query.searchParam) : everybody
  const kind = query.kind && (query.kind === 'group' ? sql`"isGroup"` : sql`not "isGroup"`)
  const wanted = sql`${own(scope)} and ${kind ?? sql`true`} and ${days ?? sql`true`} and ${found.condition}`
  return { found, wanted, days, isWhole: !days && !kind }
}

/** What is searched begins with the name, without accents and capitals: its order is the names', and is kept (0235). */
const byLetters = sql`search collate "C", id`

/** So many are held at a time of a book that may be as long as somebody likes. */
const portion = 5000

/** All that a search finds, by name, for a file: piece by piece. */
export async function* peopleFor(scope: Scope, query: Asked): AsyncGenerator<Written[]> {
  const { wanted } = await wantedBy(scope, query)
  let next = sql`true`
  for (;;) {
    const { rows } = await sql<Written & { id: number; search: string }>`
      select id, search, name, number, email from contacts where ${wanted} and ${next}
      order by ${byLetters} ${pageEnd(portion)}`.execute(scope.db)
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < portion) return
    next = sql`(search collate "C", id) > (${last.search}::text collate "C", ${last.id}::int)`
  }
}

/** By name, or who came last first. */
const ordered = (by: Query['sortBy']): Condition => (by === 'newest' ? sql`"createdAt" desc, id desc` : byLetters)

const inTexts = keptTexts(8_000_000)

/** One page. Whether there is more is read, not counted. */
export async function pageOf(scope: Scope, query: Query): Promise<Finished<Reply<typeof contactsApi.list>>> {
  const { found, wanted, isWhole, days } = await wantedBy(scope, query)
  const offset = (query.pageNumber - 1) * pageSize
  const known = (isWhole && found.count) || undefined
  const kept = query.searchParam || days ? undefined : kindsOf(query.kind)
  const counted = known !== undefined ? sql`0` : kept ? tallied(scope, kept) : countOf(wanted, found.maxCounted + 1)
  const { rows } = await sql<{ page: string | null; count: number }>`${hotPage(pageSize + 1, offset)}
    select (select string_agg(x.row, '|') from (
        select id || ':' || xmin as row from contacts where ${wanted}
        order by ${ordered(query.sortBy)} ${pageEnd(pageSize + 1, offset)}
      ) x) as page, ${counted} as count`.execute(scope.db)
  const texts = await inTexts(scope, stampedIn(rows[0]?.page), (ids) => look(scope, ids))
  const shown = texts.slice(0, pageSize).map(({ text }) => text)
  const count = known ?? rows[0]?.count ?? 0
  const isLowerBound = !kept && count > found.maxCounted
  return new Finished(
    `{"contacts":[${shown.join()}],"count":${isLowerBound ? found.maxCounted : count},"hasMore":${texts.length > pageSize},"isLowerBound":${isLowerBound}}`,
  )
}

/** Everybody of the company sees its contacts: a row reads the same for all. */
async function look(scope: Scope, ids: number[]) {
  const { rows } = await sql<ContactRow & { stamp: string }>`${hot}
    select xmin::text as stamp, * from contacts where ${own(scope)} and id = any(${ids}::int[])`.execute(scope.db)
  return rows.map(({ stamp, ...row }) => ({
    id: row.id,
    stamp,
    text: JSON.stringify(Contact.parse(shownContact(scope, row))),
  }))
}

const kindsOf = (kind: Query['kind']): Kind[] => {
  if (!kind) return ['contacts', 'groups']
  return [kind === 'group' ? 'groups' : 'contacts']
}

const countOf = (wanted: Condition, max: number) =>
  sql`(select count(*) from (select 1 from contacts where ${wanted} ${pageEnd(max)}) t)`

/** More than anybody chooses from. */
const mostListed = 20_000

/** All of them, for the selects. */
export async function everyone(scope: Scope, name: string): Promise<Reply<typeof contactsApi.all>> {
  const { rows } = await sql<{ id: number; name: string; number: string }>`
    select id, name, number from contacts where ${own(scope)}
      and ${name ? named(searchedWords(name)) : sql`true`} order by ${byLetters} ${pageEnd(mostListed)}`.execute(
    scope.db,
  )
  return rows
}

const own = (scope: Scope): Condition => sql`"companyId" = ${unseen(scope.companyId)} and "mergedInto" is null`
const named = (words: string[]): Condition => sql`search like all (${words.map(like)}::text[])`

/**
 * What few have is found through the index. What many have would be a long list to sort: the names are walked in
 * order instead, and a page is soon full. A trigram index knows nothing of words under three letters.
 */
async function matching(scope: Scope, typed: string): Promise<Found> {
  const words = searchedWords(typed)
  const phoneIds = await withPhone(scope, typed.replace(/\D/g, ''))
  const walk = {
    condition: phoneIds.length ? sql`(${named(words)} or id = any(${phoneIds}::int[]))` : named(words),
    maxCounted: maxCounted.found,
  }
  if (!words.some((word) => [...word].length >= 3)) return walk
  const search = sql<{ id: number }>`select id from find_contacts(${words}::text[], ${maxCounted.found + 1})`
  const { rows } = await search.execute(scope.db)
  if (rows.length > maxCounted.found) return { ...walk, count: maxCounted.found + 1 }
  const ids = [...new Set([...rows.map((r) => r.id), ...phoneIds])]
  return { condition: sql`id = any(${ids}::int[])`, maxCounted: maxCounted.found, count: ids.length }
}

/** A whole number finds its contact also when it stands there without its ninth digit, or with it. */
async function withPhone(scope: Scope, digits: string): Promise<number[]> {
  const keys = phonesIn(digits)
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

/** Met on a day, or from one day to another, as the company counts its days. */
async function created(scope: Scope, { date, dateStart, dateEnd }: Asked): Promise<Condition | null> {
  const [from, to] = [date ?? dateStart, date ?? dateEnd]
  if (!from && !to) return null
  const zone = await zoneOf(scope)
  const lastSecond = (day: string) => endOfDay(day, zone).getTime() + 1000
  const since = from ? sql`"createdAt" >= ${new Date(lastSecond(addDays(from, -1)))}` : sql`true`
  const until = to ? sql`"createdAt" < ${new Date(lastSecond(to))}` : sql`true`
  return sql`${since} and ${until}`
}
