import { z } from 'zod'
import { bodyLimitBytes, del, get, isoDateTime, optionalText, post, put, ref } from './endpoint.ts'

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
export const waitingMessageBody = 'waiting-for-message'
/** The reason of a message that waited for a line, or of a file that was to come through it, when the line was deleted. */
export const lineDeletedReason = 'line-gone'

/** What stands inside a reply block. */
const QuotedMessage = z.object({
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
  /** Null: it belongs to no ticket, as a campaign's, which opens none. */
  ticketId: z.number().nullable(),
  /** What people call that ticket. */
  ticketNumber: z.number().nullable(),
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
  /** Somebody of the team passed it on from another conversation. */
  isForwarded: z.boolean(),
  /** What is said in a voice note, where a machine has heard it. */
  transcript: z.string().nullable(),
  /** Written by the house itself: which part of it. */
  bot: z.string().nullable(),
  user: z.object({ id: z.number(), name: z.string() }).nullable(),
  /** The campaign it is of, or answers to. */
  campaign: z.object({ id: z.number(), name: z.string() }).nullable(),
  /** The key of the program that sent it. */
  apiKey: z.object({ id: z.number(), name: z.string() }).nullable(),
  reactions: z.array(z.object({ emoji: z.string(), fromMe: z.boolean(), name: z.string() })),
  contact: z.object({ name: z.string() }).nullable(),
  quotedMsg: QuotedMessage.nullable(),
  createdAt: isoDateTime,
})
export type Message = z.infer<typeof Message>

/** Beside files it comes as text. */
function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** So many bars a phone draws of a voice note, each from 0 to 100. */
export const voiceNoteBarCount = 64

export const MessageWrite = z.object({
  /** One text, or one caption per file. */
  body: z.preprocess((v) => (Array.isArray(v) ? v : [v ?? '']), z.array(optionalText(65_536)).max(50)),
  quotedMsg: z
    .preprocess((v) => {
      const given = typeof v === 'string' ? parseJsonOrNull(v) : v
      return given && typeof given === 'object' && 'id' in given ? { id: given.id } : null
    }, z.object({ id: z.coerce.string().max(40).meta({ entity: 'message' }) }).nullable())
    .default(null),
  /** The same one again is answered with what the first one stored. Of several files, each gets it with its place. */
  clientId: z
    .string()
    .regex(/^[\w-]{8,40}$/)
    .optional(),
  /** A place instead of words. Without a name it is called by its coordinates. */
  location: z
    .object({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      name: optionalText(200),
    })
    .optional(),
  /** One of our contacts instead of words: the customer gets their card. */
  contactCard: ref('contact').optional(),
  /** How loud the recording in `voice` is along its way, as phones draw it. */
  waveform: z
    .preprocess(
      (v) => (typeof v === 'string' ? parseJsonOrNull(v) : v),
      z.array(z.number().int().min(0).max(100)).length(voiceNoteBarCount),
    )
    .optional(),
})
export type LocationWrite = NonNullable<z.infer<typeof MessageWrite>['location']>

/** WhatsApp lets an own text be edited for this long. */
export const messageEditWindowMs = 15 * 60_000

/** One emoji, made of as many signs as it needs; empty takes the reaction back. */
export const reactionEmoji = optionalText(40).pipe(
  z
    .string()
    .max(40)
    .regex(
      /^(?:[0-9#*]\ufe0f?\u20e3|(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\ufe0f|[\u{e0020}-\u{e007f}])+)?$/u,
    ),
)

const messageId = z.object({
  id: z
    .string()
    .regex(/^\d{1,18}$/)
    .meta({ entity: 'message' }),
})

/** Hits on one page of a search in a conversation, the newest first. */
export const maxThreadHits = 200
/** To so many at once is a message passed on: as many as WhatsApp's own clients take at most. */
export const maxForwardTargets = 5

export const ForwardWrite = z
  .object({
    /** Conversations that are open, and … */
    tickets: z.array(ref('ticket')).max(maxForwardTargets).default([]),
    /** … people: in their open ticket on the same line, else in a new one. */
    contacts: z.array(ref('contact')).max(maxForwardTargets).default([]),
    clientId: z
      .string()
      .regex(/^[\w-]{8,40}$/)
      .optional(),
  })
  .refine(({ tickets, contacts }) => tickets.length + contacts.length > 0, { path: ['tickets'], message: 'Required' })
  .refine(({ tickets, contacts }) => tickets.length + contacts.length <= maxForwardTargets, {
    path: ['tickets'],
    message: 'Too many',
  })

export const messagesApi = {
  list: get('/messages/:ticketId', {
    about:
      'The conversation, oldest first within the page, with earlier tickets of the same contact and line; opening it marks it read',
    access: 'session',
    whenExpired: 'read',
    key: 'messages',
    params: z.object({ ticketId: ref('ticket') }),
    query: z.object({
      pageNumber: z.coerce.number().int().min(1).max(100_000).default(1),
      markAsRead: z.preprocess((v) => v !== 'false', z.boolean()).default(true),
    }),
    reply: z.object({ messages: z.array(Message), hasMore: z.boolean() }),
  }),
  search: get('/messages/:ticketId/search', {
    about:
      'Where words stand in the conversation, in bodies and names of files, newest first, 200 hits at a time; `before` (the last hit of a page) asks for the next page',
    access: 'session',
    key: 'messages',
    params: z.object({ ticketId: ref('ticket') }),
    query: z.object({ searchParam: z.string().trim().max(100).default(''), before: messageId.shape.id.optional() }),
    reply: z.object({ hits: z.array(z.object({ id: z.string(), createdAt: isoDateTime })), hasMore: z.boolean() }),
  }),
  send: post('/messages/:ticketId', {
    about:
      'Send text (JSON) or files (multipart); answers with what was stored. `voice`: the same recording as the one file in `medias`, as opus in webm, mp4 or ogg, which reaches the customer as a voice note',
    bytes: bodyLimitBytes.longText,
    access: 'session',
    params: z.object({ ticketId: ref('ticket') }),
    upload: 'medias',
    beside: 'voice',
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
  fetch: post('/messages/:id/fetch', {
    about: 'Fetch the file of a message that failed to come, or that stayed on the phone because it is from before',
    access: 'session',
    params: messageId,
    reply: Message,
  }),
  forward: post('/messages/:id/forward', {
    about:
      'Pass a message on to other conversations and people, to all of them or to none; its file is not uploaded again',
    access: 'session',
    params: messageId,
    body: ForwardWrite,
    example: { tickets: [1], contacts: [] },
    reply: z.object({ messages: z.array(Message) }),
  }),
  edit: put('/messages/:id', {
    about: 'Edit an own text, as long as WhatsApp allows it; the customer sees the new words',
    bytes: bodyLimitBytes.longText,
    access: 'session',
    params: messageId,
    body: z.object({ body: optionalText(65_536) }),
    example: { body: 'Hola, ¿en qué te puedo ayudar?' },
    reply: Message,
  }),
  react: post('/messages/:id/reaction', {
    about: 'React to a message in the name of the house: one reaction at a time, none to take it back',
    access: 'session',
    params: messageId,
    body: z.object({ emoji: reactionEmoji }),
    example: { emoji: '👍' },
    reply: Message,
  }),
  remove: del('/messages/:id', {
    about: 'Delete an own message for everyone',
    access: 'session',
    params: messageId,
    reply: Message,
  }),
}
