type TicketPosition = { id: number; laneId?: number | null }
/** Number of events per ticket: an event received after a local change is more reliable than the change. */
const newsCounts = new Map<number, number>()
const listeners = new Set<(word: TicketPosition) => void>()
export function recordTicketNews(word: TicketPosition): void {
  newsCounts.set(word.id, (newsCounts.get(word.id) ?? 0) + 1)
  for (const listener of [...listeners]) listener(word)
}
export const countTicketNews = (ticketId: number): number => newsCounts.get(ticketId) ?? 0

/** The event of a move arrives within this time. Otherwise the connection is down, and everything is reloaded later. */
const newsTimeoutMs = 2000
/**
 * Whether the event has arrived that a ticket is in that lane. Earlier events are older than the move, although they
 * may arrive after the response; later events are newer.
 */
export const waitForLaneNews = (ticketId: number, laneId: number | null): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (came: boolean) => {
      clearTimeout(timer)
      listeners.delete(listen)
      resolve(came)
    }
    const listen = (word: TicketPosition) => {
      if (word.id === ticketId && word.laneId === laneId) end(true)
    }
    const timer = setTimeout(end, newsTimeoutMs, false)
    listeners.add(listen)
  })

/** How long a moved ticket is remembered: long enough for the event about it to arrive. */
const sentAwayTtlMs = 5000
const sentAwayTickets = new Map<number, ReturnType<typeof setTimeout>>()

/**
 * Whether this user has just moved the ticket away, for example by a transfer: then no message is needed when it
 * disappears.
 */
export const wasSentAway = (ticketId: number): boolean => sentAwayTickets.has(ticketId)

export function markSentAway(ticketId: number): void {
  clearTimeout(sentAwayTickets.get(ticketId))
  sentAwayTickets.set(
    ticketId,
    setTimeout(() => sentAwayTickets.delete(ticketId), sentAwayTtlMs),
  )
}
