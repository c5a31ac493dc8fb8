import type { Ticket } from '@recado/contract/tickets'
import type { Scope } from '../kernel/data/scope.ts'
import { momentOf } from './moment.ts'
import { mayHear, say } from './say.ts'
import { wordingOf } from './wording.ts'

/** What the house says to the customer when a person takes over, where the company wants it. */
export async function sayAccepted(scope: Scope, ticket: Ticket): Promise<void> {
  const { setting, language } = await momentOf(scope)
  if (setting('sendGreetingAccepted') !== 'enabled' || !(await mayHear(scope, ticket))) return
  await say(scope, ticket, 'greeting', wordingOf(setting, language).accepted)
}

/** And when the ticket is passed on: to whom, to which queue, or to whom in which queue. */
export async function sayTransferred(scope: Scope, before: Ticket, after: Ticket): Promise<void> {
  const { setting, language } = await momentOf(scope)
  if (setting('sendMsgTransfTicket') !== 'enabled' || !(await mayHear(scope, after))) return
  const texts = wordingOf(setting, language)
  const toUser = after.user && after.userId !== before.userId
  const toQueue = after.queue && after.queueId !== before.queueId
  if (!toUser && !toQueue) return
  await say(scope, after, 'transfer', toUser && toQueue ? texts.toBoth : toUser ? texts.toUser : texts.toQueue)
}
