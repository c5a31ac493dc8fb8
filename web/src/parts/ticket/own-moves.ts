type Word = { id: number; laneId?: number | null }
/** How often the server spoke of each ticket: what was heard since a guess is worth more than the guess. */
const words = new Map<number, number>()
const listeners = new Set<(word: Word) => void>()
export function heard(word: Word): void {
  words.set(word.id, (words.get(word.id) ?? 0) + 1)
  for (const listener of [...listeners]) listener(word)
}
export const timesHeard = (ticketId: number): number => words.get(ticketId) ?? 0

/** The server's word of a move comes within this, or not at all: the line is down, and everything is read again. */
const wordMs = 2000
/**
 * Whether the server's own word came that a ticket stands in that lane. What was heard before it is older than the move,
 * although it may come after the answer; what is heard after it is newer.
 */
export const wordOf = (ticketId: number, laneId: number | null): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (came: boolean) => {
      clearTimeout(timer)
      listeners.delete(listen)
      resolve(came)
    }
    const listen = (word: Word) => {
      if (word.id === ticketId && word.laneId === laneId) end(true)
    }
    const timer = setTimeout(end, wordMs, false)
    listeners.add(listen)
  })

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
