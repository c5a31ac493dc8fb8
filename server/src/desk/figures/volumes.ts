import type { Volume } from '@recado/contract/dashboard/more'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Asked } from './facts.ts'
import { readParts } from './parts.ts'
import { areSummed, readPlaces } from './read.ts'
import { daysBefore } from './view.ts'

type Named = { id: number; name: string; color: string }
type Counts = { came: Map<number, number>; resolved: Map<number, number> }

async function tagCounts(scope: Scope, asked: Asked, summed: boolean): Promise<Counts> {
  const parts = await readParts(scope, asked, summed, 'tag', ['tagCame', 'tagResolved'])
  const of = (kind: string) => {
    const counts = new Map<number, number>()
    for (const part of parts) if (part.kind === kind) counts.set(part.partId, (counts.get(part.partId) ?? 0) + part.n)
    return counts
  }
  return { came: of('tagCame'), resolved: of('tagResolved') }
}

async function queueCounts(scope: Scope, asked: Asked, summed: boolean): Promise<Counts> {
  const queues = await readPlaces(scope, asked, summed, 'queue')
  const of = (name: 'came' | 'resolved') => new Map([...queues].map(([id, sums]) => [id, sums[name]]))
  return { came: of('came'), resolved: of('resolved') }
}

/** The busiest first; what had nothing in either time is left out. */
function volumesOf(named: Named[], now: Counts, before: Counts | null): Volume[] {
  const all = named.map(({ id, name, color }) => ({
    ...{ id, name, color, came: now.came.get(id) ?? 0, resolved: now.resolved.get(id) ?? 0 },
    before: before && (before.came.get(id) ?? 0),
  }))
  const some = all.filter(({ came, resolved, before: was }) => came + resolved + (was ?? 0) > 0)
  return some.sort((a, b) => b.came - a.came || b.resolved - a.resolved || a.name.localeCompare(b.name))
}

/** How much each tag and each queue had. What has no queue stands under the id 0. */
export async function volumesView(scope: Scope, asked: Asked, compare: boolean) {
  const summed = await areSummed(scope, asked)
  const earlier = { ...asked, ...daysBefore(asked) }
  const named = (table: 'tags' | 'queues') =>
    scope.db.selectFrom(table).select(['id', 'name', 'color']).where('companyId', '=', scope.companyId).execute()
  const [tags, queues, tagged, taggedBefore, queued, queuedBefore] = await Promise.all([
    named('tags'),
    named('queues'),
    tagCounts(scope, asked, summed),
    compare ? tagCounts(scope, earlier, summed) : null,
    queueCounts(scope, asked, summed),
    compare ? queueCounts(scope, earlier, summed) : null,
  ])
  const noQueue = { id: 0, name: '', color: '' }
  return {
    tags: volumesOf(tags, tagged, taggedBefore),
    queues: volumesOf([...queues, noQueue], queued, queuedBefore),
  }
}
