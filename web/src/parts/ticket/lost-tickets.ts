import type { TicketNews } from '@recado/contract/live'

/** A change of owner is a delete and then an update to those who still see it: only a delete alone means farewell. */
const updateFollowsWithinMs = 500

/** Listens to what is told of tickets, and says which have left this person's sight. */
export function detectLostTickets(left: (ticketId: number) => void) {
  const begun = new Map<number, ReturnType<typeof setTimeout>>()
  return {
    hear(news: TicketNews): void {
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
    /** Nobody listens any more. */
    end(): void {
      for (const timer of begun.values()) clearTimeout(timer)
      begun.clear()
    },
  }
}
