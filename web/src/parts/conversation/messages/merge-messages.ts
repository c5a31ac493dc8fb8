import type { Message } from '@recado/contract/messages'

/** The loaded part of a conversation: the newest messages without a gap, oldest first. */
export type LoadedMessages = { messages: Message[]; hasMore: boolean }

/** The server's page size (behaviour 14a). */
export const messagePageSize = 20

/** Compares ids, which are integers beyond the safe range of a number. */
const compareIds = (a: string, b: string) =>
  a.length === b.length ? (a < b ? -1 : a > b ? 1 : 0) : a.length - b.length

/** The server's order: by the sender's timestamp, then by storage order. */
export function compareMessages(a: Message, b: Message): number {
  if (a.createdAt === b.createdAt) return compareIds(a.id, b.id)
  return a.createdAt < b.createdAt ? -1 : 1
}

/** Keeps the same object for an unchanged message, so that its bubble is not re-rendered. */
const reuseIfEqual = (before: Message | undefined, now: Message): Message =>
  before && JSON.stringify(before) === JSON.stringify(now) ? before : now

/** Inserts a new message. A message older than all loaded messages comes with its page instead. */
export function insertMessage(loaded: LoadedMessages, message: Message): LoadedMessages {
  if (loaded.messages.some((one) => one.id === message.id)) return updateMessage(loaded, message)
  const after = loaded.messages.findLastIndex((one) => compareMessages(one, message) < 0)
  if (after < 0 && loaded.hasMore) return loaded
  return { ...loaded, messages: loaded.messages.toSpliced(after + 1, 0, message) }
}

/** Updates a loaded message: receipts, edits, reactions and downloaded files. */
export function updateMessage(loaded: LoadedMessages, message: Message): LoadedMessages {
  const index = loaded.messages.findIndex((one) => one.id === message.id)
  const before = loaded.messages[index]
  const quoted = loaded.messages.some((one) => one.quotedMsg?.id === message.id)
  if (!before && !quoted) return loaded
  const messages = loaded.messages.map((one) =>
    one === before ? reuseIfEqual(before, message) : updateQuote(one, message),
  )
  return { ...loaded, messages }
}

/** Updates the quote of a changed message in a reply. */
function updateQuote(one: Message, { id, body, isDeleted, mediaUrl }: Message): Message {
  if (one.quotedMsg?.id !== id) return one
  return reuseIfEqual(one, { ...one, quotedMsg: { ...one.quotedMsg, body, isDeleted, mediaUrl } })
}

/**
 * Prepends the next older page. Pages are counted from the newest message, so new messages shift them and a page may
 * repeat known messages. The known messages are kept, because live events have kept them newer than any page.
 */
export function prependOlderPage(loaded: LoadedMessages, page: LoadedMessages): LoadedMessages {
  const known = new Set(loaded.messages.map((one) => one.id))
  const fresh = page.messages.filter((one) => !known.has(one.id))
  return { messages: [...fresh, ...loaded.messages].sort(compareMessages), hasMore: page.hasMore }
}

/** The page with the next older message. */
export const nextOlderPageNumber = ({ messages }: LoadedMessages): number =>
  Math.floor(messages.length / messagePageSize) + 1

/** Whether there is no gap between the reloaded pages and the earlier messages. */
export const hasNoGap = (before: LoadedMessages, fresh: LoadedMessages): boolean => {
  const ids = new Set(fresh.messages.map((one) => one.id))
  return !fresh.hasMore || before.messages.some((one) => ids.has(one.id))
}

/** Merges reloaded newest pages: they replace the earlier messages, and older messages stay if there is no gap. */
export function mergeNewestPages(before: LoadedMessages | undefined, fresh: LoadedMessages): LoadedMessages {
  const [oldest] = fresh.messages
  if (!before || !oldest || !hasNoGap(before, fresh)) return fresh
  const known = new Map(before.messages.map((one) => [one.id, one]))
  const older = fresh.hasMore ? before.messages.filter((one) => compareMessages(one, oldest) < 0) : []
  const messages = [...older, ...fresh.messages.map((one) => reuseIfEqual(known.get(one.id), one))]
  return { messages, hasMore: older.length > 0 ? before.hasMore : fresh.hasMore }
}

/** Trims an inactive conversation to its newest page, so that it opens at once and needs little memory. */
export function trimToNewestPage(loaded: LoadedMessages): LoadedMessages {
  if (loaded.messages.length <= messagePageSize) return loaded
  return { messages: loaded.messages.slice(-messagePageSize), hasMore: true }
}

/** Marks all messages as read, because the assigned agent has opened the ticket. */
export function markMessagesRead(loaded: LoadedMessages, ticketId: number): LoadedMessages {
  const isNews = (one: Message) => !one.read && !one.fromMe && one.ticketId === ticketId
  if (!loaded.messages.some(isNews)) return loaded
  return { ...loaded, messages: loaded.messages.map((one) => (isNews(one) ? { ...one, read: true } : one)) }
}
