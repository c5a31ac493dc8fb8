import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { requestRecount } from './recount.ts'
import { campaigns, changeCampaign } from './view.ts'

/**
 * Failures that a retry cannot change, because the cause is the number, the opt-out or the text. Other failures may
 * succeed later.
 */
const nonRetryableReasons = [
  'no-whatsapp',
  'opted-out',
  'undeliverable',
  'country-restricted',
  'same-number',
  'unsupported',
  'bad-parameter',
  'media-refused',
  'media-missing',
  'file-too-large',
  'text-too-long',
  'template-missing',
  'template-variables',
  'template-too-long',
  'template-policy',
]
/** The vendor's own error code may follow the reason after a colon. */
export const isRetryable = (reason: string | null): boolean =>
  reason !== null && !nonRetryableReasons.includes(reason.split(':')[0] as string)
export const isRetryableSql = sql<boolean>`split_part(coalesce(reason, ''), ':', 1) <> all(${nonRetryableReasons}::text[])`

/**
 * Queues failed recipients again at the pace of the line: with the same message, whose id the vendor knows, or
 * with a new message if the campaign has moved to another line.
 */
export async function retryFailedShippings(
  scope: Scope,
  id: number,
  reason: string | undefined,
): Promise<{ count: number }> {
  const row = await campaigns.lockRow(scope, id)
  if (row.status !== 'EM_ANDAMENTO' && row.status !== 'FINALIZADA') throw new AppError('ERR_CAMPAIGN_SETTLED')
  // Without a line the campaign would appear to run, but nothing would be sent.
  if (row.whatsappId === null) throw new AppError('ERR_CAMPAIGN_NO_LINE')
  const which = reason === undefined ? isRetryableSql : sql`reason = ${reason} and ${isRetryableSql}`
  const { rows } = await sql<{ id: number }>`
    update "campaignShippings" set state = case when "confirmedAt" is null then 'pending' else 'confirmed' end,
      reason = null, "settledAt" = null
    where "companyId" = ${scope.companyId} and "campaignId" = ${id} and state = 'failed' and ${which}
    returning id`.execute(scope.db)
  if (rows.length && row.status === 'FINALIZADA')
    await changeCampaign(scope, id, { status: 'EM_ANDAMENTO', completedAt: null, freshSince: scope.now() })
  if (rows.length) await requestRecount(scope, id)
  return { count: rows.length }
}
