import { type Chat, type ChatMessage, chatsApi } from '@recado/contract/chats'
import { type ChatNews, topics } from '@recado/contract/live'
import { usersApi } from '@recado/contract/users'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'
import { useLiveTopic, useRecordNews, useResync } from '../../lib/live.ts'
import { createNewsReplay } from '../../lib/news-replay.ts'
import { useSession } from '../../lib/session.tsx'
import {
  applyChatMessage,
  applyChatNews,
  applyChatRead,
  countTotalUnread,
  type LoadedChatMessages,
  type LoadedChats,
} from './apply-chat-news.ts'

const chatsKey = ['chats']
const threadKey = (chatId: number) => ['chat-messages', chatId]
const chatListReplay = createNewsReplay<(list: LoadedChats) => LoadedChats>()
const messageReplay = createNewsReplay<ChatMessage>()

const readChatPage = (pageNumber: number) =>
  chatListReplay.runAndApply<LoadedChats>(
    async () => {
      const { records, hasMore } = await callApi(chatsApi.list, { query: { pageNumber } })
      return { records, hasMore, next: pageNumber + 1 }
    },
    (page, apply) => apply(page),
  )

/** The user's chats, loaded once and then kept current. They are not requested if the plan does not include chats. */
export function useChats() {
  const { plan } = useSession()
  return useQuery({
    queryKey: chatsKey,
    queryFn: () => readChatPage(1),
    enabled: plan?.useInternalChat === true,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

const updateChatList = (client: QueryClient, apply: (list: LoadedChats) => LoadedChats) => {
  chatListReplay.record(apply)
  client.setQueryData<LoadedChats>(chatsKey, (list) => list && apply(list))
}

export async function loadMoreChats(client: QueryClient, { next }: LoadedChats): Promise<void> {
  const page = await readChatPage(next)
  client.setQueryData<LoadedChats>(chatsKey, (list) => {
    const knownIds = new Set(list?.records.map((chat) => chat.id))
    return list && { ...page, records: [...list.records, ...page.records.filter((chat) => !knownIds.has(chat.id))] }
  })
}

/** Applies a chat from a response in the same way as an event. */
export function putChat(client: QueryClient, chat: Chat, me: number): void {
  updateChatList(client, (list) => applyChatNews(list, { action: 'update', chat }, me))
}
export function removeChatFromCache(client: QueryClient, id: number): void {
  updateChatList(client, (list) => applyChatNews(list, { action: 'delete', id }, 0))
  client.removeQueries({ queryKey: threadKey(id) })
}

/** The number of unread team messages of this user. */
export function useUnreadChatCount(): number {
  const me = useSession().user?.id ?? 0
  return countTotalUnread(useChats().data?.records ?? [], me)
}

/** Applies events to the list and open chats, on every screen. */
export function useChatNews(onNews: (news: ChatNews) => void): void {
  const client = useQueryClient()
  const me = useSession().user?.id ?? 0
  const follow = (apply: (list: LoadedChats) => LoadedChats) => updateChatList(client, apply)
  useLiveTopic(topics.chat, (news) => {
    onNews(news)
    if (news.action === 'delete') return removeChatFromCache(client, news.id)
    follow((list) => applyChatNews(list, news, me))
    if (news.action === 'new-message') {
      const { chat: _, ...message } = news.newMessage
      putChatMessage(client, message)
    }
  })
  useLiveTopic(topics.chatMessage, ({ message }) => putChatMessage(client, message))
  useLiveTopic(topics.chatRead, (read) => follow((list) => applyChatRead(list, read)))
  // User events contain presence and name changes.
  useRecordNews(usersApi.topic, (news) =>
    follow((list) => ({
      ...list,
      records: list.records.map((chat) => ({
        ...chat,
        users:
          news.action === 'delete'
            ? chat.users.filter((one) => one.userId !== news.id)
            : chat.users.map((one) =>
                one.userId === news.row.id
                  ? { ...one, user: { id: news.row.id, name: news.row.name, online: news.row.online } }
                  : one,
              ),
      })),
    })),
  )
  useResync(() => {
    void client.invalidateQueries({ queryKey: chatsKey })
    void client.invalidateQueries({ queryKey: ['chat-messages'] })
  })
}

const readThreadPage = (chatId: number, before?: number) =>
  messageReplay.runAndApply<LoadedChatMessages>(
    async () => {
      const { records, hasMore } = await callApi(chatsApi.messages, { params: { id: chatId }, query: { before } })
      return { records, hasMore }
    },
    // Messages of other chats do not belong to this page.
    (page, message) => (message.chatId === chatId ? applyChatMessage(page, message) : page),
  )

/** The newest page of a chat; older pages are prepended on request. */
export function useChatThread(chatId: number) {
  const client = useQueryClient()
  const query = useQuery({ queryKey: threadKey(chatId), queryFn: () => readThreadPage(chatId) })
  const getThread = () => client.getQueryData<LoadedChatMessages>(threadKey(chatId))
  const older = async () => {
    const before = getThread()?.records[0]?.id
    if (!before || !getThread()?.hasMore) return
    const page = await readThreadPage(chatId, before)
    client.setQueryData<LoadedChatMessages>(threadKey(chatId), (talk) => {
      const knownIds = new Set(talk?.records.map((one) => one.id))
      const records = page.records.filter((one) => one.id < before && !knownIds.has(one.id))
      return talk && { records: [...records, ...talk.records], hasMore: page.hasMore }
    })
  }
  /** Loads older pages up to a message. Returns false when the message does not exist. */
  const reach = async (id: number): Promise<boolean> => {
    for (let first = Number.POSITIVE_INFINITY; getThread()?.hasMore; ) {
      const now = getThread()?.records[0]?.id ?? 0
      if (now <= id || now === first) break
      first = now
      await older()
    }
    return getThread()?.records.some((one) => one.id === id) ?? false
  }
  return { ...query, loadOlder: older, loadUntil: reach }
}

/** Applies a message from an event or a response. */
export function putChatMessage(client: QueryClient, message: ChatMessage): void {
  messageReplay.record(message)
  client.setQueryData<LoadedChatMessages>(threadKey(message.chatId), (talk) => talk && applyChatMessage(talk, message))
}
