import type { Bot } from '../src/automation/bot-actions/bot.ts'
import { requestTo } from '../src/automation/bot-requests/backend.ts'

/** The name of the backend that answers the slow bot; each test provides one. */
export const slowBackendName = 'slow'

/** A bot that answers texts beginning with a question mark, and has to request the answer from a backend. */
export const slowBot: Bot = ({ text, state }) => {
  if (state.botLeft || !text?.startsWith('?')) return null
  return { bot: 'slow', why: 'had-to-ask', ...requestTo({ name: slowBackendName, answer: async () => null }, { text }) }
}
