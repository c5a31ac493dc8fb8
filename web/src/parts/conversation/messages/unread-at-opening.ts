import type { Message } from '@recado/contract/messages'

/** The unread state when the conversation was opened: later messages are seen as they arrive. */
export type UnreadAtOpening = { newest: string; unread: number }

const isFromCustomer = (one: Message, ticketId: number) => !one.fromMe && one.ticketId === ticketId

/** The message below the "new" divider: the oldest loaded message that was unread. */
export function findFirstUnread(
  messages: Message[],
  ticketId: number,
  { newest, unread }: UnreadAtOpening,
): string | null {
  if (unread === 0) return null
  const until = messages.findIndex((one) => one.id === newest)
  let found: string | null = null
  let left = unread
  for (let i = until; i >= 0 && left > 0; i--) {
    const one = messages[i] as Message
    if (!isFromCustomer(one, ticketId)) continue
    found = one.id
    left--
  }
  return found
}
