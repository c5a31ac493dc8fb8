import { topics } from '@recado/contract/live'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { LiveUpdates } from '../../kernel/live/live-updates.ts'

/** Publishes typing to the other members of the chat. Their browsers hide it after a time without events. */
export function relayChatTyping(live: LiveUpdates, deps: Deps): void {
  live.onClientState('chatTyping', async ({ companyId, id }, _socket, about, typing) => {
    const chatId = /^\d{1,9}$/.test(about) ? Number(about) : 0
    if (!chatId) return
    const rows = await new Scope(deps, { companyId }).db
      .selectFrom('chatUsers')
      .select('userId')
      .where('companyId', '=', companyId)
      .where('chatId', '=', chatId)
      .execute()
    const people = rows.map((row) => row.userId)
    if (!people.includes(id)) return
    const users = people.filter((one) => one !== id)
    live.publish(topics.chatTyping, companyId, { chatId, userId: id, typing }, { users })
  })
}
