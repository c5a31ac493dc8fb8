import { requestTo } from '../src/automation/bot-requests/backend.ts'
import type { Bot } from '../src/automation/bots/bot.ts'

/** The name of whom it asks; each test brings its own. */
export const slowBackendName = 'slow'

/** A bot that answers whatever begins with a question mark, and has to ask somebody what. */
export const slowBot: Bot = ({ text, state }) => {
  if (state.botLeft || !text?.startsWith('?')) return null
  return { bot: 'slow', why: 'had-to-ask', ...requestTo({ name: slowBackendName, answer: async () => null }, { text }) }
}
