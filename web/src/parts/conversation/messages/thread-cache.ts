import type { MessageNews } from '@recado/contract/live'
import type { Message } from '@recado/contract/messages'
import type { QueryClient } from '@tanstack/react-query'
import { createNewsReplay } from '../../../lib/news-replay.ts'
import { insertMessage, type LoadedMessages, trimToNewestPage, updateMessage } from './merge-messages.ts'

/** The loaded messages, their load time, and the number of unread messages before: loading them marked them as read. */
export type CachedThread = LoadedMessages & { unread: number; readAt: number }

export const threadKey = (ticketId: number) => ['thread', ticketId] as const

/**
 * Changes to a conversation: the server's events, its response to a message sent by this page, and the loss of access
 * to another ticket of the chat.
 */
export type ThreadNews = MessageNews | { action: 'stored'; message: Message } | { action: 'left'; ticketId: number }

/** A thread spans all tickets of a contact on a line. */
export type ThreadScope = { ticketId: number; contactId: number; whatsappId: number | null }

/** Recent conversations are kept with their newest page, so that switching is instant. */
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

/** Called when the conversation is no longer shown. */
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
/** Runs a request, collecting the events received meanwhile. */
export const { runAndApply: readWithThreadNews, runWithNews: readAndCollectThreadNews } = newsReplay

/** The message in an event, if it has this id. */
export const messageFromNews = (news: ThreadNews, id: string): Message | undefined =>
  news.action !== 'left' && news.message.id === id ? news.message : undefined

/**
 * Local changes that the server has not answered yet. Events in the meantime may be older, so these changes are
 * applied on top.
 */
const optimisticChanges = new Map<string, Partial<Message>>()

/** Records a local change. The returned function removes it. */
export function addOptimisticChange(id: string, part: Partial<Message>): () => void {
  optimisticChanges.set(id, part)
  return () => void (optimisticChanges.get(id) === part && optimisticChanges.delete(id))
}

/** Applies events to every cached conversation, not only to the visible conversation. */
export function applyToCachedThreads(client: QueryClient, news: ThreadNews): void {
  newsReplay.record(news)
  for (const chat of recentThreads.values())
    updateThread(client, chat.ticketId, (loaded) => applyThreadNews(loaded, chat, news))
}

export function applyThreadNews<L extends LoadedMessages>(loaded: L, chat: ThreadScope, news: ThreadNews): L {
  if (news.action === 'left') return chat.ticketId === news.ticketId ? loaded : withoutTicket(loaded, news.ticketId)
  const message = { ...news.message, ...optimisticChanges.get(news.message.id) }
  if (news.action === 'update') return { ...loaded, ...updateMessage(loaded, message) }
  if (news.action === 'stored') {
    // The event about this message may have arrived first, and is newer.
    const isHere = loaded.messages.some((one) => one.id === news.message.id)
    return isHere || news.message.ticketId !== chat.ticketId
      ? loaded
      : { ...loaded, ...insertMessage(loaded, news.message) }
  }
  return belongsToThread(chat, news) ? { ...loaded, ...insertMessage(loaded, message) } : loaded
}

/** Whether the loaded messages contain messages of that ticket. */
export const hasMessagesOfTicket = (loaded: LoadedMessages | undefined, ticketId: number): boolean =>
  loaded?.messages.some((one) => one.ticketId === ticketId) ?? false

const withoutTicket = <L extends LoadedMessages>(loaded: L, ticketId: number): L =>
  hasMessagesOfTicket(loaded, ticketId)
    ? { ...loaded, messages: loaded.messages.filter((one) => one.ticketId !== ticketId) }
    : loaded

const belongsToThread = (chat: ThreadScope, { message, ticket }: Extract<MessageNews, { action: 'create' }>) =>
  message.ticketId === chat.ticketId || isSameChat(chat, ticket)

/** Whether both are about the same contact on the same line. */
export const isSameChat = (chat: ThreadScope, of: { contactId: number; whatsappId: number | null }): boolean =>
  chat.whatsappId !== null && of.whatsappId === chat.whatsappId && of.contactId === chat.contactId
