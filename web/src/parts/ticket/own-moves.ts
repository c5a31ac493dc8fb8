/** How often the server spoke of each ticket: what was heard since a guess is worth more than the guess. */
const words = new Map<number, number>()
export const heard = (ticketId: number): void => void words.set(ticketId, (words.get(ticketId) ?? 0) + 1)
export const timesHeard = (ticketId: number): number => words.get(ticketId) ?? 0

/** Long enough for the server's own word of it to have come and gone. */
const rememberedMs = 5000
const moved = new Map<number, ReturnType<typeof setTimeout>>()

/** Tickets this person has just sent elsewhere: their rows need no farewell, and their screen no explanation. */
export const sentAway = (ticketId: number): boolean => moved.has(ticketId)

export function sendAway(ticketId: number): void {
  clearTimeout(moved.get(ticketId))
  moved.set(
    ticketId,
    setTimeout(() => moved.delete(ticketId), rememberedMs),
  )
}
