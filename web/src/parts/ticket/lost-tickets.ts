import type { TicketNews } from '@recado/contract/live'

/**
 * Detects lost access: a change of owner is a delete, then an update for users who still see the ticket, so only a
 * delete without an update means no access.
 */
const updateFollowsWithinMs = 500

/** Follows ticket events and reports tickets that are no longer visible to this user. */
export function detectLostTickets(onLost: (ticketId: number) => void) {
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  return {
    receive(news: TicketNews): void {
      const id = 'ticket' in news ? news.ticket.id : news.ticketId
      clearTimeout(timers.get(id))
      timers.delete(id)
      if (news.action !== 'delete') return
      const reportLost = () => {
        timers.delete(id)
        onLost(id)
      }
      timers.set(id, setTimeout(reportLost, updateFollowsWithinMs))
    },
    /** Stops listening. */
    end(): void {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
