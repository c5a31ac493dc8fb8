import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { cellsSql, partRowsSql } from './cells.ts'
import { botFactsSql, literalListSql, pendingFactsSql, type ReportQuery, tagFactsSql } from './report-sql.ts'

/** The count of a kind per menu option or tag; `queueId` is 0 for no queue. */
export type PartCount = { kind: string; partId: number; queueId: number; n: number }

const factsBySource = { bot: botFactsSql, tag: tagFactsSql }

/** The counts by menu option or tag. */
export async function readPartCounts(
  scope: Scope,
  query: ReportQuery,
  summed: boolean,
  source: keyof typeof factsBySource,
  kinds: readonly string[],
): Promise<PartCount[]> {
  const of = (facts: ReturnType<typeof pendingFactsSql>) => sql`
    select f.kind, f.value as "partId", coalesce(f."queueId", 0) as "queueId", f.n from ${facts} f where f.kind in (${literalListSql(kinds)})`
  const rows = summed
    ? sql`${partRowsSql(cellsSql(scope, query, 'cover', 'queue'), kinds)} union all ${of(pendingFactsSql(scope, query))}`
    : of(factsBySource[source](scope, query))
  const { rows: parts } = await sql<PartCount>`
    with r as (${rows})
    select kind, "partId", "queueId", sum(n)::int as n from r group by 1, 2, 3 having sum(n) <> 0
    order by 1, 2, 3`.execute(scope.db)
  return parts
}
