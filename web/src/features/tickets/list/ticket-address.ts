import type { Ticket } from '@recado/contract/tickets'

/** The path of a ticket. For a search hit in a message, the path leads to that message. */
export const ticketAddress = ({ uuid, hit }: Pick<Ticket, 'uuid' | 'hit'>): string =>
  `/tickets/${uuid}${hit ? `#${hit.messageId}` : ''}`
