import type { Chat, ChatMessage } from '@recado/contract/chats'
import type { Message } from '@recado/contract/messages'

type CachedMessage = { chatMessage: ChatMessage; ownName: string; message: Message }
const messageCache = new WeakMap<ChatMessage, CachedMessage>()

/** A chat message in the form of a ticket message, to use the same bubble. Returns the same object while it is unchanged. */
export function chatMessageToMessage(of: ChatMessage, chat: Chat, me: number, you: string): Message {
  const known = messageCache.get(of)
  if (known?.ownName === you) return known.message
  const message = convertChatMessage(of, chat, me, you)
  messageCache.set(of, { chatMessage: of, ownName: you, message })
  return message
}

const memberName = (chat: Chat, id: number) => chat.users.find((one) => one.userId === id)?.user.name ?? ''

function convertChatMessage(of: ChatMessage, chat: Chat, me: number, you: string): Message {
  const { quotedMsg: q } = of
  return {
    ...emptyMessageFields,
    id: String(of.id),
    clientId: of.clientId,
    body: of.message,
    fromMe: of.senderId === me,
    ...{ mediaType: of.mediaType ?? 'conversation', mediaUrl: of.mediaUrl, mediaName: of.mediaName },
    ...{ mediaSize: of.mediaSize, mediaPages: of.mediaPages, mediaState: of.mediaUrl ? 'ready' : 'none' },
    ...{ isDeleted: of.isDeleted, isEdited: of.isEdited, createdAt: of.createdAt },
    contact: { name: of.sender.name },
    reactions: of.reactions.map(({ emoji, userId }) => ({
      emoji,
      fromMe: userId === me,
      name: memberName(chat, userId),
    })),
    quotedMsg: q && {
      ...{ id: String(q.id), fromMe: false, body: q.message, mediaType: q.mediaType, mediaUrl: null },
      ...{ isDeleted: q.isDeleted, contact: { name: q.senderId === me ? you : q.sender.name } },
    },
  }
}

const emptyMessageFields = {
  ...{
    ticketId: 0,
    ticketNumber: 0,
    read: true,
    error: null,
    bot: null,
    user: null,
    campaign: null,
    apiKey: null,
    ad: null,
    isForwarded: false,
    heldUntil: null,
    transcript: null,
  },
  // The message has reached the server, which is the final state of a chat message.
  ack: 2,
} as const

export type OutgoingChatMessage = {
  clientId: string
  text: string
  file: File | null
  quoted: ChatMessage | null
  hasFailed: boolean
  createdAt: string
}

/** A message that is being sent or that failed. */
export const outgoingToMessage = (out: OutgoingChatMessage, chat: Chat, me: number, you: string): Message => ({
  ...convertChatMessage(
    {
      ...{ id: 0, chatId: chat.id, senderId: me, sender: { name: you }, message: out.text || (out.file?.name ?? '') },
      ...{
        clientId: out.clientId,
        mediaType: null,
        mediaUrl: null,
        mediaName: null,
        mediaSize: null,
        mediaPages: null,
      },
      ...{
        isDeleted: false,
        isEdited: false,
        mentions: [],
        reactions: [],
        quotedMsg: out.quoted,
        createdAt: out.createdAt,
      },
    },
    chat,
    me,
    you,
  ),
  id: out.clientId,
  ack: out.hasFailed ? 0 : 1,
})
