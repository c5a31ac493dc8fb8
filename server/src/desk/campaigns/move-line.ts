import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { publishCampaign } from './view.ts'

export async function countCampaignsOfLine(scope: Scope, whatsappId: number) {
  const { rows } = await sql<{ draftCampaigns: number; scheduledCampaigns: number; runningCampaigns: number }>`
    select (count(*) filter (where status = 'INATIVA'))::int as "draftCampaigns",
      (count(*) filter (where status = 'PROGRAMADA'))::int as "scheduledCampaigns",
      (count(*) filter (where status = 'EM_ANDAMENTO'))::int as "runningCampaigns"
    from campaigns where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId}`.execute(scope.db)
  return rows[0] ?? { draftCampaigns: 0, scheduledCampaigns: 0, runningCampaigns: 0 }
}

/**
 * Campaigns that have not started follow to the other line as drafts: an official line needs a template and a linked
 * phone a text, so nobody should find out at the scheduled time. A running campaign refuses the move.
 */
export async function moveCampaignsToLine(scope: Scope, fromId: number, toId: number): Promise<void> {
  const { runningCampaigns } = await countCampaignsOfLine(scope, fromId)
  if (runningCampaigns > 0) throw new AppError('ERR_CAMPAIGN_RUNNING')
  const rows = await scope.db
    .updateTable('campaigns')
    .set({ whatsappId: toId, status: 'INATIVA', scheduledAt: null })
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', fromId)
    .where('status', 'in', ['INATIVA', 'PROGRAMADA'])
    .returningAll()
    .execute()
  for (const row of rows) await publishCampaign(scope, 'update', row)
}
