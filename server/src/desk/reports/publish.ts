import { topics } from '@recado/contract/live'
import type { Scope } from '../../kernel/data/scope.ts'
import type { LiveUpdates } from '../../kernel/live/live-updates.ts'

/** Nobody reads faster. */
const publishIntervalMs = 1000

/** Companies that were told within the last second, and whether there is more to tell. */
const recentlyPublished = new WeakMap<LiveUpdates, Map<number, boolean>>()

/** Something that is counted has changed: whoever looks at the figures hears it, at most once a second, all at once. */
export function publishReportsChanged(scope: Scope): void {
  const { companyId, means } = scope
  scope.afterCommit(() => publishThrottled(means.live, companyId))
}

function publishThrottled(live: LiveUpdates, companyId: number): void {
  const waiting = recentlyPublished.get(live) ?? new Map<number, boolean>()
  recentlyPublished.set(live, waiting)
  if (waiting.has(companyId)) return void waiting.set(companyId, true)
  waiting.set(companyId, false)
  live.say(topics.figures, companyId, { action: 'update' }, { admins: companyId })
  const over = () => {
    const more = waiting.get(companyId)
    waiting.delete(companyId)
    if (more) publishThrottled(live, companyId)
  }
  setTimeout(over, publishIntervalMs).unref()
}
