import type { Ticket } from '@recado/contract/tickets'
import type { Scope } from '../kernel/scope.ts'
import { storeOutgoing } from './messages/store.ts'
import { momentOf } from './moment.ts'
import { deskTexts } from './texts.ts'
import { render } from './variables.ts'

/** What the house says to the customer when a person takes over, where the company wants it. */
export async function sayAccepted(scope: Scope, ticket: Ticket): Promise<void> {
  const moment = await momentOf(scope)
  if (ticket.isGroup || moment.setting('sendGreetingAccepted') !== 'enabled') return
  await say(scope, ticket, 'greeting', deskTexts[moment.language].greeting)
}

/** And when the ticket is passed on. */
export async function sayTransferred(scope: Scope, before: Ticket, after: Ticket): Promise<void> {
  const moment = await momentOf(scope)
  if (after.isGroup || moment.setting('sendMsgTransfTicket') !== 'enabled') return
  const texts = deskTexts[moment.language]
  if (after.user && after.userId !== before.userId) await say(scope, after, 'transfer', texts.toUser)
  else if (after.queue && after.queueId !== before.queueId) await say(scope, after, 'transfer', texts.toQueue)
}

async function say(scope: Scope, ticket: Ticket, bot: string, text: string): Promise<void> {
  const moment = await momentOf(scope)
  const body = render(
    text,
    { ...ticket.contact, user: ticket.user?.name ?? null, queue: ticket.queue?.name ?? null, ticketId: ticket.id },
    moment,
  )
  await storeOutgoing(scope, ticket, [{ body, bot }])
}
