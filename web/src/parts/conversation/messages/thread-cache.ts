import type { MessageNews } from '@recado/contract/live'
import type { Message } from '@recado/contract/messages'
import type { QueryClient } from '@tanstack/react-query'
import { replay } from '../../../lib/replay.ts'
import { type Loaded, newestPage, withChange, withMessage } from './merge.ts'

/** What was read, when, and how many of the newest page were unread just before: reading it made them read. */
export type Cached = Loaded & { unread: number; readAt: number }

export const threadKey = (ticketId: number) => ['thread', ticketId] as const

/**
 * What changes a conversation: what the server tells all, what it answered to a sending of this page, and another ticket
 * of the chat that this person no longer sees.
 */
export type News = MessageNews | { action: 'stored'; message: Message } | { action: 'left'; ticketId: number }

/** A thread goes over every ticket of a contact on a line. */
export type Chat = { ticketId: number; contactId: number; whatsappId: number | null }

/** The last conversations stay, newest page only: switching between them is instant. */
const atMost = 20
const recent = new Map<number, Chat>()

export function remember(client: QueryClient, chat: Chat): void {
  recent.delete(chat.ticketId)
  recent.set(chat.ticketId, chat)
  for (const ticketId of [...recent.keys()].slice(0, -atMost)) {
    recent.delete(ticketId)
    client.removeQueries({ queryKey: threadKey(ticketId) })
  }
}

/** Nobody looks at it any more. */
export function rest(client: QueryClient, ticketId: number): void {
  change(client, ticketId, newestPage)
}

export function change(client: QueryClient, ticketId: number, how: (loaded: Loaded) => Loaded): void {
  client.setQueryData<Cached>(threadKey(ticketId), (old) => {
    if (!old) return old
    const now = how(old)
    return now === old ? old : { ...old, ...now }
  })
}

const meanwhile = replay<News>()
/** Reads something of a conversation, with what is heard of any meanwhile. */
export const { during, since } = meanwhile

/** What it tells of that message, if it does. */
export const told = (news: News, id: string): Message | undefined =>
  news.action !== 'left' && news.message.id === id ? news.message : undefined

/** What is done to messages here and not answered yet: what is said of them meanwhile may be older, and shows with it. */
const guesses = new Map<string, Partial<Message>>()

/** Returns how it ends. */
export function guess(id: string, part: Partial<Message>): () => void {
  guesses.set(id, part)
  return () => void (guesses.get(id) === part && guesses.delete(id))
}

/** Live news goes into every conversation that is kept, not only into the one on the screen. */
export function hear(client: QueryClient, news: News): void {
  meanwhile.hear(news)
  for (const chat of recent.values()) change(client, chat.ticketId, (loaded) => withNews(loaded, chat, news))
}

export function withNews<L extends Loaded>(loaded: L, chat: Chat, news: News): L {
  if (news.action === 'left') return chat.ticketId === news.ticketId ? loaded : without(loaded, news.ticketId)
  const message = { ...news.message, ...guesses.get(news.message.id) }
  if (news.action === 'update') return { ...loaded, ...withChange(loaded, message) }
  if (news.action === 'stored') {
    // Its news may have been heard first, and that is newer.
    const isHere = loaded.messages.some((one) => one.id === news.message.id)
    return isHere || news.message.ticketId !== chat.ticketId
      ? loaded
      : { ...loaded, ...withMessage(loaded, news.message) }
  }
  return belongs(chat, news) ? { ...loaded, ...withMessage(loaded, message) } : loaded
}

/** Whether something of that ticket stands in it. */
export const holds = (loaded: Loaded | undefined, ticketId: number): boolean =>
  loaded?.messages.some((one) => one.ticketId === ticketId) ?? false

const without = <L extends Loaded>(loaded: L, ticketId: number): L =>
  holds(loaded, ticketId) ? { ...loaded, messages: loaded.messages.filter((one) => one.ticketId !== ticketId) } : loaded

const belongs = (chat: Chat, { message, ticket }: Extract<MessageNews, { action: 'create' }>) =>
  message.ticketId === chat.ticketId || isOf(chat, ticket)

/** Whether it is of the same contact on the same line. */
export const isOf = (chat: Chat, of: { contactId: number; whatsappId: number | null }): boolean =>
  chat.whatsappId !== null && of.whatsappId === chat.whatsappId && of.contactId === chat.contactId
