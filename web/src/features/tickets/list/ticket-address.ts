import type { Ticket } from '@recado/contract/tickets'

/** The path of a ticket; for a search hit in a message, at that message. */
export const ticketAddress = ({ uuid, hit }: Pick<Ticket, 'uuid' | 'hit'>): string =>
  `/tickets/${uuid}${hit ? `#${hit.messageId}` : ''}`
