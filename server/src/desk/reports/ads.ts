import type { AdResult } from '@recado/contract/dashboard/report-sections'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { duringSql, isVisibleQueueSql, type ReportQuery } from './report-sql.ts'

/** The conversations that began in these days, by the ad that brought the customer. */
export async function buildAdsReport(scope: Scope, query: ReportQuery): Promise<{ ads: AdResult[] }> {
  const { queueId, whatsappId } = query
  const { rows } = await sql<AdResult>`
    select a.id, a.title, a.url, count(*)::int as conversations,
      (count(*) filter (where t.status = 'closed'))::int as resolved
    from tickets t join ads a on a."companyId" = t."companyId" and a.id = t."adId"
    where t."companyId" = ${scope.companyId} and t."adId" is not null and ${duringSql(sql`t."createdAt"`, query)}
      and ${isVisibleQueueSql(sql`t."queueId"`, query)}
      and ${queueId === null ? sql`true` : sql`t."queueId" = ${queueId}`}
      and ${whatsappId === null ? sql`true` : sql`t."whatsappId" = ${whatsappId}`}
    group by a.id, a.title, a.url order by conversations desc, a.id desc limit 50`.execute(scope.db)
  return { ads: rows }
}
