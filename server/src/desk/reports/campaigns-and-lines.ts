import type { CampaignResult, LineReport } from '@recado/contract/dashboard/report-sections'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { hasSums, readSumsPerDimension } from './read.ts'
import { dayBeginsSql, dayEndsSql, duringSql, isVisibleQueueSql, type ReportQuery } from './report-sql.ts'

/** The results of the campaigns that began in these days, as last counted. */
export async function buildCampaignsReport(scope: Scope, query: ReportQuery): Promise<{ campaigns: CampaignResult[] }> {
  const { queueId, whatsappId } = query
  const { rows } = await sql<CampaignResult>`
    select id, name, status, "startedAt",
      coalesce((counts->>'sent')::int, 0) as sent, coalesce((counts->>'delivered')::int, 0) as delivered,
      coalesce((counts->>'read')::int, 0) as read, coalesce((counts->>'answered')::int, 0) as answered,
      coalesce((counts->>'failed')::int, 0) as failed, coalesce((counts->>'stopped')::int, 0) as stopped
    from campaigns where "companyId" = ${scope.companyId} and ${duringSql(sql`"startedAt"`, query)}
      and ${isVisibleQueueSql(sql`"queueId"`, query)}
      and ${queueId === null ? sql`true` : sql`"queueId" = ${queueId}`}
      and ${whatsappId === null ? sql`true` : sql`"whatsappId" = ${whatsappId}`}
    order by "startedAt" desc, id desc limit 50`.execute(scope.db)
  return { campaigns: rows }
}

/** Waiting messages are counted up to this number. */
const maxWaitingCounted = 1000

type LineRow = Omit<LineReport, 'came' | 'resolved'> & { near: boolean }

/** The current state of the lines, and their connected time in these days, from the first recorded moment on. */
export async function buildLinesReport(scope: Scope, query: ReportQuery): Promise<{ lines: LineReport[] }> {
  const { companyId } = scope
  const now = scope.now()
  const { whatsappId, from, to, zone } = query
  const begins = dayBeginsSql(from, zone)
  const ends = sql`least(${dayEndsSql(to, zone)}, ${now}::timestamptz)`
  const [{ rows }, figures] = await Promise.all([
    sql<LineRow>`
      select w.id, w.name, w.number, w.provider, w.status, w.reason, w."updatedAt" as since,
        case when ${ends} > greatest(${begins}, u.first) then
          round((u.seconds / extract(epoch from ${ends} - greatest(${begins}, u.first)))::numeric, 4)::float end as up,
        coalesce(u.drops, 0)::int as drops, o.waiting, exists (
          select from "whatsappQueues" q where q."companyId" = w."companyId" and q."whatsappId" = w.id
            and ${isVisibleQueueSql(sql`q."queueId"`, query)}) as near
      from whatsapps w
      cross join lateral (
        select min(l.since) as first,
          count(*) filter (where l.until >= ${begins} and l.until < ${ends}) as drops,
          coalesce(sum(extract(epoch from least(coalesce(l.until, ${ends}), ${ends}) - greatest(l.since, ${begins})))
            filter (where l.since < ${ends} and coalesce(l.until, ${ends}) > ${begins}), 0) as seconds
        from "lineUp" l where l."companyId" = w."companyId" and l."whatsappId" = w.id) u
      cross join lateral (
        select count(*)::int as waiting from (
          select from messages m where m."whatsappId" = w.id and m.state in ('queued', 'sending') limit ${sql.lit(maxWaitingCounted)}) x) o
      where w."companyId" = ${companyId} and ${whatsappId === null ? sql`true` : sql`w.id = ${whatsappId}`}
      order by w.name, w.id`.execute(scope.db),
    hasSums(scope, query).then((summed) => readSumsPerDimension(scope, query, summed, 'line')),
  ])
  // A supervisor of some queues sees the lines that lead to these queues or have customers in them.
  const inReach = ({ id, near }: LineRow) => query.queueIds === null || near || figures.has(id)
  return {
    lines: rows.filter(inReach).map(({ near: _, ...row }) => {
      const { came = 0, resolved = 0 } = figures.get(row.id) ?? {}
      return { ...row, came, resolved }
    }),
  }
}
