const last = new Map<number, Promise<void>>()

/** Begins when what was begun before it in the same chat is over, whatever came of that. */
export function inTurn(chatId: number, work: () => Promise<void>): Promise<void> {
  const before = last.get(chatId) ?? Promise.resolve()
  const mine = before.then(work, work)
  last.set(chatId, mine)
  return mine
}
