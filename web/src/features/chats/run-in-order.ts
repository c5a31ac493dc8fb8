const lastPerChat = new Map<number, Promise<void>>()

/** Runs `work` after all earlier work of the same chat has settled, successfully or not. */
export function runInOrder(chatId: number, work: () => Promise<void>): Promise<void> {
  const before = lastPerChat.get(chatId) ?? Promise.resolve()
  const mine = before.then(work, work)
  lastPerChat.set(chatId, mine)
  return mine
}
