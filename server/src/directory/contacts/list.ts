import type { contactsApi } from '@recado/contract/contacts'
import type { Parsed, Reply } from '@recado/contract/kit'
import { type RawBuilder, sql } from 'kysely'
import { zoneOf } from '../../accounts/settings.ts'
import { addDays, endOfDay } from '../../kernel/clock.ts'
import { like } from '../../kernel/records.ts'
import type { Scope } from '../../kernel/scope.ts'
import { phoneKey } from './identity.ts'
import type { ContactRow } from './people.ts'

type Query = Parsed<typeof contactsApi.list>['query']
type Condition = RawBuilder<unknown>

const pageSize = 30
/** Counting is for a figure on a screen: it stops where reading on would cost more than the figure is worth. */
const most = { all: 100_000, found: 2_000 }

/** One page by name. Whether there is more is read, not counted. */
export async function pageOf(scope: Scope, query: Query): Promise<Reply<typeof contactsApi.list>> {
  const needle = query.searchParam
  const wanted = sql`${own(scope)} and ${await created(scope, query)} and ${needle ? await matching(scope, needle) : sql`true`}`
  const { rows } = await sql<ContactRow>`
    select * from contacts where ${wanted} order by lower(name), id
    limit ${pageSize + 1} offset ${(query.pageNumber - 1) * pageSize}`.execute(scope.db)
  const counted = await sql<{ count: number }>`
    select count(*) as count from (select 1 from contacts where ${wanted} limit ${needle ? most.found : most.all}) t`.execute(
    scope.db,
  )
  return { contacts: rows.slice(0, pageSize), count: counted.rows[0]?.count ?? 0, hasMore: rows.length > pageSize }
}

/** All of them, for the selects. */
export async function everyone(scope: Scope, name: string): Promise<Reply<typeof contactsApi.all>> {
  const { rows } = await sql<{ id: number; name: string; number: string }>`
    select id, name, number from contacts where ${own(scope)} and ${name ? named(name) : sql`true`} order by lower(name), id`.execute(
    scope.db,
  )
  return rows
}

const own = (scope: Scope): Condition => sql`"companyId" = ${scope.companyId} and "mergedInto" is null`
const named = (name: string): Condition => sql`fold(name) like fold(${like(name)})`

/**
 * What few have is found through the index. What many have would be a long list to sort: the names are walked in
 * order instead, and a page is soon full. A trigram index knows nothing of words under three letters.
 */
async function matching(scope: Scope, typed: string): Promise<Condition> {
  const digits = typed.replace(/\D/g, '')
  const needle = /^[+\d\s().-]+$/.test(typed) && digits ? digits : typed
  const byNumber = /\d{3}/.test(needle) ? sql`number like ${like(digits)}` : sql`false`
  const walk = sql`(${named(needle)} or ${byNumber})`
  if ([...needle].length < 3) return walk
  const { rows } = await sql<{ id: number }>`select id from find_contacts(${needle}, ${most.found + 1})`.execute(
    scope.db,
  )
  if (rows.length > most.found) return walk
  const ids = [...rows.map((r) => r.id), ...(await withPhone(scope, digits))]
  return sql`id = any(${ids}::int[])`
}

/** A whole number finds its contact also when it stands there without its ninth digit, or with it. */
async function withPhone(scope: Scope, digits: string): Promise<number[]> {
  if (digits.length < 8) return []
  const rows = await scope.db
    .selectFrom('contactIdentities')
    .select('contactId')
    .where('companyId', '=', scope.companyId)
    .where('kind', '=', 'phone')
    .where('value', 'in', [phoneKey(digits), phoneKey(`55${digits}`)])
    .execute()
  return rows.map((r) => r.contactId)
}

/** Met on a day, or from one day to another, as the company counts its days. */
async function created(scope: Scope, { date, dateStart, dateEnd }: Query): Promise<Condition> {
  const [from, to] = [date ?? dateStart, date ?? dateEnd]
  if (!from && !to) return sql`true`
  const zone = await zoneOf(scope)
  const lastSecond = (day: string) => endOfDay(day, zone).getTime() + 1000
  const since = from ? sql`"createdAt" >= ${new Date(lastSecond(addDays(from, -1)))}` : sql`true`
  const until = to ? sql`"createdAt" < ${new Date(lastSecond(to))}` : sql`true`
  return sql`${since} and ${until}`
}
