import type { VolumeRow } from '@recado/contract/dashboard/report-sections'
import type { Scope } from '../../kernel/data/scope.ts'
import { precedingDates } from './dashboard.ts'
import { readPartCounts } from './parts.ts'
import { hasSums, readSumsPerDimension } from './read.ts'
import type { ReportQuery } from './report-sql.ts'

type NamedRecord = { id: number; name: string; color: string }
type VolumeCounts = { came: Map<number, number>; resolved: Map<number, number> }

async function countPerTag(scope: Scope, query: ReportQuery, summed: boolean): Promise<VolumeCounts> {
  const parts = await readPartCounts(scope, query, summed, 'tag', ['tagCame', 'tagResolved'])
  const of = (kind: string) => {
    const counts = new Map<number, number>()
    for (const part of parts) if (part.kind === kind) counts.set(part.partId, (counts.get(part.partId) ?? 0) + part.n)
    return counts
  }
  return { came: of('tagCame'), resolved: of('tagResolved') }
}

async function countPerQueue(scope: Scope, query: ReportQuery, summed: boolean): Promise<VolumeCounts> {
  const queues = await readSumsPerDimension(scope, query, summed, 'queue')
  const of = (name: 'came' | 'resolved') => new Map([...queues].map(([id, sums]) => [id, sums[name]]))
  return { came: of('came'), resolved: of('resolved') }
}

/** The busiest entries first; entries without data in both periods are left out. */
function toVolumes(named: NamedRecord[], now: VolumeCounts, before: VolumeCounts | null): VolumeRow[] {
  const all = named.map(({ id, name, color }) => ({
    ...{ id, name, color, came: now.came.get(id) ?? 0, resolved: now.resolved.get(id) ?? 0 },
    before: before && (before.came.get(id) ?? 0),
  }))
  const some = all.filter(({ came, resolved, before: was }) => came + resolved + (was ?? 0) > 0)
  return some.sort((a, b) => b.came - a.came || b.resolved - a.resolved || a.name.localeCompare(b.name))
}

/** The volume of each tag and each queue. Tickets without a queue have the id 0. */
export async function buildVolumesReport(scope: Scope, query: ReportQuery, compare: boolean) {
  const summed = await hasSums(scope, query)
  const earlier = { ...query, ...precedingDates(query) }
  const named = (table: 'tags' | 'queues') =>
    scope.db.selectFrom(table).select(['id', 'name', 'color']).where('companyId', '=', scope.companyId).execute()
  const [tags, queues, tagged, taggedBefore, queued, queuedBefore] = await Promise.all([
    named('tags'),
    named('queues'),
    countPerTag(scope, query, summed),
    compare ? countPerTag(scope, earlier, summed) : null,
    countPerQueue(scope, query, summed),
    compare ? countPerQueue(scope, earlier, summed) : null,
  ])
  const noQueue = { id: 0, name: '', color: '' }
  return {
    tags: toVolumes(tags, tagged, taggedBefore),
    queues: toVolumes([...queues, noQueue], queued, queuedBefore),
  }
}
