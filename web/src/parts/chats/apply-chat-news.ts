import type { Chat, ChatMessage } from '@recado/contract/chats'
import type { ChatNews } from '@recado/contract/live'

/** The loaded part of a user's chats: the first pages of the list, latest message first. */
export type LoadedChats = { records: Chat[]; hasMore: boolean; next: number }
/** The loaded part of one chat, oldest first. */
export type LoadedChatMessages = { records: ChatMessage[]; hasMore: boolean }

const defaultMembership = { muted: false, mentions: 0 }
const newestFirst = (a: Chat, b: Chat) =>
  a.updatedAt === b.updatedAt ? b.id - a.id : a.updatedAt < b.updatedAt ? 1 : -1

/**
 * Applies an event to the list. Events for all members lack the reader's own fields; these are kept and updated
 * locally.
 */
export function applyChatNews<L extends Pick<LoadedChats, 'records'>>(list: L, news: ChatNews, me: number): L {
  const id = news.action === 'delete' ? news.id : news.chat.id
  const others = list.records.filter((chat) => chat.id !== id)
  if (news.action === 'delete') return { ...list, records: others }
  const before = list.records.find((chat) => chat.id === id)
  // A page loaded meanwhile may be newer than this event.
  if (before && before.lastId > news.chat.lastId) return list
  const mine = news.chat.mine ?? countMentions(before, news, me)
  return { ...list, records: [...others, { ...news.chat, mine }].sort(newestFirst) }
}

/** Counts each message once, even when its event arrives several times. */
function countMentions(before: Chat | undefined, news: ChatNews, me: number): NonNullable<Chat['mine']> {
  const mine = before?.mine ?? defaultMembership
  if (news.action !== 'new-message' || news.newMessage.id <= (before?.lastId ?? 0)) return mine
  if (news.newMessage.senderId === me) return { ...mine, mentions: 0 }
  return news.newMessage.mentions.includes(me) ? { ...mine, mentions: mine.mentions + 1 } : mine
}

/** Applies that another member has read up to a message. */
export const applyChatRead = <L extends Pick<LoadedChats, 'records'>>(
  list: L,
  { chatId, userId, readId }: { chatId: number; userId: number; readId: number },
): L => ({
  ...list,
  records: list.records.map((chat) =>
    chat.id === chatId
      ? {
          ...chat,
          users: chat.users.map((one) => (one.userId === userId ? { ...one, readId, unreads: 0 } : one)),
        }
      : chat,
  ),
})

/** The server's limit for a quoted text. */
const maxQuotedChars = 300

/** Adds or updates a message, and updates its quotes. */
export function applyChatMessage(thread: LoadedChatMessages, message: ChatMessage): LoadedChatMessages {
  const isKnown = thread.records.some((one) => one.id === message.id)
  const records = thread.records.map((one) => {
    if (one.id === message.id) return message
    if (one.quotedMsg?.id !== message.id) return one
    const { id, senderId, sender, mediaType, isDeleted } = message
    const quoted = [...message.message].slice(0, maxQuotedChars).join('')
    return { ...one, quotedMsg: { id, senderId, sender, message: quoted, mediaType, isDeleted } }
  })
  // A message older than all loaded messages is loaded with its own page.
  const isNew = !isKnown && message.id > (records.at(-1)?.id ?? 0)
  return { ...thread, records: isNew ? [...records, message] : records }
}

export const countUnread = (chat: Chat, me: number): number => chat.users.find((one) => one.userId === me)?.unreads ?? 0

/** The number of unread messages: a muted chat counts only mentions. */
export const countTotalUnread = (chats: Chat[], me: number): number =>
  chats.reduce((sum, chat) => sum + (chat.mine?.muted ? (chat.mine.mentions ?? 0) : countUnread(chat, me)), 0)
