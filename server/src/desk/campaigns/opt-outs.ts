import { type CampaignConsent, type CampaignStop, campaignStopsApi } from '@recado/contract/campaigns/campaigns'
import { fold } from '@recado/contract/text/fold'
import { type RawBuilder, sql } from 'kysely'
import { writeContactAudit } from '../../accounts/api-access/audit.ts'
import { findContact } from '../../directory/contacts/contact-store.ts'
import { keepPrepared } from '../../kernel/data/keep-prepared.ts'
import { likePattern, recordsPerPage } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { type Route, route } from '../../kernel/http/routes.ts'

type OptOutSource = { word?: string; whatsappId?: number | null; campaignId?: number | null; userId?: number | null }

/** Stores an opt-out from every campaign for all phone numbers of a contact. True: the opt-out is new. */
export async function addOptOut(scope: Scope, contactId: number, said: OptOutSource): Promise<boolean> {
  const { word = '', whatsappId = null, campaignId = null, userId = null } = said
  const { rows } = await sql`
    insert into "campaignStops" ("companyId", key, "contactId", "whatsappId", "campaignId", "userId", word, at)
    select ${scope.companyId}, k.key, ${contactId}, ${whatsappId}, ${campaignId}, ${userId}, ${word.slice(0, 40)}, ${scope.now()}
    from (
      select value as key from "contactIdentities"
      where "companyId" = ${scope.companyId} and "contactId" = ${contactId} and kind = 'phone'
      union all
      select 'c:' || ${contactId}::int where not exists (
        select from "contactIdentities" where "companyId" = ${scope.companyId} and "contactId" = ${contactId} and kind = 'phone')
    ) k on conflict ("companyId", key) do nothing returning id`.execute(scope.db)
  return rows.length > 0
}

/** A contact's phone numbers, and the hashes kept of erased people with the same numbers. */
const phoneKeysSql = (scope: Scope, contactId: number | RawBuilder<number>) => sql`
  select k.key from "contactIdentities" i join companies c on c.id = i."companyId",
    lateral (values (i.value), (stop_mark(c."stopSalt", i.value))) k (key)
  where i."companyId" = ${scope.companyId} and i."contactId" = ${contactId} and i.kind = 'phone'`

const isOptOutOfSql = (scope: Scope, contactId: number) => sql`s."companyId" = ${scope.companyId} and (
  s."contactId" = ${contactId} or s.key in (${phoneKeysSql(scope, contactId)}))`

/** Whether the contact wants no messages that they did not ask for. */
export const hasOptedOut = (scope: Scope, contactId: number): Promise<boolean> => scope.load(haveOptedOut, contactId)

async function haveOptedOut(scope: Scope, contactIds: number[]): Promise<boolean[]> {
  const { rows } = await sql<{ id: number }>`${keepPrepared}
    select c.id from unnest(${contactIds}::int[]) c (id)
    where exists (select from "campaignStops" s where s."companyId" = ${scope.companyId} and s."contactId" = c.id)
      or exists (select from (${phoneKeysSql(scope, sql<number>`c.id`)}) k
        join "campaignStops" s on s."companyId" = ${scope.companyId} and s.key = k.key)`.execute(scope.db)
  const optedOut = new Set(rows.map(({ id }) => id))
  return contactIds.map((id) => optedOut.has(id))
}

/** Ends the opt-out. True: the contact had opted out. */
export async function removeOptOut(scope: Scope, contactId: number): Promise<boolean> {
  const { rows } = await sql`
    delete from "campaignStops" s where ${isOptOutOfSql(scope, contactId)} returning s.id`.execute(scope.db)
  return rows.length > 0
}

const optOutColumns = sql`
  s.id, s."contactId", coalesce(c.name, '') as name, case when s.key like 'c:%' then coalesce(c.number, '') when s.key like 'h:%' then '' else s.key end as number,
  s.at, s.word, case when w.id is not null then json_build_object('id', w.id, 'name', w.name) end as whatsapp,
  case when k.id is not null then json_build_object('id', k.id, 'name', k.name) end as campaign,
  case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as "user"`
const optOutJoins = sql`
  left join contacts c on c."companyId" = s."companyId" and c.id = s."contactId"
  left join whatsapps w on w."companyId" = s."companyId" and w.id = s."whatsappId"
  left join campaigns k on k."companyId" = s."companyId" and k.id = s."campaignId"
  left join users u on u."companyId" = s."companyId" and u.id = s."userId"`

async function readOptOuts(
  scope: Scope,
  where: RawBuilder<unknown>,
  end: RawBuilder<unknown>,
): Promise<CampaignStop[]> {
  const { rows } = await sql<CampaignStop>`
    select ${optOutColumns} from "campaignStops" s ${optOutJoins} where s."companyId" = ${scope.companyId} and ${where} ${end}`.execute(
    scope.db,
  )
  return rows
}

/** The customer's words in their last consent, also from a contact that was merged into this one. */
async function loadConsent(scope: Scope, contactId: number): Promise<CampaignConsent | null> {
  const { rows } = await sql<CampaignConsent>`
    with recursive them as (
      select ${contactId}::int as id
      union
      select c.id from contacts c join them on c."mergedInto" = them.id where c."companyId" = ${scope.companyId}
    )
    select a.words, a.at, case when a."userName" <> '' then json_build_object('id', coalesce(a."userId", 0), 'name', a."userName") end as "user"
    from "campaignConsents" a join them on them.id = a."contactId"
    where a."companyId" = ${scope.companyId} order by a.id desc limit 1`.execute(scope.db)
  return rows[0] ?? null
}

type OptOutQuery = { searchParam: string; pageNumber: number; contactId: number | null }
async function listOptOuts(scope: Scope, { searchParam, pageNumber, contactId }: OptOutQuery) {
  const pattern = likePattern(fold(searchParam))
  const asked = [
    ...(contactId === null
      ? []
      : [sql`(s."contactId" = ${contactId} or s.key in (${phoneKeysSql(scope, contactId)}))`]),
    ...(searchParam ? [sql`(fold(coalesce(c.name, '')) like ${pattern} or s.key like ${pattern})`] : []),
  ]
  const where = asked.length ? sql.join(asked, sql` and `) : sql`true`
  const offset = (pageNumber - 1) * recordsPerPage
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from "campaignStops" s left join contacts c on c."companyId" = s."companyId" and c.id = s."contactId"
    where s."companyId" = ${scope.companyId} and ${where}`.execute(scope.db)
  const stops = await readOptOuts(scope, where, sql`order by s.id desc limit ${recordsPerPage} offset ${offset}`)
  const count = counted.rows[0]?.count ?? 0
  const consent = contactId === null || stops.length ? null : await loadConsent(scope, contactId)
  return { stops, count, hasMore: offset + stops.length < count, consent }
}

/** `onOptOut`: what ends in the transaction of an opt-out. */
export const optOutRoutes = (onOptOut: (scope: Scope, contactId: number) => Promise<void>): Route[] => [
  route(campaignStopsApi.list, (scope, { query }) => listOptOuts(scope, query)),
  route(campaignStopsApi.create, async (scope, { body }) => {
    await findContact(scope, body.contactId)
    await addOptOut(scope, body.contactId, { userId: scope.actor.id })
    await onOptOut(scope, body.contactId)
    const [stop] = await readOptOuts(
      scope,
      sql`(s."contactId" = ${body.contactId} or s.key in (${phoneKeysSql(scope, body.contactId)}))`,
      sql`order by s.id desc limit 1`,
    )
    return stop as CampaignStop
  }),
  route(campaignStopsApi.remove, async (scope, { body: { contactId, words } }) => {
    const contact = await findContact(scope, contactId)
    if (!(await removeOptOut(scope, contactId))) return { message: 'deleted' }
    const { id: userId, name: userName } = scope.actor
    await scope.db
      .insertInto('campaignConsents')
      .values({ companyId: scope.companyId, contactId, words, userId, userName, at: scope.now() })
      .execute()
    await writeContactAudit(scope, 'campaign-stop.undone', contact, [{ field: 'words', from: '', to: words }])
    return { message: 'deleted' }
  }),
]
