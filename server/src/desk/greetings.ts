import type { Ticket } from '@recado/contract/tickets'
import type { Scope } from '../kernel/data/scope.ts'
import { canReceiveBotMessages, sendBotMessage } from './bot-message.ts'
import { buildBotTexts } from './bot-texts.ts'
import { loadCompanyContext } from './company-context.ts'
import { heldUntil } from './undo-window.ts'

/** Greets the customer when an agent accepts, if the company enables it. */
export async function sendAcceptedGreeting(scope: Scope, ticket: Ticket): Promise<void> {
  const { setting, language } = await loadCompanyContext(scope)
  if (setting('sendGreetingAccepted') !== 'enabled' || !(await canReceiveBotMessages(scope, ticket))) return
  await sendBotMessage(scope, ticket, 'greeting', buildBotTexts(setting, language).accepted, {
    notBefore: heldUntil(scope),
  })
}

/** Tells the customer about a transfer: the new agent, the new queue, or both. */
export async function sendTransferNotice(scope: Scope, before: Ticket, after: Ticket): Promise<void> {
  const { setting, language } = await loadCompanyContext(scope)
  if (setting('sendMsgTransfTicket') !== 'enabled' || !(await canReceiveBotMessages(scope, after))) return
  const texts = buildBotTexts(setting, language)
  const toUser = after.user && after.userId !== before.userId
  const toQueue = after.queue && after.queueId !== before.queueId
  if (!toUser && !toQueue) return
  await sendBotMessage(
    scope,
    after,
    'transfer',
    toUser && toQueue ? texts.toBoth : toUser ? texts.toUser : texts.toQueue,
    { notBefore: heldUntil(scope) },
  )
}
