import type { SkipReason } from '@recado/contract/campaigns/campaigns'
import type { CampaignSettings } from '@recado/contract/campaigns/settings'
import { type RawBuilder, sql } from 'kysely'
import { contactLists } from '../../directory/contact-lists/contact-lists.ts'
import { questionCondition } from '../../directory/contact-lists/list-question.ts'
import { addMs, days } from '../../kernel/clock.ts'
import { recordsPerPage } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'

/** Where the recipients of a campaign come from. */
export type AudienceSource = { contactListId: number | null; tagId: number | null }
/** Rules to skip people who were contacted recently or have an open ticket. `campaignId`: this campaign itself does not count. */
export type AudienceRules = Pick<CampaignSettings, 'daysBetween' | 'skipOpen'> & { campaignId: number | null }

const emptyContactFilter = { tagIds: [], queueIds: [], adIds: [], wroteFrom: null, wroteUntil: null, field: null }

/** The key that identifies a contact: the phone number, else the contact id. */
const audienceKeySql = sql`case when p.value is null then 'c:' || c.id else p.value end`
const contactsByFilter = (found: RawBuilder<boolean>) => sql`
  select c.id as "contactId", ${audienceKeySql} as key, c.name, c.number, c.email, true as valid, 1 as place, c.id as n
  from contacts c left join lateral (
    select value from "contactIdentities" i where i."companyId" = c."companyId" and i."contactId" = c.id and i.kind = 'phone'
    order by value limit 1
  ) p on true where ${found}`

/** All recipients of a campaign, from its list and from contacts. List rows come before rows found by a query. */
async function audiencePeopleQuery(
  scope: Scope,
  { contactListId, tagId }: AudienceSource,
): Promise<RawBuilder<unknown> | null> {
  const parts: RawBuilder<unknown>[] = []
  if (contactListId !== null) {
    const { question } = await contactLists.findRow(scope, contactListId)
    parts.push(
      question
        ? contactsByFilter(await questionCondition(scope, question))
        : sql`
          select c.id as "contactId", i.key, i.name, i.number, i.email, i."isWhatsappValid" as valid, 0 as place, i.id as n
          from "contactListItems" i
          left join "contactIdentities" p on p."companyId" = i."companyId" and p.kind = 'phone' and p.value = i.key
          left join contacts c on c."companyId" = p."companyId" and c.id = p."contactId" and c."mergedInto" is null
          where i."companyId" = ${scope.companyId} and i."contactListId" = ${contactListId}`,
    )
  }
  if (tagId !== null)
    parts.push(contactsByFilter(await questionCondition(scope, { ...emptyContactFilter, tagIds: [tagId] })))
  return parts.length ? sql.join(parts, sql` union all `) : null
}

/** Whether the person `p` has opted out, by phone number or as a contact. */
export const hasOptedOutSql = (p: string) =>
  sql.raw(`(
  exists (select from "campaignStops" x where x."companyId" = ${p}."companyId" and x.key = ${p}.key)
  or exists (select from "campaignStops" x where x."companyId" = ${p}."companyId"
    and x.key = stop_mark((select c."stopSalt" from companies c where c.id = ${p}."companyId"), ${p}.key))
  or exists (select from "campaignStops" x where x."companyId" = ${p}."companyId" and x."contactId" = ${p}."contactId"))`)
/** Whether the person `p` has an open ticket with an agent. */
export const hasOpenTicketSql = (p: string) =>
  sql.raw(`exists (
  select from tickets t where t."companyId" = ${p}."companyId" and t."contactId" = ${p}."contactId" and t.status = 'open')`)
/** Whether the person `p` got another campaign since then, or a message that a flow wrote by itself. */
export const wasContactedSinceSql = (p: string, since: Date, campaignId: number | null) => sql`(exists (
  select from "campaignShippings" x where x."companyId" = ${sql.ref(`${p}.companyId`)} and x.key = ${sql.ref(`${p}.key`)}
    and x."queuedAt" > ${since} and x."campaignId" <> ${campaignId ?? 0})
  or exists (select from messages m where m."companyId" = ${sql.ref(`${p}.companyId`)}
    and m."contactId" = ${sql.ref(`${p}.contactId`)} and m.unprompted and m."createdAt" > ${since}))`

/** Each recipient with the reason for being skipped; null: not skipped. Returns null if there is no source. */
export async function buildAudienceQuery(
  scope: Scope,
  source: AudienceSource,
  { daysBetween, skipOpen, campaignId }: AudienceRules,
): Promise<RawBuilder<unknown> | null> {
  const people = await audiencePeopleQuery(scope, source)
  if (!people) return null
  const since = addMs(scope.now(), -days(daysBetween))
  const recent = daysBetween > 0 ? sql`when ${wasContactedSinceSql('p', since, campaignId)} then 'recent'` : sql``
  const talking = skipOpen ? sql`when ${hasOpenTicketSql('p')} then 'in-conversation'` : sql``
  return sql`
    select p.*, case
      when p."nthKey" > 1 or p."nthPerson" > 1 then 'doubled'
      when p.valid is null then 'unknown'
      when not p.valid then 'invalid'
      when ${hasOptedOutSql('p')} then 'stopped'
      ${talking} ${recent}
    end as why
    from (
      select u.*, ${scope.companyId}::int as "companyId",
        row_number() over (partition by u.key order by u.place, u.n) as "nthKey",
        row_number() over (partition by case when u."contactId" is null then u.key else u."contactId"::text end order by u.place, u.n) as "nthPerson"
      from (${people}) u
    ) p`
}

/** The number of recipients by skip reason. */
export async function countAudience(
  scope: Scope,
  source: AudienceSource,
  rules: AudienceRules,
): Promise<Partial<Record<SkipReason | 'gets', number>>> {
  const audience = await buildAudienceQuery(scope, source, rules)
  if (!audience) return {}
  const { rows } = await sql<{ why: SkipReason | null; count: number }>`
    select a.why, count(*)::int as count from (${audience}) a group by a.why`.execute(scope.db)
  return Object.fromEntries(rows.map(({ why, count }) => [why ?? 'gets', count]))
}

/** The number of recipients who get the message, by the first digits of their numbers; empty: the number is not known. */
export async function countRecipientsByPrefix(
  scope: Scope,
  source: AudienceSource,
  rules: AudienceRules,
  digits: number,
): Promise<{ prefix: string; count: number }[]> {
  const audience = await buildAudienceQuery(scope, source, rules)
  if (!audience) return []
  const { rows } = await sql<{ prefix: string; count: number }>`
    select case when a.key ~ '^[0-9]' then left(a.key, ${digits}::int) else '' end as prefix, count(*)::int as count
    from (${audience}) a where a.why is null group by 1`.execute(scope.db)
  return rows
}

type AudiencePageQuery = {
  why: SkipReason | null
  pageNumber: number
  /** How many of the first recipients to skip. */
  after: number
}
/** A page of the people skipped for this reason, in sending order; null: people who get the message. */
export async function listAudience(
  scope: Scope,
  source: AudienceSource,
  rules: AudienceRules,
  { why, pageNumber, after }: AudiencePageQuery,
) {
  const audience = await buildAudienceQuery(scope, source, rules)
  if (!audience) return { people: [], count: 0, hasMore: false }
  const before = (pageNumber - 1) * recordsPerPage
  // One query for page and count: resolving the recipients takes most of the time, and they may change
  // between two queries.
  type FoundPerson = { contactId: number | null; name: string; number: string }
  const { rows } = await sql<(FoundPerson | { name: null }) & { all: number }>`
    with a as materialized (
      select u."contactId", u.name, u.number, u.place, u.n from (${audience}) u where u.why is not distinct from ${why}
    )
    select p.*, c.count as all from (select count(*)::int as count from a) c left join lateral (
      select "contactId", name, number from a order by place, n limit ${recordsPerPage} offset ${after + before}
    ) p on true`.execute(scope.db)
  const count = Math.max(0, (rows[0]?.all ?? 0) - after)
  const people = rows.flatMap((row) =>
    row.name === null ? [] : [{ contactId: row.contactId, name: row.name, number: row.number }],
  )
  return { people, count, hasMore: before + people.length < count }
}

/** The first recipients who get the message. */
export async function previewAudience(scope: Scope, source: AudienceSource, limit: number) {
  const people = await audiencePeopleQuery(scope, source)
  if (!people) return []
  const { rows } = await sql<{ name: string; number: string; email: string }>`
    select u.name, u.number, u.email from (${people}) u where u.valid is not false
    order by u.place, u.n limit ${limit}`.execute(scope.db)
  return rows
}
