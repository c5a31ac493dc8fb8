import type { Ticket } from '@recado/contract/tickets'
import type { Scope } from '../kernel/data/scope.ts'
import { canReceiveBotMessages } from './bot-message.ts'
import { loadCompanyContext } from './company-context.ts'
import { askRating, sendCompletionMessage } from './rating.ts'
import { heldUntil } from './undo-window.ts'

/** Which messages a customer may get when their ticket is closed, and until when they are held for an undo. */
type FarewellOptions = { farewell: boolean; rating: boolean; notBefore: Date | undefined }

/**
 * An agent closed the ticket: the customer gets the rating request or the farewell. Only a customer whom an agent attended
 * gets the rating request; the farewell then follows the rating. Returns false if the farewell has no text, or is already
 * the customer's last message.
 */
export async function sendFarewell(
  scope: Scope,
  before: Ticket,
  closed: Ticket,
  { farewell, rating, notBefore }: FarewellOptions = { farewell: true, rating: true, notBefore: heldUntil(scope) },
): Promise<boolean> {
  if (!(await canReceiveBotMessages(scope, closed))) return true
  const { setting } = await loadCompanyContext(scope)
  const attended = before.status === 'open' && before.userId !== null
  if (rating && attended && setting('userRating') === 'enabled') {
    await askRating(scope, closed, before.userId as number, notBefore)
    return true
  }
  return !farewell || (await sendCompletionMessage(scope, closed, notBefore)) !== null
}
