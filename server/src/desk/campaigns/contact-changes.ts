import { sql } from 'kysely'
import type { ContactReferences } from '../../directory/contacts/contact-references.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { changeCampaign } from './view.ts'

type MovedCampaignRows = { shippings: number[]; stops: number[] }

/** Moves all campaign data, or only the given rows, from one contact to another. Returns the moved ids. */
export async function moveCampaignContact(
  scope: Scope,
  from: number,
  to: number,
  only?: MovedCampaignRows,
): Promise<MovedCampaignRows> {
  const theirs = sql`"companyId" = ${scope.companyId} and "contactId" = ${from}`
  const which = (ids: number[] | undefined) => (ids ? sql`and id = any(${ids}::bigint[])` : sql``)
  const shippings = await sql<{ id: number }>`
    update "campaignShippings" set "contactId" = ${to} where ${theirs} ${which(only?.shippings)} returning id`.execute(
    scope.db,
  )
  const stops = await sql<{ id: number }>`
    update "campaignStops" set "contactId" = ${to} where ${theirs} ${which(only?.stops)} returning id`.execute(scope.db)
  return { shippings: shippings.rows.map((row) => row.id), stops: stops.rows.map((row) => row.id) }
}

/** The contact is about to be deleted with its pending messages: no campaign must wait for those messages. */
export async function failPendingShippings(scope: Scope, contactId: number): Promise<void> {
  await sql`
    with gone as (
      update "campaignShippings" set state = 'failed', reason = 'contact-gone', "settledAt" = ${scope.now()}
      where "companyId" = ${scope.companyId} and "contactId" = ${contactId} and state in ('pending', 'asked', 'confirmed', 'queued')
      returning "companyId", "campaignId"
    )
    insert into "campaignNews" ("companyId", "campaignId", at)
    select distinct "companyId", "campaignId", ${scope.now()}::timestamptz from gone on conflict do nothing`.execute(
    scope.db,
  )
}

/** Stops the campaigns of a deleted line and stores the reason. They resume when a user chooses another line. */
export async function pauseCampaignsWithoutLine(scope: Scope): Promise<void> {
  const left = await scope.db
    .selectFrom('campaigns')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', 'is', null)
    .where('status', '=', 'EM_ANDAMENTO')
    .execute()
  for (const { id } of left)
    await scope.transaction((tx) => changeCampaign(tx, id, { status: 'CANCELADA', held: 'line-gone' }))
}

/**
 * Erases a person from campaigns. Only the opt-out remains, as a one-way hash of the phone number (migration 0146).
 */
export async function eraseFromCampaigns(scope: Scope, { ids, keys }: ContactReferences): Promise<void> {
  const { companyId, db } = scope
  await sql`
    with gone as (
      delete from "campaignShippings" where "companyId" = ${companyId}
        and ("contactId" = any (${ids}::int[]) or key = any (${keys}::text[])) returning "campaignId"
    )
    insert into "campaignNews" ("companyId", "campaignId", at)
    select distinct ${companyId}::int, "campaignId", ${scope.now()}::timestamptz from gone on conflict do nothing`.execute(
    db,
  )
  await sql`delete from "campaignStops" where "companyId" = ${companyId}
    and ("contactId" = any (${ids}::int[]) or key = any (${keys}::text[]))`.execute(db)
  await sql`
    insert into "campaignStops" ("companyId", key, at)
    select c.id, stop_mark(c."stopSalt", k.key), ${scope.now()}::timestamptz
    from companies c, unnest(${keys}::text[]) k (key) where c.id = ${companyId} and k.key not like 'c:%'
    on conflict ("companyId", key) do nothing`.execute(db)
}
