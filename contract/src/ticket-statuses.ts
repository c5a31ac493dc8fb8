export const ticketStatuses = ['pending', 'open', 'closed'] as const
export type TicketStatus = (typeof ticketStatuses)[number]
