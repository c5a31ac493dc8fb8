import type { Message } from '@recado/contract/messages'

/** A conversation as far as it was read: the newest messages without a gap, oldest first. */
export type Loaded = { messages: Message[]; hasMore: boolean }

/** As many as the server answers with (behaviour 14a). */
export const pageSize = 20

/** Ids are numbers too large for a number. */
const byId = (a: string, b: string) => (a.length === b.length ? (a < b ? -1 : a > b ? 1 : 0) : a.length - b.length)

/** The server's order: by the sender's clock, then as they were stored. */
export function inOrder(a: Message, b: Message): number {
  if (a.createdAt === b.createdAt) return byId(a.id, b.id)
  return a.createdAt < b.createdAt ? -1 : 1
}

/** What did not change stays the same object: its bubble is not drawn again. */
const kept = (before: Message | undefined, now: Message): Message =>
  before && JSON.stringify(before) === JSON.stringify(now) ? before : now

/** A new message in its place. One that belongs above everything read so far comes with its page. */
export function withMessage(loaded: Loaded, message: Message): Loaded {
  if (loaded.messages.some((one) => one.id === message.id)) return withChange(loaded, message)
  const after = loaded.messages.findLastIndex((one) => inOrder(one, message) < 0)
  if (after < 0 && loaded.hasMore) return loaded
  return { ...loaded, messages: loaded.messages.toSpliced(after + 1, 0, message) }
}

/** Ticks, edits, reactions, files that came: of messages that are here. */
export function withChange(loaded: Loaded, message: Message): Loaded {
  const index = loaded.messages.findIndex((one) => one.id === message.id)
  const before = loaded.messages[index]
  const quoted = loaded.messages.some((one) => one.quotedMsg?.id === message.id)
  if (!before && !quoted) return loaded
  const messages = loaded.messages.map((one) => (one === before ? kept(before, message) : requoted(one, message)))
  return { ...loaded, messages }
}

/** What a reply shows of a message follows that message. */
function requoted(one: Message, { id, body, isDeleted, mediaUrl }: Message): Message {
  if (one.quotedMsg?.id !== id) return one
  return kept(one, { ...one, quotedMsg: { ...one.quotedMsg, body, isDeleted, mediaUrl } })
}

/**
 * The page above. Counted in pages from the newest, so what came meanwhile shifts it and known ones are met again: those
 * stay as they are, live news has kept them newer than any page.
 */
export function withOlder(loaded: Loaded, page: Loaded): Loaded {
  const known = new Set(loaded.messages.map((one) => one.id))
  const fresh = page.messages.filter((one) => !known.has(one.id))
  return { messages: [...fresh, ...loaded.messages].sort(inOrder), hasMore: page.hasMore }
}

/** Which page holds the next older message. */
export const nextPage = ({ messages }: Loaded): number => Math.floor(messages.length / pageSize) + 1

/** Whether nothing is missing between what was read now and what was read before. */
export const touches = (before: Loaded, fresh: Loaded): boolean => {
  const ids = new Set(fresh.messages.map((one) => one.id))
  return !fresh.hasMore || before.messages.some((one) => ids.has(one.id))
}

/** The newest pages read again: they replace what was there, and what is older stays if there is no gap. */
export function joined(before: Loaded | undefined, fresh: Loaded): Loaded {
  const [oldest] = fresh.messages
  if (!before || !oldest || !touches(before, fresh)) return fresh
  const known = new Map(before.messages.map((one) => [one.id, one]))
  const older = fresh.hasMore ? before.messages.filter((one) => inOrder(one, oldest) < 0) : []
  const messages = [...older, ...fresh.messages.map((one) => kept(known.get(one.id), one))]
  return { messages, hasMore: older.length > 0 ? before.hasMore : fresh.hasMore }
}

/** A conversation nobody looks at keeps its newest page: it opens at once and costs nothing. */
export function newestPage(loaded: Loaded): Loaded {
  if (loaded.messages.length <= pageSize) return loaded
  return { messages: loaded.messages.slice(-pageSize), hasMore: true }
}

/** Its agent has opened it: what stood there is read. */
export function asRead(loaded: Loaded, ticketId: number): Loaded {
  const isNews = (one: Message) => !one.read && !one.fromMe && one.ticketId === ticketId
  if (!loaded.messages.some(isNews)) return loaded
  return { ...loaded, messages: loaded.messages.map((one) => (isNews(one) ? { ...one, read: true } : one)) }
}
