import type { CampaignCounts } from '@recado/contract/campaigns/campaigns'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { nullIfAppError } from '../../kernel/errors.ts'
import { type CampaignRow, campaigns, changeCampaign } from './view.ts'

/** Marks the campaign for a recount, because the state of its recipients changed. */
export async function requestRecount(scope: Scope, campaignId: number): Promise<void> {
  await scope.db
    .insertInto('campaignNews')
    .values({ companyId: scope.companyId, campaignId, at: scope.now() })
    .execute()
}

/** The current counts of a campaign. People who are in the list twice have only one row. */
export async function countCampaign(scope: Scope, { id, planned }: CampaignRow): Promise<CampaignCounts> {
  const { rows } = await sql<CampaignCounts>`
    select count(*)::int as total,
      count(*) filter (where state <> 'skipped' or "askedAt" is not null)::int as valid,
      count(*) filter (where state = 'skipped')::int as skipped,
      count(*) filter (where state in ('pending', 'confirmed', 'queued'))::int as pending,
      count(*) filter (where state = 'sent')::int as sent,
      count(*) filter (where "deliveredAt" is not null)::int as delivered,
      count(*) filter (where "readAt" is not null)::int as read,
      count(*) filter (where "answeredAt" is not null)::int as answered,
      count(*) filter (where state = 'failed')::int as failed,
      count(*) filter (where "stoppedAt" is not null)::int as stopped,
      count(*) filter (where "askedAt" is not null)::int as asked,
      count(*) filter (where "confirmedAt" is not null)::int as confirmed
    from "campaignShippings" where "companyId" = ${scope.companyId} and "campaignId" = ${id}`.execute(scope.db)
  const counts = rows[0] as CampaignCounts
  const doubled = planned?.doubled ?? 0
  return { ...counts, total: counts.total + doubled, skipped: counts.skipped + doubled }
}

/** Whether no recipient is waiting any more, neither for a message nor for an answer. */
async function isCampaignFinished(scope: Scope, id: number): Promise<boolean> {
  const waits = await scope.db
    .selectFrom('campaignShippings')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('campaignId', '=', id)
    .where('state', 'in', ['pending', 'asked', 'confirmed', 'queued'])
    .limit(1)
    .executeTakeFirst()
  return !waits
}

/**
 * Locks the campaign if it is marked for a recount. Uncommitted marks stay for the next run: writers do not wait
 * for the recount, and no mark is lost.
 */
export async function takePendingRecount(scope: Scope, id: number): Promise<CampaignRow | null> {
  const row = await campaigns.lockRow(scope, id).catch(nullIfAppError)
  if (!row) return null
  const { rows } = await sql`
    delete from "campaignNews" where "companyId" = ${scope.companyId} and "campaignId" = ${id} returning 1`.execute(
    scope.db,
  )
  return rows.length ? row : null
}

/** Recounts the campaign, publishes the counts, and ends the campaign when everything was sent. */
export async function publishCampaignCounts(scope: Scope, row: CampaignRow): Promise<void> {
  const counts = await countCampaign(scope, row)
  const isRunning = row.status === 'EM_ANDAMENTO' && row.startedAt !== null
  // After the line is deleted, all messages count as failed before `pauseCampaignsWithoutLine` cancels the
  // campaign.
  const ends = isRunning && row.whatsappId !== null && (await isCampaignFinished(scope, row.id))
  await changeCampaign(scope, row.id, {
    counts: JSON.stringify(counts),
    ...(ends && { status: 'FINALIZADA' as const, completedAt: scope.now() }),
  })
}
