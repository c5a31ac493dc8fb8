import { topics } from '@recado/contract/live'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { LiveUpdates } from '../../kernel/live/live-updates.ts'

/** Somebody writes in a chat: the others of that chat hear it. Who says nothing more has stopped, for their browsers. */
export function relayChatTyping(live: LiveUpdates, means: Deps): void {
  live.onSaid('chatTyping', async ({ companyId, id }, _socket, about, typing) => {
    const chatId = /^\d{1,9}$/.test(about) ? Number(about) : 0
    if (!chatId) return
    const rows = await new Scope(means, { companyId }).db
      .selectFrom('chatUsers')
      .select('userId')
      .where('companyId', '=', companyId)
      .where('chatId', '=', chatId)
      .execute()
    const people = rows.map((row) => row.userId)
    if (!people.includes(id)) return
    const users = people.filter((one) => one !== id)
    live.say(topics.chatTyping, companyId, { chatId, userId: id, typing }, { users })
  })
}
