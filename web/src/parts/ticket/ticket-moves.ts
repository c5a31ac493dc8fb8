type TicketPosition = { id: number; laneId?: number | null }
/** How often the server spoke of each ticket: what was heard since a guess is worth more than the guess. */
const newsCounts = new Map<number, number>()
const listeners = new Set<(word: TicketPosition) => void>()
export function recordTicketNews(word: TicketPosition): void {
  newsCounts.set(word.id, (newsCounts.get(word.id) ?? 0) + 1)
  for (const listener of [...listeners]) listener(word)
}
export const countTicketNews = (ticketId: number): number => newsCounts.get(ticketId) ?? 0

/** The server's word of a move comes within this, or not at all: the line is down, and everything is read again. */
const newsTimeoutMs = 2000
/**
 * Whether the server's own word came that a ticket stands in that lane. What was heard before it is older than the move,
 * although it may come after the answer; what is heard after it is newer.
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

/** Long enough for the server's own word of it to have come and gone. */
const sentAwayTtlMs = 5000
const sentAwayTickets = new Map<number, ReturnType<typeof setTimeout>>()

/** Tickets this person has just sent elsewhere: their rows need no farewell, and their screen no explanation. */
export const wasSentAway = (ticketId: number): boolean => sentAwayTickets.has(ticketId)

export function markSentAway(ticketId: number): void {
  clearTimeout(sentAwayTickets.get(ticketId))
  sentAwayTickets.set(
    ticketId,
    setTimeout(() => sentAwayTickets.delete(ticketId), sentAwayTtlMs),
  )
}
