import type { Ticket } from '@recado/contract/tickets'
import type { Scope } from '../kernel/data/scope.ts'
import { canReceiveBotMessages } from './bot-message.ts'
import { loadCompanyContext } from './company-context.ts'
import { askRating, sendCompletionMessage } from './rating.ts'
import { heldUntil } from './undo-window.ts'

/**
 * An agent closed the ticket: the customer gets the rating request or the farewell. Only a customer whom an agent attended
 * gets the rating request; the farewell then follows the rating.
 */
export async function sendFarewell(scope: Scope, before: Ticket, closed: Ticket): Promise<void> {
  if (!(await canReceiveBotMessages(scope, closed))) return
  const { setting } = await loadCompanyContext(scope)
  const attended = before.status === 'open' && before.userId !== null
  const notBefore = heldUntil(scope)
  if (attended && setting('userRating') === 'enabled')
    await askRating(scope, closed, before.userId as number, notBefore)
  else await sendCompletionMessage(scope, closed, notBefore)
}
