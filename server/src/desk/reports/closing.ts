import type { ClosingReport } from '@recado/contract/dashboard/report-sections'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { precedingDates } from './dashboard.ts'
import { hasSums, readSumsPerDimension } from './read.ts'
import { duringSql, hasTagSql, matchesFilterSql, type ReportQuery } from './report-sql.ts'

/** Closed conversations with a reason, and those that closed by themselves: rows of one partial index. */
const closingsSql = (scope: Scope, query: ReportQuery) => sql`"ticketTracking" f
    where f."companyId" = ${scope.companyId} and (f."closingReasonId" is not null or f."closedItself")
      and ${duringSql(sql`f."finishedAt"`, query)} and ${matchesFilterSql(query)}
      and ${hasTagSql(scope, query.tagId, sql`f."ticketId"`)}`

const maxReasons = 200
const maxUsers = 50

async function countReasons(scope: Scope, query: ReportQuery): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; n: number }>`
    select f."closingReasonId" as id, count(*)::int as n from ${closingsSql(scope, query)} and f."closingReasonId" is not null
    group by 1`.execute(scope.db)
  return new Map(rows.map(({ id, n }) => [id, n]))
}

async function countByItself(scope: Scope, query: ReportQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${closingsSql(scope, query)} and f."closingReasonId" is null`.execute(scope.db)
  return rows[0]?.n ?? 0
}

async function countReasonsPerUser(scope: Scope, query: ReportQuery): Promise<ClosingReport['users']> {
  const { rows } = await sql<ClosingReport['users'][number]>`
    with n as (
      select f."userId", f."closingReasonId", count(*)::int as n,
        row_number() over (partition by f."userId" order by count(*) desc, f."closingReasonId") as place,
        (sum(count(*)) over (partition by f."userId"))::int as total
      from ${closingsSql(scope, query)} and f."closingReasonId" is not null and f."userId" is not null group by 1, 2
    )
    select u.id, u.name, max(n.total) as count,
      json_agg(json_build_object('id', r.id, 'name', r.name, 'count', n.n) order by n.place) as reasons
    from n join users u on u."companyId" = ${scope.companyId} and u.id = n."userId"
    join "closingReasons" r on r."companyId" = ${scope.companyId} and r.id = n."closingReasonId"
    where n.place <= 3 group by u.id, u.name order by count desc, u.name, u.id limit ${sql.lit(maxUsers)}`.execute(
    scope.db,
  )
  return rows
}

const loadReasons = async (scope: Scope, ids: number[]) => {
  const { rows } = await sql<Omit<ClosingReport['reasons'][number], 'count' | 'before'>>`
    select r.id, r.name, r."archivedAt" is not null or r."queueId" is null as "isArchived",
      case when q.id is not null then json_build_object('id', q.id, 'name', q.name, 'color', q.color) end as queue
    from "closingReasons" r left join queues q on q."companyId" = r."companyId" and q.id = r."queueId"
    where r."companyId" = ${scope.companyId} and r.id = any(${ids}::int[])`.execute(scope.db)
  return rows
}

/** Why conversations were closed. */
export async function buildClosingReport(scope: Scope, query: ReportQuery, compare: boolean): Promise<ClosingReport> {
  const [sums, byItself, now, before, users] = await Promise.all([
    hasSums(scope, query).then((summed) => readSumsPerDimension(scope, query, summed, 'queue')),
    countByItself(scope, query),
    countReasons(scope, query),
    compare ? countReasons(scope, { ...query, ...precedingDates(query) }) : null,
    countReasonsPerUser(scope, query),
  ])
  const reasons = await loadReasons(scope, [...new Set([...now.keys(), ...(before?.keys() ?? [])])])
  return {
    resolved: [...sums.values()].reduce((sum, { resolved }) => sum + resolved, 0),
    byItself,
    reasons: reasons
      .map((reason) => ({ ...reason, count: now.get(reason.id) ?? 0, before: before && (before.get(reason.id) ?? 0) }))
      .sort(
        (a, b) => b.count - a.count || (b.before ?? 0) - (a.before ?? 0) || a.name.localeCompare(b.name) || a.id - b.id,
      )
      .slice(0, maxReasons),
    users,
  }
}
