import type { ImmediateAction, Turn } from '../bot-actions/bot.ts'

/** A line without queues shows no menu: it greets once per conversation. */
export function greetingBot({ line, state }: Turn): ImmediateAction | null {
  if (state.botLeft || line.queueIds.length || !line.greetingMessage) return null
  return {
    bot: 'greeting',
    messageBot: 'welcome',
    why: 'first-message',
    messages: [line.greetingMessage],
    handsOver: true,
  }
}
