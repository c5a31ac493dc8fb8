import type { Message } from '@recado/contract/messages'

/** A conversation as far as it was read: the newest messages without a gap, oldest first. */
export type LoadedMessages = { messages: Message[]; hasMore: boolean }

/** As many as the server answers with (behaviour 14a). */
export const messagePageSize = 20

/** Ids are numbers too large for a number. */
const compareIds = (a: string, b: string) =>
  a.length === b.length ? (a < b ? -1 : a > b ? 1 : 0) : a.length - b.length

/** The server's order: by the sender's clock, then as they were stored. */
export function compareMessages(a: Message, b: Message): number {
  if (a.createdAt === b.createdAt) return compareIds(a.id, b.id)
  return a.createdAt < b.createdAt ? -1 : 1
}

/** What did not change stays the same object: its bubble is not drawn again. */
const reuseIfEqual = (before: Message | undefined, now: Message): Message =>
  before && JSON.stringify(before) === JSON.stringify(now) ? before : now

/** A new message in its place. One that belongs above everything read so far comes with its page. */
export function insertMessage(loaded: LoadedMessages, message: Message): LoadedMessages {
  if (loaded.messages.some((one) => one.id === message.id)) return updateMessage(loaded, message)
  const after = loaded.messages.findLastIndex((one) => compareMessages(one, message) < 0)
  if (after < 0 && loaded.hasMore) return loaded
  return { ...loaded, messages: loaded.messages.toSpliced(after + 1, 0, message) }
}

/** Ticks, edits, reactions, files that came: of messages that are here. */
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

/** What a reply shows of a message follows that message. */
function updateQuote(one: Message, { id, body, isDeleted, mediaUrl }: Message): Message {
  if (one.quotedMsg?.id !== id) return one
  return reuseIfEqual(one, { ...one, quotedMsg: { ...one.quotedMsg, body, isDeleted, mediaUrl } })
}

/**
 * The page above. Counted in pages from the newest, so what came meanwhile shifts it and known ones are met again: those
 * stay as they are, live news has kept them newer than any page.
 */
export function prependOlderPage(loaded: LoadedMessages, page: LoadedMessages): LoadedMessages {
  const known = new Set(loaded.messages.map((one) => one.id))
  const fresh = page.messages.filter((one) => !known.has(one.id))
  return { messages: [...fresh, ...loaded.messages].sort(compareMessages), hasMore: page.hasMore }
}

/** Which page holds the next older message. */
export const nextOlderPageNumber = ({ messages }: LoadedMessages): number =>
  Math.floor(messages.length / messagePageSize) + 1

/** Whether nothing is missing between what was read now and what was read before. */
export const hasNoGap = (before: LoadedMessages, fresh: LoadedMessages): boolean => {
  const ids = new Set(fresh.messages.map((one) => one.id))
  return !fresh.hasMore || before.messages.some((one) => ids.has(one.id))
}

/** The newest pages read again: they replace what was there, and what is older stays if there is no gap. */
export function mergeNewestPages(before: LoadedMessages | undefined, fresh: LoadedMessages): LoadedMessages {
  const [oldest] = fresh.messages
  if (!before || !oldest || !hasNoGap(before, fresh)) return fresh
  const known = new Map(before.messages.map((one) => [one.id, one]))
  const older = fresh.hasMore ? before.messages.filter((one) => compareMessages(one, oldest) < 0) : []
  const messages = [...older, ...fresh.messages.map((one) => reuseIfEqual(known.get(one.id), one))]
  return { messages, hasMore: older.length > 0 ? before.hasMore : fresh.hasMore }
}

/** A conversation nobody looks at keeps its newest page: it opens at once and costs nothing. */
export function trimToNewestPage(loaded: LoadedMessages): LoadedMessages {
  if (loaded.messages.length <= messagePageSize) return loaded
  return { messages: loaded.messages.slice(-messagePageSize), hasMore: true }
}

/** Its agent has opened it: what stood there is read. */
export function markMessagesRead(loaded: LoadedMessages, ticketId: number): LoadedMessages {
  const isNews = (one: Message) => !one.read && !one.fromMe && one.ticketId === ticketId
  if (!loaded.messages.some(isNews)) return loaded
  return { ...loaded, messages: loaded.messages.map((one) => (isNews(one) ? { ...one, read: true } : one)) }
}
