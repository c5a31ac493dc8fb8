import type { CostsReport } from '@recado/contract/dashboard/report-sections'
import { type RawBuilder, sql } from 'kysely'
import { loadPriceLists } from '../../accounts/money/message-prices.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { costSumColumns, joinCostSums } from '../messages/costs.ts'
import { dayEndsSql, duringSql, type ReportQuery } from './report-sql.ts'

const months = 12
const maxTemplates = 50

/** What Meta charged in these days, by template, and in the twelve months up to their end. */
export async function buildCostsReport(scope: Scope, query: ReportQuery): Promise<CostsReport> {
  const { whatsappId, to, zone } = query
  const end = dayEndsSql(to, zone)
  const ofLine = sql`"companyId" = ${scope.companyId}
    and ${whatsappId === null ? sql`true` : sql`"whatsappId" = ${whatsappId}`}`
  const month = sql`to_char(at at time zone ${zone}, 'YYYY-MM')`
  const recent = sql`at >= date_trunc('month', (${end} - interval '1 microsecond') at time zone ${zone})
    at time zone ${zone} - make_interval(months => ${months - 1}::int) and at < ${end}`
  const byMonth = await sumByName(scope, month, sql`${ofLine} and ${recent}`)
  const byTemplate = await sumByName(scope, sql`template`, sql`${ofLine} and ${duringSql(sql`at`, query)}`)
  const cost = (sums: CostSumRow[]) => joinCostSums(sums)
  const mostCharged = (a: { charged: number }, b: { charged: number }) => b.charged - a.charged
  return {
    total: cost([...byTemplate.values()].flat().reduce(addToCurrency, [])),
    months: [...byMonth]
      .map(([name, sums]) => ({ month: name, ...cost(sums) }))
      .toSorted((a, b) => b.month.localeCompare(a.month)),
    templates: [...byTemplate]
      .map(([template, sums]) => ({ template, ...cost(sums) }))
      .toSorted(mostCharged)
      .slice(0, maxTemplates),
    isExample: (await loadPriceLists(scope)).isExample,
  }
}

type CostSumRow = Parameters<typeof joinCostSums>[0][number]

async function sumByName(scope: Scope, name: RawBuilder<unknown>, condition: RawBuilder<unknown>) {
  const { rows } = await sql<CostSumRow & { name: string }>`
    select ${name} as name, ${costSumColumns} from "messageCosts" where ${condition} group by 1, currency`.execute(
    scope.db,
  )
  return Map.groupBy(rows, (row) => row.name)
}

/** Adds a sum to the sum of its own currency. */
function addToCurrency(totals: CostSumRow[], one: CostSumRow): CostSumRow[] {
  const same = totals.find(({ currency }) => currency === one.currency)
  if (!same) return [...totals, { ...one }]
  same.micros = one.micros === null ? same.micros : (same.micros ?? 0) + one.micros
  for (const key of ['charged', 'free', 'unpriced'] as const) same[key] += one[key]
  return totals
}
