import type { Chat, ChatMessage } from '@recado/contract/chats'
import type { ChatNews } from '@recado/contract/live'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyChatMessage, applyChatNews, type LoadedChatMessages, type LoadedChats } from './apply-chat-news.ts'

const me = 1
const people = [me, 2, 3]

/** A model server with a few chats: its response at each moment, and its published events. */
type ChatAction =
  | { kind: 'say'; chat: number; by: number; names: boolean }
  | { kind: 'rename'; chat: number }
  | { kind: 'read'; chat: number }
  | { kind: 'leave'; chat: number }
  | { kind: 'join'; chat: number }
const chatIds = [1, 2, 3, 4]
const chat = fc.constantFrom(...chatIds)
const arbitraryStep: fc.Arbitrary<ChatAction> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      chat,
      by: fc.constantFrom(...people),
      names: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constantFrom('rename' as const, 'read' as const, 'leave' as const, 'join' as const), chat }),
)

const blank = (id: number): Chat => ({
  ...{
    id,
    uuid: `u${id}`,
    title: `c${id}`,
    ownerId: 2,
    isDirect: false,
    lastMessage: '',
    lastSenderId: null,
    lastId: 0,
  },
  updatedAt: new Date(id).toISOString(),
  users: people.map((userId) => ({
    userId,
    unreads: 0,
    readId: 0,
    user: { id: userId, name: `p${userId}`, online: true },
  })),
  mine: { muted: false, mentions: 0 },
})
/** A chat in the form that is published to all members at once, without the reader's own fields. */
const forAll = ({ mine: _, ...receivedMessages }: Chat): Chat => receivedMessages

function run(actions: ChatAction[]): { lists: Chat[][]; news: ChatNews[] } {
  let chats = new Map(chatIds.slice(0, 3).map((id) => [id, blank(id)]))
  const listed = () => [...chats.values()].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
  const lists = [listed()]
  const news: ChatNews[] = []
  actions.forEach((one, i) => {
    const now = chats.get(one.chat)
    const put = (next: Chat) => {
      chats = new Map(chats).set(next.id, next)
      return next
    }
    if (one.kind === 'join' && !now) {
      const joined = put({ ...blank(one.chat), updatedAt: new Date(1000 + i).toISOString() })
      news.push({ action: 'update', chat: joined })
    } else if (now && one.kind === 'say') {
      const id = i + 1
      const mentions = one.names && one.by !== me ? [me] : []
      const counted = one.by === me ? 0 : (now.mine?.mentions ?? 0) + mentions.length
      const next = put({
        ...now,
        ...{
          lastId: id,
          lastMessage: `p${one.by}: ${i}`,
          lastSenderId: one.by,
          updatedAt: new Date(1000 + i).toISOString(),
        },
        users: now.users.map((u) =>
          u.userId === one.by ? { ...u, unreads: 0, readId: id } : { ...u, unreads: u.unreads + 1 },
        ),
        mine: { muted: false, mentions: counted },
      })
      const users = people.map((userId) => ({ userId }))
      const newMessage = { ...message(id, one.chat), senderId: one.by, mentions, chat: { users } }
      news.push({ action: 'new-message', chat: forAll(next), newMessage })
    } else if (now && one.kind === 'rename') {
      news.push({ action: 'update', chat: forAll(put({ ...now, title: `t${i}` })) })
    } else if (now && one.kind === 'read') {
      const users = now.users.map((u) => (u.userId === me ? { ...u, unreads: 0, readId: now.lastId } : u))
      news.push({ action: 'update', chat: put({ ...now, users, mine: { muted: false, mentions: 0 } }) })
    } else if (now && one.kind === 'leave') {
      chats = new Map(chats)
      chats.delete(one.chat)
      news.push({ action: 'delete', id: one.chat })
    } else return
    lists.push(listed())
  })
  return { lists, news }
}

const message = (id: number, chatId: number): ChatMessage => ({
  ...{ id, chatId, senderId: 2, sender: { name: 'p2' }, message: `m${id}`, clientId: null },
  ...{ mediaType: null, mediaUrl: null, mediaName: null, mediaSize: null, mediaPages: null },
  ...{ isDeleted: false, isEdited: false, mentions: [], reactions: [], quotedMsg: null },
  createdAt: new Date(id).toISOString(),
})

it('gives the same list from events as from a reload, also with events received during the request', () => {
  fc.assert(
    fc.property(fc.array(arbitraryStep, { maxLength: 30 }), fc.nat(), fc.nat(3), (actions, at, back) => {
      const { lists, news } = run(actions)
      // The page is loaded at some moment; slightly earlier events may still arrive after it.
      const read = at % lists.length
      const page: LoadedChats = { records: lists[read] ?? [], hasMore: false, next: 2 }
      const heard = news.slice(Math.max(0, read - back))
      const list = heard.reduce((now, one) => applyChatNews(now, one, me), page)
      expect(list.records).toEqual(lists.at(-1))
    }),
    { numRuns: 500 },
  )
})

it('gives the same page from messages, edits and deletions as from a reload', () => {
  const change = fc.record({
    kind: fc.constantFrom('say', 'say', 'answer', 'edit', 'unsay'),
    of: fc.nat(),
    text: fc.string({ maxLength: 400 }),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), fc.nat(), fc.nat(3), (changes, at, back) => {
      let all: ChatMessage[] = []
      const pages = [all]
      const receivedMessages: ChatMessage[] = []
      const quote = ({ id, senderId, sender, message: text, mediaType, isDeleted }: ChatMessage) => {
        const said = [...text].slice(0, 300).join('')
        return { id, senderId, sender, message: said, mediaType, isDeleted }
      }
      for (const { kind, of, text } of changes) {
        const one = all[of % Math.max(1, all.length)]
        const next =
          kind === 'say' || !one
            ? { ...message(all.length + 1, 1), message: text }
            : kind === 'answer'
              ? { ...message(all.length + 1, 1), message: text, quotedMsg: quote(one) }
              : kind === 'edit'
                ? { ...one, message: text, isEdited: true }
                : { ...one, message: '', isDeleted: true }
        all = [...all.filter((other) => other.id !== next.id), next]
          .sort((a, b) => a.id - b.id)
          .map((other) => (other.quotedMsg?.id === next.id ? { ...other, quotedMsg: quote(next) } : other))
        pages.push(all)
        receivedMessages.push(next)
      }
      const read = at % pages.length
      const talk: LoadedChatMessages = { records: pages[read] ?? [], hasMore: false }
      const heard = receivedMessages.slice(Math.max(0, read - back))
      expect(heard.reduce(applyChatMessage, talk).records).toEqual(all)
    }),
    { numRuns: 300 },
  )
})
