import { z } from 'zod'
import {
  del,
  flag,
  get,
  idParams,
  isoDateTime,
  listQuery,
  messageReply,
  optionalText,
  pageReply,
  post,
  put,
  ref,
  requiredName,
  requiredText,
} from './endpoint.ts'
import { messageKinds, reactionEmoji } from './messages.ts'
import { fold } from './text/fold.ts'

/** Maximum members of a chat: each message is published to all members and contains the list of all members. */
export const maxPeoplePerChat = 256
/** Messages per page. */
export const chatPageSize = 20

export const ChatPerson = z.object({
  userId: z.number(),
  /** Unread messages. */
  unreads: z.number(),
  /** The newest message that the member has read; 0 if none. */
  readId: z.number(),
  user: z.object({ id: z.number(), name: z.string(), online: z.boolean() }),
})
export type ChatPerson = z.infer<typeof ChatPerson>

export const Chat = z.object({
  id: z.number(),
  uuid: z.string(),
  /** For a one-to-one chat: the other user's name. */
  title: z.string(),
  /** The user who may change and delete the chat; 0 for a one-to-one chat, which has no owner. */
  ownerId: z.number(),
  isDirect: z.boolean(),
  /** "name: text" */
  lastMessage: z.string(),
  lastSenderId: z.number().nullable(),
  /** The id of the newest message; 0 before the first. It only grows: an event with a smaller id is outdated. */
  lastId: z.number(),
  updatedAt: isoDateTime,
  users: z.array(ChatPerson),
  /** Data of the reader only. Missing in events published to all members. */
  mine: z.object({ muted: z.boolean(), mentions: z.number() }).optional(),
})
export type Chat = z.infer<typeof Chat>

const QuotedChatMessage = z.object({
  id: z.number(),
  senderId: z.number().nullable(),
  sender: z.object({ name: z.string() }),
  message: z.string(),
  mediaType: z.enum(messageKinds).nullable(),
  isDeleted: z.boolean(),
})

export const ChatMessage = z.object({
  id: z.number(),
  chatId: z.number(),
  /** Null if the user was deleted; the name stays. */
  senderId: z.number().nullable(),
  sender: z.object({ name: z.string() }),
  message: z.string(),
  /** Chosen by the sender's browser, which recognizes its own message by it; a duplicate send creates no second message. */
  clientId: z.string().nullable(),
  mediaType: z.enum(messageKinds).nullable(),
  mediaUrl: z.string().nullable(),
  mediaName: z.string().nullable(),
  mediaSize: z.number().nullable(),
  mediaPages: z.number().nullable(),
  isDeleted: z.boolean(),
  isEdited: z.boolean(),
  /** The users that the text mentions with an @. */
  mentions: z.array(z.number()),
  reactions: z.array(z.object({ userId: z.number(), emoji: z.string() })),
  quotedMsg: QuotedChatMessage.nullable(),
  createdAt: isoDateTime,
})
export type ChatMessage = z.infer<typeof ChatMessage>

/** The published form contains the members, because older clients look for themselves among them. */
export const PublishedChatMessage = ChatMessage.extend({
  chat: z.object({ users: z.array(z.object({ userId: z.number() })) }),
})

/** A mentioned ticket, for users who may see it. */
export const MentionedTicket = z.object({
  id: z.number(),
  number: z.number(),
  uuid: z.string(),
  status: z.string(),
  contact: z.object({ name: z.string(), profilePicUrl: z.string().nullable() }),
  queue: z.object({ name: z.string(), color: z.string() }).nullable(),
  user: z.object({ name: z.string() }).nullable(),
  updatedAt: isoDateTime,
})
export type MentionedTicket = z.infer<typeof MentionedTicket>

export const ChatFile = z.object({
  id: z.number(),
  mediaType: z.enum(messageKinds),
  mediaUrl: z.string(),
  mediaName: z.string(),
  mediaSize: z.number().nullable(),
  sender: z.object({ name: z.string() }),
  createdAt: isoDateTime,
})
export type ChatFile = z.infer<typeof ChatFile>

export const ChatWrite = z.object({
  title: requiredName(1, 100),
  /** The owner is always included. Names, which older clients send along, are ignored. */
  users: z
    .array(z.object({ id: ref('user') }))
    .min(1)
    .max(maxPeoplePerChat),
})

const ChatMessageWrite = z.object({
  /** May be empty if a file is attached. */
  message: optionalText(10_000),
  quotedId: z.preprocess((v) => v || undefined, ref('chatMessage').optional()),
  clientId: z
    .string()
    .regex(/^[\w-]{8,40}$/)
    .optional(),
})

/** `@Lucía` in a text: its position, and the user. */
export type Mention = { from: number; to: number; userId: number }
/** Maximum mentions searched in a text: each @ is compared with every name. */
const maxMentionsPerText = 50
const isWordCharacter = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)

/**
 * The mentions in a text. A full name counts, and a first name if only one member has it; case and accents are ignored.
 * The longest match wins, so that "@Ana Paula" is not Ana.
 */
export function findMentions(text: string, people: { id: number; name: string }[]): Mention[] {
  const firsts = new Map<string, number>()
  for (const { name } of people) firsts.set(foldedFirstName(name), (firsts.get(foldedFirstName(name)) ?? 0) + 1)
  const known = people
    .flatMap(({ id, name }) => [
      { id, said: fold(name) },
      ...(firsts.get(foldedFirstName(name)) === 1 ? [{ id, said: foldedFirstName(name) }] : []),
    ])
    .filter(({ said }) => said)
    .sort((a, b) => b.said.length - a.said.length)
  const lower = fold(text)
  // If lower-casing changes the length of the text, positions would not match.
  if (lower.length !== text.length) return []
  const found: Mention[] = []
  for (
    let at = lower.indexOf('@'), looked = 0;
    at >= 0 && looked < maxMentionsPerText;
    at = lower.indexOf('@', at + 1), looked++
  ) {
    if (isWordCharacter(lower[at - 1])) continue
    const one = known.find(
      ({ said }) => lower.startsWith(said, at + 1) && !isWordCharacter(lower[at + 1 + said.length]),
    )
    if (one) found.push({ from: at, to: at + 1 + one.said.length, userId: one.id })
  }
  return found
}
const foldedFirstName = (name: string): string => fold(name.trim().split(/\s+/)[0] ?? '')

/** Finds ticket numbers such as `#170` in a text, without duplicates, up to this maximum. */
export const maxTicketsPerText = 5
export function findTicketNumbers(text: string): number[] {
  const found = [...text.matchAll(/(?<![\p{L}\p{N}#&])#(\d{1,9})(?![\p{L}\p{N}])/gu)].map(([, n]) => Number(n))
  return [...new Set(found)].filter((n) => n > 0).slice(0, maxTicketsPerText)
}

const plan = 'useInternalChat' as const
const base = { access: 'session', plan } as const
const chatId = idParams('chat')
const messageId = z.object({ id: ref('chat'), messageId: ref('chatMessage') })

export const chatsApi = {
  /** Every page of an older client reads this list regardless of the plan: without the plan's flag it is empty. */
  list: get('/chats', {
    about: 'The internal chats of the caller, most recent message first; searchParam searches titles and names',
    access: 'session',
    query: listQuery.partial(),
    reply: pageReply('records', Chat),
  }),
  byUuid: get('/chats/u/:uuid', {
    ...base,
    about: 'One chat by its uuid',
    params: z.object({ uuid: z.uuid().meta({ entity: 'chat.uuid' }) }),
    reply: Chat,
  }),
  details: get('/chats/:id/details', {
    ...base,
    about:
      'Side panel of a chat: its newest files, and the tickets mentioned in its newest messages that the caller may see',
    params: chatId,
    reply: z.object({ files: z.array(ChatFile), tickets: z.array(MentionedTicket) }),
  }),
  found: get('/chats/found', {
    ...base,
    about:
      'Search messages in the chats of the caller, or in one of them; newest first, 30 at a time; with `before` those before that message',
    /** A search with fewer than two letters matches nothing. */
    query: z.object({
      searchParam: optionalText(200),
      chatId: ref('chat').optional(),
      before: ref('chatMessage').optional(),
    }),
    reply: z.object({
      records: z.array(ChatMessage.extend({ chat: z.object({ uuid: z.string(), title: z.string() }) })),
      hasMore: z.boolean(),
    }),
  }),
  tickets: get('/chats/tickets', {
    ...base,
    about: 'Resolve ticket references such as #170 in a text: those of these ticket numbers that the caller may see',
    query: z.object({
      /** Ticket numbers, separated by commas. */
      numbers: z
        .string()
        .max(1000)
        .default('')
        .transform((all) => all.split(',').filter((n) => /^\d{1,9}$/.test(n)))
        .transform((all) => all.slice(0, 100).map(Number)),
    }),
    reply: z.array(MentionedTicket),
  }),
  create: post('/chats', {
    ...base,
    about: 'Start a chat with these people; the caller becomes its owner',
    body: ChatWrite,
    example: { title: 'Recepción', users: [{ id: 1, name: 'Ana' }] },
    reply: Chat,
  }),
  direct: post('/chats/with/:userId', {
    ...base,
    about: 'The one-to-one chat with a user: created on the first request',
    params: z.object({ userId: ref('user') }),
    reply: Chat,
  }),
  update: put('/chats/:id', {
    ...base,
    about: 'Change title and members, by the owner; remaining members keep their unread messages',
    params: chatId,
    body: ChatWrite,
    example: { title: 'Recepción y guías', users: [{ id: 1, name: 'Ana' }] },
    reply: Chat,
  }),
  remove: del('/chats/:id', { ...base, about: 'Delete a chat, by the owner', params: chatId, reply: messageReply }),
  leave: post('/chats/:id/leave', {
    ...base,
    about: 'Leave a chat; if the owner leaves, the member of longest standing becomes the owner',
    params: chatId,
    reply: messageReply,
  }),
  mute: put('/chats/:id/mute', {
    ...base,
    about: 'Mute a chat, except for messages that mention the caller',
    params: chatId,
    body: z.object({ muted: flag }),
    example: { muted: true },
    reply: Chat,
  }),
  read: post('/chats/:id/read', {
    ...base,
    about: 'Mark a chat as read by the caller (`userId`, which older clients send, is ignored)',
    params: chatId,
    reply: Chat,
  }),
  messages: get('/chats/:id/messages', {
    ...base,
    about: 'A page of messages of a chat, oldest first within it; `before` returns messages older than that one',
    params: chatId,
    query: z.object({
      pageNumber: listQuery.shape.pageNumber,
      before: ref('chatMessage').optional(),
    }),
    reply: pageReply('records', ChatMessage),
  }),
  send: post('/chats/:id/messages', {
    ...base,
    about: 'Send text (JSON), or one file with or without text (multipart, `medias`)',
    params: chatId,
    upload: 'medias',
    body: ChatMessageWrite,
    example: { message: '¿Quién puede ver la #170?' },
    reply: ChatMessage,
  }),
  edit: put('/chats/:id/messages/:messageId', {
    ...base,
    about: 'Edit the text of an own message',
    params: messageId,
    body: z.object({ message: requiredText(1, 10_000) }),
    example: { message: '¿Quién puede ver la #171?' },
    reply: ChatMessage,
  }),
  react: post('/chats/:id/messages/:messageId/reaction', {
    ...base,
    about: 'React to a message: one reaction per user; an empty one removes it',
    params: messageId,
    body: z.object({ emoji: reactionEmoji }),
    example: { emoji: '👍' },
    reply: ChatMessage,
  }),
  unsay: del('/chats/:id/messages/:messageId', {
    ...base,
    about: 'Delete an own message, with its file',
    params: messageId,
    reply: ChatMessage,
  }),
}
