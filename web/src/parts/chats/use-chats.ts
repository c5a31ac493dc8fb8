import { type Chat, type ChatMessage, chatsApi } from '@recado/contract/chats'
import { type ChatNews, topics } from '@recado/contract/live'
import { usersApi } from '@recado/contract/users'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { useLive, useNews, useResync } from '../../lib/live.ts'
import { replay } from '../../lib/replay.ts'
import { useSession } from '../../lib/session.tsx'
import { type Chats, type Talk, waitingIn, withMessage, withNews, withRead } from './merge.ts'

const chatsKey = ['chats']
const talkKey = (chatId: number) => ['chat-messages', chatId]
const heard = replay<(list: Chats) => Chats>()
const said = replay<ChatMessage>()

const pageOfChats = (pageNumber: number) =>
  heard.during<Chats>(
    async () => {
      const { records, hasMore } = await call(chatsApi.list, { query: { pageNumber } })
      return { records, hasMore, next: pageNumber + 1 }
    },
    (page, apply) => apply(page),
  )

/** The own chats, read once and then followed. Where the plan has none, nobody asks. */
export function useChats() {
  const { plan } = useSession()
  return useQuery({
    queryKey: chatsKey,
    queryFn: () => pageOfChats(1),
    enabled: plan?.useInternalChat === true,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

const change = (client: QueryClient, apply: (list: Chats) => Chats) => {
  heard.hear(apply)
  client.setQueryData<Chats>(chatsKey, (list) => list && apply(list))
}

export async function moreChats(client: QueryClient, { next }: Chats): Promise<void> {
  const page = await pageOfChats(next)
  client.setQueryData<Chats>(chatsKey, (list) => {
    const known = new Set(list?.records.map((chat) => chat.id))
    return list && { ...page, records: [...list.records, ...page.records.filter((chat) => !known.has(chat.id))] }
  })
}

/** A chat that an answer brought: as if it had been told. */
export function putChat(client: QueryClient, chat: Chat, me: number): void {
  change(client, (list) => withNews(list, { action: 'update', chat }, me))
}
export function dropChat(client: QueryClient, id: number): void {
  change(client, (list) => withNews(list, { action: 'delete', id }, 0))
  client.removeQueries({ queryKey: talkKey(id) })
}

/** How many messages of the team wait for this person. */
export function useWaitingChats(): number {
  const me = useSession().user?.id ?? 0
  return waitingIn(useChats().data?.records ?? [], me)
}

/** Keeps list and open conversations at what is told, whatever screen is shown. */
export function useChatNews(onNews: (news: ChatNews) => void): void {
  const client = useQueryClient()
  const me = useSession().user?.id ?? 0
  const follow = (apply: (list: Chats) => Chats) => change(client, apply)
  useLive(topics.chat, (news) => {
    onNews(news)
    if (news.action === 'delete') return dropChat(client, news.id)
    follow((list) => withNews(list, news, me))
    if (news.action === 'new-message') {
      const { chat: _, ...message } = news.newMessage
      putMessage(client, message)
    }
  })
  useLive(topics.chatMessage, ({ message }) => putMessage(client, message))
  useLive(topics.chatRead, (read) => follow((list) => withRead(list, read)))
  // Who comes, goes, or is called differently.
  useNews(usersApi.topic, (news) =>
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

const pageOfTalk = (chatId: number, before?: number) =>
  said.during<Talk>(
    async () => {
      const { records, hasMore } = await call(chatsApi.messages, { params: { id: chatId }, query: { before } })
      return { records, hasMore }
    },
    // What was said in other chats meanwhile is not of this page.
    (page, message) => (message.chatId === chatId ? withMessage(page, message) : page),
  )

/** The newest page of a chat; older ones are put in front of it as they are asked for. */
export function useTalk(chatId: number) {
  const client = useQueryClient()
  const query = useQuery({ queryKey: talkKey(chatId), queryFn: () => pageOfTalk(chatId) })
  const known = () => client.getQueryData<Talk>(talkKey(chatId))
  const older = async () => {
    const before = known()?.records[0]?.id
    if (!before || !known()?.hasMore) return
    const page = await pageOfTalk(chatId, before)
    client.setQueryData<Talk>(talkKey(chatId), (talk) => {
      const known = new Set(talk?.records.map((one) => one.id))
      const records = page.records.filter((one) => one.id < before && !known.has(one.id))
      return talk && { records: [...records, ...talk.records], hasMore: page.hasMore }
    })
  }
  /** Reads up to a message. False when it is nowhere. */
  const reach = async (id: number): Promise<boolean> => {
    for (let first = Number.POSITIVE_INFINITY; known()?.hasMore; ) {
      const now = known()?.records[0]?.id ?? 0
      if (now <= id || now === first) break
      first = now
      await older()
    }
    return known()?.records.some((one) => one.id === id) ?? false
  }
  return { ...query, older, reach }
}

/** A message that was told, or that an answer brought. */
export function putMessage(client: QueryClient, message: ChatMessage): void {
  said.hear(message)
  client.setQueryData<Talk>(talkKey(message.chatId), (talk) => talk && withMessage(talk, message))
}
