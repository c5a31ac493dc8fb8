import { z } from 'zod'
import { del, get, iso, post, ref, text } from './kit.ts'

/** What a message is made of. Text kinds keep the names clients of this family know. */
export const messageKinds = [
  'conversation',
  'image',
  'audio',
  'video',
  'application',
  'sticker',
  'locationMessage',
  'contactMessage',
  'vcard',
  'call_log',
  'unknown',
] as const
export type MessageKind = (typeof messageKinds)[number]
/** The body of one of unknown kind that came and cannot be read yet: screens say so in words until it is filled. */
export const waitingMark = 'waiting-for-message'

/** What stands inside a reply block. */
const Quoted = z.object({
  id: z.string(),
  fromMe: z.boolean(),
  body: z.string(),
  mediaType: z.string().nullable(),
  mediaUrl: z.string().nullable(),
  isDeleted: z.boolean(),
  contact: z.object({ name: z.string() }).nullable(),
})

export const Message = z.object({
  id: z.string(),
  ticketId: z.number(),
  /** The sender's browser chose it: it knows its own message again, and a repeated sending is one message. */
  clientId: z.string().nullable(),
  body: z.string(),
  fromMe: z.boolean(),
  read: z.boolean(),
  /** 0 failed, 1 waiting, 2 sent, 3 received, 4 read, 5 played. */
  ack: z.number(),
  mediaType: z.enum(messageKinds).nullable(),
  mediaUrl: z.string().nullable(),
  mediaName: z.string().nullable(),
  /** Bytes, once the file is here; null of files from before this was kept. */
  mediaSize: z.number().nullable(),
  /** Of a PDF that tells. */
  mediaPages: z.number().nullable(),
  /** `pending` while the file is on its way, `failed` with its reason in `error`. */
  mediaState: z.enum(['none', 'pending', 'ready', 'failed']),
  /** Why it failed, as a word the screen translates. The vendor's own number may follow behind a colon. */
  error: z.string().nullable(),
  isDeleted: z.boolean(),
  isEdited: z.boolean(),
  /** Written by the house itself: which part of it. */
  bot: z.string().nullable(),
  user: z.object({ id: z.number(), name: z.string() }).nullable(),
  reactions: z.array(z.object({ emoji: z.string(), fromMe: z.boolean(), name: z.string() })),
  contact: z.object({ name: z.string() }).nullable(),
  quotedMsg: Quoted.nullable(),
  createdAt: iso,
})
export type Message = z.infer<typeof Message>

/** Beside files it comes as text. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const MessageWrite = z.object({
  /** One text, or one caption per file. */
  body: z.preprocess((v) => (Array.isArray(v) ? v : [v ?? '']), z.array(text(65_536)).max(50)),
  quotedMsg: z
    .preprocess((v) => {
      const given = typeof v === 'string' ? fromJson(v) : v
      return given && typeof given === 'object' && 'id' in given ? { id: given.id } : null
    }, z.object({ id: z.coerce.string().max(40).meta({ entity: 'message' }) }).nullable())
    .default(null),
  /** The same one again is answered with what the first one stored. Of several files, each gets it with its place. */
  clientId: z
    .string()
    .regex(/^[\w-]{8,40}$/)
    .optional(),
})

const messageId = z.object({
  id: z
    .string()
    .regex(/^\d{1,18}$/)
    .meta({ entity: 'message' }),
})
export const messagesApi = {
  list: get('/messages/:ticketId', {
    about:
      'The conversation, oldest first within the page, with earlier tickets of the same contact and line; opening it marks it read',
    access: 'session',
    params: z.object({ ticketId: ref('ticket') }),
    query: z.object({
      pageNumber: z.coerce.number().int().min(1).max(100_000).default(1),
      markAsRead: z.preprocess((v) => v !== 'false', z.boolean()).default(true),
    }),
    reply: z.object({ messages: z.array(Message), hasMore: z.boolean() }),
  }),
  send: post('/messages/:ticketId', {
    about: 'Send text (JSON) or files (multipart); answers with what was stored',
    access: 'session',
    params: z.object({ ticketId: ref('ticket') }),
    upload: 'medias',
    body: MessageWrite,
    example: { body: 'Hola, ¿en qué te ayudo?' },
    reply: z.object({ messages: z.array(Message) }).and(Message.partial()),
  }),
  retry: post('/messages/:id/retry', {
    about: 'Try a failed message again',
    access: 'session',
    params: messageId,
    reply: Message,
  }),
  remove: del('/messages/:id', {
    about: 'Delete an own message for everyone',
    access: 'session',
    params: messageId,
    reply: Message,
  }),
}
