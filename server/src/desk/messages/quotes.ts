import type { Message } from '@recado/contract/messages'
import { canSeeAllTickets } from '@recado/contract/visibility'
import type { Scope } from '../../kernel/data/scope.ts'
import {
  canSeeTicket,
  currentViewer,
  loadAllViewers,
  roomsOfViewer,
  type TicketVisibility,
  type Viewer,
} from '../tickets/visibility.ts'
import type { MessageWithQuote } from './view.ts'

type AudienceCopy = { message: Message; to: { rooms: string[]; except?: string[] } }

/**
 * To whom a message is told, and how: a customer may quote what was said in a ticket of another queue, and its words are
 * for who reads that ticket. Everybody else hears the message without them.
 */
export async function splitByQuoteVisibility(
  scope: Scope,
  all: { message: MessageWithQuote; rooms: string[] }[],
): Promise<AudienceCopy[]> {
  const quoted = await loadQuotedTickets(
    scope,
    all.map(({ message }) => message),
  )
  if (!quoted.size) return all.map(({ message, rooms }) => ({ message, to: { rooms } }))
  const viewers = await loadAllViewers(scope)
  return all.flatMap(({ message, rooms }): AudienceCopy[] => {
    const ticket = quotesAnotherTicket(message) && quoted.get(message.quotedMsg?.ticketId ?? 0)
    if (!ticket || isReadByAll(ticket)) return [{ message, to: { rooms } }]
    const readers = viewers
      .filter((one) => canSeeTicket(one, ticket) && isInRooms(one, rooms))
      .map(({ id }) => `user-${id}`)
    return [
      ...(readers.length ? [{ message, to: { rooms: readers } }] : []),
      { message: withoutQuote(message), to: { rooms, except: readers } },
    ]
  })
}

/** The same for who acts, as a reply. */
export async function hideUnreadableQuotes(scope: Scope, messages: MessageWithQuote[]): Promise<Message[]> {
  const quoted = await loadQuotedTickets(scope, messages)
  const viewer = scope.person && currentViewer(scope)
  return messages.map((message) => {
    const ticket = quotesAnotherTicket(message) && quoted.get(message.quotedMsg?.ticketId ?? 0)
    return !ticket || isReadByAll(ticket) || (viewer && canSeeTicket(viewer, ticket)) ? message : withoutQuote(message)
  })
}

/** What was said in the same ticket, or in none, is read by all who read the message. */
const quotesAnotherTicket = ({ ticketId, quotedMsg }: MessageWithQuote): boolean =>
  quotedMsg !== null && quotedMsg.ticketId !== null && quotedMsg.ticketId !== ticketId
const withoutQuote = (message: MessageWithQuote): Message => ({ ...message, quotedMsg: null })
/** As `readsSql` has it. */
const isReadByAll = ({ queueId, status }: TicketVisibility): boolean => queueId === null && status === 'closed'

function isInRooms(viewer: Viewer, rooms: string[]): boolean {
  const ofAll = canSeeAllTickets(viewer) ? [`company-${viewer.companyId}-admin`] : []
  return [`user-${viewer.id}`, ...ofAll, ...roomsOfViewer(viewer)].some((seat) => rooms.includes(seat))
}

async function loadQuotedTickets(scope: Scope, messages: MessageWithQuote[]): Promise<Map<number, TicketVisibility>> {
  const ids = [...new Set(messages.filter(quotesAnotherTicket).map(({ quotedMsg }) => quotedMsg?.ticketId ?? 0))]
  if (!ids.length) return new Map()
  const rows = await scope.db
    .selectFrom('tickets')
    .select(['id', 'companyId', 'userId', 'queueId', 'status'])
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
