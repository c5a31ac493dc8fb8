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
} from '../tickets/base/visibility.ts'
import type { MessageWithQuote } from './view.ts'

type AudienceCopy = { message: Message; audience: { rooms: string[]; except?: string[] } }

/**
 * The recipients of a message event, and the form that each gets. A customer may quote a ticket of another queue; that
 * text is only for users who may read that ticket, and all others get the message without the quote.
 */
export async function splitByQuoteVisibility(
  scope: Scope,
  all: { message: MessageWithQuote; rooms: string[] }[],
): Promise<AudienceCopy[]> {
  const quoted = await loadQuotedTickets(
    scope,
    all.map(({ message }) => message),
  )
  if (!quoted.size) return all.map(({ message, rooms }) => ({ message, audience: { rooms } }))
  const viewers = await loadAllViewers(scope)
  return all.flatMap(({ message, rooms }): AudienceCopy[] => {
    const ticket = quotesAnotherTicket(message) && quoted.get(message.quotedMsg?.ticketId ?? 0)
    if (!ticket || isReadByAll(ticket)) return [{ message, audience: { rooms } }]
    const readers = viewers
      .filter((one) => canSeeTicket(one, ticket) && isInRooms(one, rooms))
      .map(({ id }) => `user-${id}`)
    return [
      ...(readers.length ? [{ message, audience: { rooms: readers } }] : []),
      { message: withoutQuote(message), audience: { rooms, except: readers } },
    ]
  })
}

/** Removes quotes that the actor may not read, for a response. */
export async function hideUnreadableQuotes(scope: Scope, messages: MessageWithQuote[]): Promise<Message[]> {
  const quoted = await loadQuotedTickets(scope, messages)
  const viewer = scope.person && currentViewer(scope)
  return messages.map((message) => {
    const ticket = quotesAnotherTicket(message) && quoted.get(message.quotedMsg?.ticketId ?? 0)
    return !ticket || isReadByAll(ticket) || (viewer && canSeeTicket(viewer, ticket)) ? message : withoutQuote(message)
  })
}

/**
 * Whether a message quotes another ticket. A quote from the same ticket, or of a message without a ticket, is visible
 * to all who may read the message.
 */
const quotesAnotherTicket = ({ ticketId, quotedMsg }: MessageWithQuote): boolean =>
  quotedMsg !== null && quotedMsg.ticketId !== null && quotedMsg.ticketId !== ticketId
const withoutQuote = (message: MessageWithQuote): Message => ({ ...message, quotedMsg: null })
/** Whether everybody may read the ticket; the same rule as `canReadTicketSql`. */
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
