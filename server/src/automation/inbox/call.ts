import type { TicketDetail } from '@recado/contract/tickets'
import { addErrand } from '../../desk/messages/errands.ts'
import { receive } from '../../desk/messages/receive.ts'
import { announce } from '../../desk/messages/store.ts'
import { ring } from '../../desk/ringing.ts'
import { mayHear, say } from '../../desk/say.ts'
import { deskTexts } from '../../desk/texts.ts'
import { putIntoQueue } from '../../desk/tickets/lifecycle.ts'
import type { Opened } from '../../desk/tickets/open.ts'
import { step } from '../../desk/tickets/track.ts'
import { presentTicket } from '../../desk/tickets/view.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import { byCall } from '../bots/menu.ts'
import { homeOf, type Rulebook, rulebookOf } from '../rulebook.ts'
import { personOf, personStep, placeFor, placeStep, tellPlace } from './place.ts'
import { type Outcome, told } from './steps.ts'

type Call = Extract<InboundEvent, { kind: 'call' }>

/** Nobody asks a caller where to. Their ticket waits at home, where people see it; the menu comes when they write. */
async function seenByPeople(scope: Scope, book: Rulebook, row: LineRow, opened: Opened): Promise<TicketDetail> {
  const ticket = await presentTicket(scope, opened.id)
  await tellPlace(scope, opened, ticket)
  const line = book.lines.get(row.id)
  const home = line ? homeOf(line) : null
  if (home === null || ticket.queueId !== null || ticket.status !== 'pending' || ticket.chatbot) return ticket
  return putIntoQueue(scope, ticket, home, 'called', { awayTold: byCall })
}

/** A call is a lost one on a desk: it stands in the thread, and where calls are off the caller is told to write. */
export async function call(scope: Scope, row: LineRow, event: Call): Promise<Outcome> {
  const book = await rulebookOf(scope)
  const person = await personOf(scope, row, { identity: event.person, name: event.pushName })
  const opened = await placeFor(scope, book, row, person.contact.id, false)
  const words = deskTexts[book.language].missedCall
  const place = { whatsappId: row.id, ticketId: opened.id, contactId: person.contact.id }
  const missed = { wid: `call:${event.id}`, fromMe: false, body: words, mediaType: 'call_log' as const, at: event.at }
  const { id } = await receive(scope, { ...place, ...missed }, { last: words })
  const ticket = await seenByPeople(scope, book, row, opened)
  await announce(scope, [ticket], [id])
  await ring(scope, [opened.id])
  const off = book.setting('call') === 'disabled'
  if (off) await addErrand(scope, row.id, { kind: 'reject', contactId: person.contact.id, callId: event.id })
  if (off && (await mayHear(scope, ticket))) await say(scope, ticket, 'call', book.wording.call)
  const called = step('call', off ? 'calls-are-off' : 'calls-are-on')
  return { ticketId: opened.id, steps: [personStep(person), placeStep(opened, ticket), called, told(ticket)] }
}
