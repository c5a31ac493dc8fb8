import { topics } from '@recado/contract/live'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Live } from '../../kernel/live/live.ts'

/** Nobody reads faster. */
const everyMs = 1000

/** Companies that were told within the last second, and whether there is more to tell. */
const told = new WeakMap<Live, Map<number, boolean>>()

/** Something that is counted has changed: whoever looks at the figures hears it, at most once a second, all at once. */
export function tellFigures(scope: Scope): void {
  const { companyId, means } = scope
  scope.afterCommit(() => tell(means.live, companyId))
}

function tell(live: Live, companyId: number): void {
  const waiting = told.get(live) ?? new Map<number, boolean>()
  told.set(live, waiting)
  if (waiting.has(companyId)) return void waiting.set(companyId, true)
  waiting.set(companyId, false)
  live.say(topics.figures, companyId, { action: 'update' }, { admins: companyId })
  const over = () => {
    const more = waiting.get(companyId)
    waiting.delete(companyId)
    if (more) tell(live, companyId)
  }
  setTimeout(over, everyMs).unref()
}
