import type { Ticket } from '@recado/contract/tickets'
import type { Scope } from '../kernel/data/scope.ts'
import { canReceiveBotMessages } from './bot-message.ts'
import { loadCompanyContext } from './company-context.ts'
import { askRating, sendCompletionMessage } from './rating.ts'

/**
 * A person closed it: the customer is asked how it was, or told goodbye. Only who was attended can judge the
 * attendance; the goodbye comes after the answer then.
 */
export async function sendFarewell(scope: Scope, before: Ticket, closed: Ticket): Promise<void> {
  if (!(await canReceiveBotMessages(scope, closed))) return
  const { setting } = await loadCompanyContext(scope)
  const attended = before.status === 'open' && before.userId !== null
  if (attended && setting('userRating') === 'enabled') await askRating(scope, closed, before.userId as number)
  else await sendCompletionMessage(scope, closed)
}
