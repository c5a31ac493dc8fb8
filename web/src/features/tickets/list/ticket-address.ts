import type { Ticket } from '@recado/contract/tickets'

/** Where a ticket is opened: what a search found by a message, at that message. */
export const ticketAddress = ({ uuid, hit }: Pick<Ticket, 'uuid' | 'hit'>): string =>
  `/tickets/${uuid}${hit ? `#${hit.messageId}` : ''}`
