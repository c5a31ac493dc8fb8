import { topics } from '@recado/contract/live'
import { type Deps, Scope } from '../../kernel/data/scope.ts'

declare module '../../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** An offer to a user began or ended; sent by the database: the ids of the company, the queue and the user. */
    offers: [whose: string]
  }
}

/**
 * Every process publishes to its own sockets: the user reads their offers again, and supervisors and admins who have the
 * live page open read that.
 */
export function publishOffersChanged(deps: Deps, word: string): void {
  const [companyId = 0, queueId = 0, userId = 0] = word.split(' ').map(Number)
  const scope = new Scope(deps, { companyId })
  for (const here of [`user-${userId}`, `queue-${companyId}-${queueId}-supervisor`, `company-${companyId}-admin`])
    if (deps.live.hasLocalSeats(here)) scope.live(topics.offers, { action: 'update', userId }, { here })
}
