import type { Act, Turn } from './bot.ts'

/** A line without queues has nothing to ask: it says hello, once in each conversation. */
export function greeting({ line, state }: Turn): Act | null {
  if (state.botLeft || line.queueIds.length || !line.greetingMessage) return null
  return { bot: 'greeting', as: 'welcome', why: 'first-message', say: [line.greetingMessage], leaves: true }
}
