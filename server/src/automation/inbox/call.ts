import type { TicketDetail } from '@recado/contract/tickets'
import { canReceiveBotMessages, sendBotMessage } from '../../desk/bot-message.ts'
import { addLineTask } from '../../desk/messages/line-tasks.ts'
import { receiveMessage } from '../../desk/messages/receive.ts'
import { publishNewMessages } from '../../desk/messages/store.ts'
import { requestTicketPush } from '../../desk/push.ts'
import { deskTexts } from '../../desk/texts.ts'
import { presentTicket } from '../../desk/tickets/base/ticket-view.ts'
import { makeStep } from '../../desk/tickets/base/tracking.ts'
import { moveToQueue } from '../../desk/tickets/lifecycle.ts'
import type { OpenedTicket } from '../../desk/tickets/open.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import { calledMark } from '../bots/menu.ts'
import { defaultQueueOf, loadRulebook, type Rulebook } from '../rulebook.ts'
import { type EventOutcome, publishedStep } from './steps.ts'
import { contactStep, findOrOpenTicket, publishOpenedTicket, resolveSender, ticketStep } from './target-ticket.ts'

type Call = Extract<InboundEvent, { kind: 'call' }>

/**
 * A call sends no menu. The ticket waits in the default queue, visible to agents; the menu follows the customer's first
 * message.
 */
async function queueCallTicket(
  scope: Scope,
  rulebook: Rulebook,
  row: LineRow,
  openedTicket: OpenedTicket,
): Promise<TicketDetail> {
  const ticket = await presentTicket(scope, openedTicket.id)
  await publishOpenedTicket(scope, openedTicket, ticket)
  const line = rulebook.lines.get(row.id)
  const home = line ? defaultQueueOf(line) : null
  if (home === null || ticket.queueId !== null || ticket.status !== 'pending' || ticket.chatbot) return ticket
  return moveToQueue(scope, ticket, home, 'called', { awayTold: calledMark })
}

/** A call is shown in the thread as missed; where calls are off, the caller is asked to write. */
export async function handleCall(scope: Scope, row: LineRow, event: Call): Promise<EventOutcome> {
  const rulebook = await loadRulebook(scope)
  const person = await resolveSender(scope, row, { identity: event.person, name: event.pushName, isSender: true })
  const openedTicket = await findOrOpenTicket(scope, rulebook, row, person.contact.id, false)
  const words = deskTexts[rulebook.language].missedCall
  const place = { whatsappId: row.id, ticketId: openedTicket.id, contactId: person.contact.id }
  const missed = { wid: `call:${event.id}`, fromMe: false, body: words, mediaType: 'call_log' as const, at: event.at }
  const { id } = await receiveMessage(scope, { ...place, ...missed }, { preview: words })
  const ticket = await queueCallTicket(scope, rulebook, row, openedTicket)
  await publishNewMessages(scope, [ticket], [id])
  await requestTicketPush(scope, [openedTicket.id])
  const off = rulebook.setting('call') === 'disabled'
  if (off) await addLineTask(scope, row.id, { kind: 'reject', contactId: person.contact.id, callId: event.id })
  if (off && (await canReceiveBotMessages(scope, ticket)))
    await sendBotMessage(scope, ticket, 'call', rulebook.botTexts.call)
  const called = makeStep('call', off ? 'calls-are-off' : 'calls-are-on')
  return {
    ticketId: openedTicket.id,
    steps: [contactStep(person), ticketStep(openedTicket, ticket), called, publishedStep(ticket)],
  }
}
