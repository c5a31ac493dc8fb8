import type { IntegrationHealth } from '@recado/contract/integrations/integrations'
import { type Selectable, sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'

const healthHours = 24

type HourCount = { integrationId: number; hour: number; calls: number; failed: number; ms: number; lastAt: Date }

/** The health of each integration over the last day, counted in one query. */
export async function loadIntegrationHealth(
  scope: Scope,
  of: Selectable<DB['queueIntegrations']>[],
): Promise<(id: number) => IntegrationHealth> {
  const now = scope.now()
  const { rows } = of.length
    ? await sql<HourCount>`
      select "integrationId", floor(extract(epoch from ${now}::timestamptz - at) / 3600)::int as hour, count(*)::int as calls,
        count(*) filter (where not ok)::int as failed, coalesce(avg(ms) filter (where ok), 0)::int as ms, max(at) as "lastAt"
      from "machineCalls"
      where "companyId" = ${scope.companyId} and "integrationId" = any(${of.map((row) => row.id)}::int[])
        and at > ${now}::timestamptz - interval '1 day' and at <= ${now}
      group by 1, 2`.execute(scope.db)
    : { rows: [] }
  const found = Map.groupBy(rows, (row) => row.integrationId)
  return (id) => {
    const own = found.get(id) ?? []
    const row = of.find((one) => one.id === id)
    const by = (what: 'calls' | 'failed') =>
      Array.from({ length: healthHours }, (_, n) => own.find(({ hour }) => hour === healthHours - 1 - n)?.[what] ?? 0)
    const well = own.reduce((sum, { calls, failed }) => sum + calls - failed, 0)
    const ms = own.reduce((sum, one) => sum + one.ms * (one.calls - one.failed), 0)
    const last = own.map(({ lastAt }) => new Date(lastAt).getTime())
    return {
      calls: by('calls'),
      failed: by('failed'),
      ms: well ? Math.round(ms / well) : 0,
      lastAt: last.length ? new Date(Math.max(...last)).toISOString() : null,
      inRow: row?.failuresInRow ?? 0,
      reason: row?.lastError ?? '',
      restsUntil: row?.restsUntil ?? null,
    }
  }
}
