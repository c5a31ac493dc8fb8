import type { MessageNews } from '@recado/contract/live'
import type { Message } from '@recado/contract/messages'
import type { QueryClient } from '@tanstack/react-query'
import { createNewsReplay } from '../../../lib/news-replay.ts'
import { insertMessage, type LoadedMessages, trimToNewestPage, updateMessage } from './merge-messages.ts'

/** What was read, when, and how many of the newest page were unread just before: reading it made them read. */
export type CachedThread = LoadedMessages & { unread: number; readAt: number }

export const threadKey = (ticketId: number) => ['thread', ticketId] as const

/**
 * What changes a conversation: what the server tells all, what it answered to a sending of this page, and another ticket
 * of the chat that this person no longer sees.
 */
export type ThreadNews = MessageNews | { action: 'stored'; message: Message } | { action: 'left'; ticketId: number }

/** A thread goes over every ticket of a contact on a line. */
export type ThreadScope = { ticketId: number; contactId: number; whatsappId: number | null }

/** The last conversations stay, newest page only: switching between them is instant. */
const maxCachedThreads = 20
const recentThreads = new Map<number, ThreadScope>()

export function keepThreadCached(client: QueryClient, chat: ThreadScope): void {
  recentThreads.delete(chat.ticketId)
  recentThreads.set(chat.ticketId, chat)
  for (const ticketId of [...recentThreads.keys()].slice(0, -maxCachedThreads)) {
    recentThreads.delete(ticketId)
    client.removeQueries({ queryKey: threadKey(ticketId) })
  }
}

/** Nobody looks at it any more. */
export function trimThread(client: QueryClient, ticketId: number): void {
  updateThread(client, ticketId, trimToNewestPage)
}

export function updateThread(
  client: QueryClient,
  ticketId: number,
  how: (loaded: LoadedMessages) => LoadedMessages,
): void {
  client.setQueryData<CachedThread>(threadKey(ticketId), (old) => {
    if (!old) return old
    const now = how(old)
    return now === old ? old : { ...old, ...now }
  })
}

const newsReplay = createNewsReplay<ThreadNews>()
/** Reads something of a conversation, with what is heard of any meanwhile. */
export const { during: readWithThreadNews, since: readAndCollectThreadNews } = newsReplay

/** What it tells of that message, if it does. */
export const messageFromNews = (news: ThreadNews, id: string): Message | undefined =>
  news.action !== 'left' && news.message.id === id ? news.message : undefined

/** What is done to messages here and not answered yet: what is said of them meanwhile may be older, and shows with it. */
const optimisticChanges = new Map<string, Partial<Message>>()

/** Returns how it ends. */
export function addOptimisticChange(id: string, part: Partial<Message>): () => void {
  optimisticChanges.set(id, part)
  return () => void (optimisticChanges.get(id) === part && optimisticChanges.delete(id))
}

/** Live news goes into every conversation that is kept, not only into the one on the screen. */
export function applyToCachedThreads(client: QueryClient, news: ThreadNews): void {
  newsReplay.hear(news)
  for (const chat of recentThreads.values())
    updateThread(client, chat.ticketId, (loaded) => applyThreadNews(loaded, chat, news))
}

export function applyThreadNews<L extends LoadedMessages>(loaded: L, chat: ThreadScope, news: ThreadNews): L {
  if (news.action === 'left') return chat.ticketId === news.ticketId ? loaded : withoutTicket(loaded, news.ticketId)
  const message = { ...news.message, ...optimisticChanges.get(news.message.id) }
  if (news.action === 'update') return { ...loaded, ...updateMessage(loaded, message) }
  if (news.action === 'stored') {
    // Its news may have been heard first, and that is newer.
    const isHere = loaded.messages.some((one) => one.id === news.message.id)
    return isHere || news.message.ticketId !== chat.ticketId
      ? loaded
      : { ...loaded, ...insertMessage(loaded, news.message) }
  }
  return belongsToThread(chat, news) ? { ...loaded, ...insertMessage(loaded, message) } : loaded
}

/** Whether something of that ticket stands in it. */
export const hasMessagesOfTicket = (loaded: LoadedMessages | undefined, ticketId: number): boolean =>
  loaded?.messages.some((one) => one.ticketId === ticketId) ?? false

const withoutTicket = <L extends LoadedMessages>(loaded: L, ticketId: number): L =>
  hasMessagesOfTicket(loaded, ticketId)
    ? { ...loaded, messages: loaded.messages.filter((one) => one.ticketId !== ticketId) }
    : loaded

const belongsToThread = (chat: ThreadScope, { message, ticket }: Extract<MessageNews, { action: 'create' }>) =>
  message.ticketId === chat.ticketId || isSameChat(chat, ticket)

/** Whether it is of the same contact on the same line. */
export const isSameChat = (chat: ThreadScope, of: { contactId: number; whatsappId: number | null }): boolean =>
  chat.whatsappId !== null && of.whatsappId === chat.whatsappId && of.contactId === chat.contactId
