import { topics } from '@recado/contract/live'
import type { Scope } from '../kernel/data/scope.ts'
import type { LiveUpdates } from '../kernel/live/live-updates.ts'

/** Minimum interval between two report events of a company. */
const publishIntervalMs = 1000

/** Companies that got a report event within the last second, and whether another event is pending. */
const recentlyPublished = new WeakMap<LiveUpdates, Map<number, boolean>>()

/** Publishes that report data changed, once a second at most per company. */
export function publishReportsChanged(scope: Scope): void {
  const { companyId, deps } = scope
  scope.afterCommit(() => publishThrottled(deps.live, companyId))
}

function publishThrottled(live: LiveUpdates, companyId: number): void {
  const waiting = recentlyPublished.get(live) ?? new Map<number, boolean>()
  recentlyPublished.set(live, waiting)
  if (waiting.has(companyId)) return void waiting.set(companyId, true)
  waiting.set(companyId, false)
  live.publish(topics.figures, companyId, { action: 'update' }, { admins: companyId })
  const over = () => {
    const more = waiting.get(companyId)
    waiting.delete(companyId)
    if (more) publishThrottled(live, companyId)
  }
  setTimeout(over, publishIntervalMs).unref()
}
