const lastPerChat = new Map<number, Promise<void>>()

/** Begins when what was begun before it in the same chat is over, whatever came of that. */
export function runInOrder(chatId: number, work: () => Promise<void>): Promise<void> {
  const before = lastPerChat.get(chatId) ?? Promise.resolve()
  const mine = before.then(work, work)
  lastPerChat.set(chatId, mine)
  return mine
}
