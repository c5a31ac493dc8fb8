import type { Ticket } from '@recado/contract/tickets'
import type { Scope } from '../kernel/data/scope.ts'
import { momentOf } from './moment.ts'
import { askRating, sayCompletion } from './rating.ts'
import { mayHear } from './say.ts'

/**
 * A person closed it: the customer is asked how it was, or told goodbye. Only who was attended can judge the
 * attendance; the goodbye comes after the answer then.
 */
export async function sayGoodbye(scope: Scope, before: Ticket, closed: Ticket): Promise<void> {
  if (!(await mayHear(scope, closed))) return
  const { setting } = await momentOf(scope)
  const attended = before.status === 'open' && before.userId !== null
  if (attended && setting('userRating') === 'enabled') await askRating(scope, closed, before.userId as number)
  else await sayCompletion(scope, closed)
}
