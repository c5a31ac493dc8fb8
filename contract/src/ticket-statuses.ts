export const ticketStatuses = ['pending', 'open', 'closed'] as const
export type TicketStatus = (typeof ticketStatuses)[number]

/** From the most to the least urgent. */
export const ticketPriorities = ['urgent', 'high', 'normal', 'low'] as const
export type TicketPriority = (typeof ticketPriorities)[number]
