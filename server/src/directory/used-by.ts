import type { UsageReferences } from '@recado/contract/ai/prompts'
import { sql } from 'kysely'
import type { Scope } from '../kernel/data/scope.ts'

/** The queues and lines that use each of these prompts or integrations, in one query. */
export async function loadUsedBy(
  scope: Scope,
  column: 'promptId' | 'integrationId',
  ids: number[],
): Promise<Map<number, UsageReferences>> {
  const found = new Map(ids.map((id) => [id, { queues: [], lines: [] } as UsageReferences]))
  if (!ids.length) return found
  const by = sql.ref(column)
  const { rows } = await sql<{ machine: number; kind: string; id: number; name: string; color: string }>`
    select ${by} as machine, 'queue' as kind, id, name, color from queues
    where "companyId" = ${scope.companyId} and ${by} = any(${ids}::int[])
    union all
    select ${by}, 'line', id, name, '' from whatsapps where "companyId" = ${scope.companyId} and ${by} = any(${ids}::int[])
    order by 2, 4, 3`.execute(scope.db)
  for (const { machine, kind, id, name, color } of rows) {
    const place = found.get(machine)
    if (kind === 'queue') place?.queues.push({ id, name, color })
    else place?.lines.push({ id, name })
  }
  return found
}
