import type { TicketNews } from '@recado/contract/live'

/** A change of owner is a delete, then an update for those who still see it: only a delete alone means no access. */
const updateFollowsWithinMs = 500

/** Follows ticket events and reports tickets that are no longer visible to this user. */
export function detectLostTickets(left: (ticketId: number) => void) {
  const begun = new Map<number, ReturnType<typeof setTimeout>>()
  return {
    receive(news: TicketNews): void {
      const id = 'ticket' in news ? news.ticket.id : news.ticketId
      clearTimeout(begun.get(id))
      begun.delete(id)
      if (news.action !== 'delete') return
      const over = () => {
        begun.delete(id)
        left(id)
      }
      begun.set(id, setTimeout(over, updateFollowsWithinMs))
    },
    /** Stops listening. */
    end(): void {
      for (const timer of begun.values()) clearTimeout(timer)
      begun.clear()
    },
  }
}
