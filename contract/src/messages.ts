import { z } from 'zod'
import { Ad } from './campaigns/ads.ts'
import {
  bodyLimitBytes,
  del,
  get,
  isoDateTime,
  optionalText,
  parseJsonText,
  post,
  put,
  ref,
  undoSeconds,
} from './endpoint.ts'
import { MessageSteps } from './macros/macro-steps.ts'

/** Content kinds of a message. Text kinds keep the names that existing clients use. */
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
/** Body of a received message that cannot be decrypted yet: screens show a text until the content arrives. */
export const waitingMessageBody = 'waiting-for-message'
/** Failure reason of a message or a file that was pending on a line when the line was deleted. */
export const lineDeletedReason = 'line-gone'

/** The quoted message in a reply. */
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
  /** Null: the message belongs to no ticket, such as a campaign message, which opens no ticket. */
  ticketId: z.number().nullable(),
  /** The ticket number shown to people. */
  ticketNumber: z.number().nullable(),
  /** Chosen by the sender's browser, which recognizes its own message by it; a duplicate send creates no second message. */
  clientId: z.string().nullable(),
  body: z.string(),
  fromMe: z.boolean(),
  read: z.boolean(),
  /** 0 failed, 1 waiting, 2 sent, 3 received, 4 read, 5 played. */
  ack: z.number(),
  mediaType: z.enum(messageKinds).nullable(),
  mediaUrl: z.string().nullable(),
  mediaName: z.string().nullable(),
  /** Bytes, once the file is stored; null for files stored before this field existed. */
  mediaSize: z.number().nullable(),
  /** The page count of PDFs that declare it. */
  mediaPages: z.number().nullable(),
  /** `pending` while the file is downloading, `failed` with its reason in `error`. */
  mediaState: z.enum(['none', 'pending', 'ready', 'failed']),
  /** Reason of the failure, as a code that the screen translates. The vendor's error number may follow after a colon. */
  error: z.string().nullable(),
  isDeleted: z.boolean(),
  isEdited: z.boolean(),
  /** An agent forwarded the message from another conversation. */
  isForwarded: z.boolean(),
  /** Transcript of a voice note, if one was made. */
  transcript: z.string().nullable(),
  /** The part of the app that sent the message automatically; null for messages of people. */
  bot: z.string().nullable(),
  user: z.object({ id: z.number(), name: z.string() }).nullable(),
  /** The campaign that the message belongs to or answers. */
  campaign: z.object({ id: z.number(), name: z.string() }).nullable(),
  /** The API key that sent the message. */
  apiKey: z.object({ id: z.number(), name: z.string() }).nullable(),
  /** The ad or post that made the customer write. */
  ad: Ad.nullable(),
  reactions: z.array(z.object({ emoji: z.string(), fromMe: z.boolean(), name: z.string() })),
  contact: z.object({ name: z.string() }).nullable(),
  quotedMsg: QuotedMessage.nullable(),
  /** Until then a waiting message stays on the server, and its author can take it back; null once it may leave. */
  heldUntil: isoDateTime.nullable(),
  createdAt: isoDateTime,
})
export type Message = z.infer<typeof Message>

/** The preview of a page that a message links to. The server fetches the page; browsers of agents do not. */
export const LinkPreview = z.object({ title: z.string(), description: z.string(), host: z.string() })
export type LinkPreview = z.infer<typeof LinkPreview>

/** Number of bars a phone draws for a voice note, each from 0 to 100. */
export const voiceNoteBarCount = 64

export const MessageWrite = z.object({
  /** One text, or one caption per file. */
  body: z.preprocess((v) => (Array.isArray(v) ? v : [v ?? '']), z.array(optionalText(65_536)).max(50)),
  quotedMsg: z
    .preprocess((v) => {
      const given = parseJsonText(v)
      return given && typeof given === 'object' && 'id' in given ? { id: given.id } : null
    }, z.object({ id: z.coerce.string().max(40).meta({ entity: 'message' }) }).nullable())
    .default(null),
  /** Idempotency key: a retry returns the messages stored first. With several files, each message gets the key and its index. */
  clientId: z
    .string()
    .regex(/^[\w-]{8,40}$/)
    .optional(),
  /** A location instead of text. Without a name, its coordinates are the name. */
  location: z
    .object({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      name: optionalText(200),
    })
    .optional(),
  /** A contact card instead of text: the customer receives one of the company's contacts. */
  contactCard: ref('contact').optional(),
  /** Loudness of the recording in `voice` over time, as phones draw it. */
  waveform: z.preprocess(parseJsonText, z.array(z.number().int().min(0).max(100)).length(voiceNoteBarCount)).optional(),
  /** The message leaves after this many seconds, and can be taken back until then. Absent: it leaves at once. */
  undoSeconds: undoSeconds.optional(),
  /** Steps of a macro. They run once the message is sent, and not at all if it is taken back or deleted. */
  macro: MessageSteps.optional(),
})
export type LocationWrite = NonNullable<z.infer<typeof MessageWrite>['location']>

/** For this long WhatsApp allows users to edit their own text. */
export const messageEditWindowMs = 15 * 60_000

/** One emoji, which may be several characters; empty removes the reaction. */
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

/** Hits per page of a search within a conversation, newest first. */
export const maxThreadHits = 200
/** Maximum recipients of a forward: the limit in WhatsApp's own clients. */
export const maxForwardTargets = 5

/** Maximum messages of one forward. */
export const maxForwardMessages = 20

export const ForwardWrite = z
  .object({
    /** Further messages to forward with this one; all arrive in the order of the conversation. */
    messageIds: z
      .array(
        z.coerce
          .string()
          .max(18)
          .regex(/^\d{1,18}$/)
          .meta({ entity: 'message' }),
      )
      .max(maxForwardMessages - 1)
      .default([]),
    /** Tickets whose conversations receive the message. */
    tickets: z.array(ref('ticket')).max(maxForwardTargets).default([]),
    /** Contacts: the message goes into their open ticket on the same line, or into a new one. */
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
      'Search the conversation, in texts and file names, newest first, 200 hits at a time; `before` (the last hit of a page) returns the next page',
    access: 'session',
    key: 'messages',
    params: z.object({ ticketId: ref('ticket') }),
    query: z.object({ searchParam: z.string().trim().max(100).default(''), before: messageId.shape.id.optional() }),
    reply: z.object({ hits: z.array(z.object({ id: z.string(), createdAt: isoDateTime })), hasMore: z.boolean() }),
  }),
  send: post('/messages/:ticketId', {
    about:
      'Send text (JSON) or files (multipart); returns the stored messages. `voice`: the one file in `medias` is a recording (opus in webm, mp4 or ogg) that reaches the customer as a voice note',
    bytes: bodyLimitBytes.longText,
    access: 'session',
    params: z.object({ ticketId: ref('ticket') }),
    upload: 'medias',
    beside: 'voice',
    body: MessageWrite,
    example: { body: 'Hola, ¿en qué te ayudo?', macro: { steps: [{ kind: 'priority', priority: 'normal' }] } },
    reply: z.object({ messages: z.array(Message) }).and(Message.partial()),
  }),
  retry: post('/messages/:id/retry', {
    about: 'Retry a failed message',
    access: 'session',
    params: messageId,
    reply: Message,
  }),
  undo: post('/messages/:id/undo', {
    about:
      'Take back an own message that was sent with `undoSeconds` and has not left yet; returns the message as it was',
    access: 'session',
    params: messageId,
    reply: Message,
  }),
  sendNow: post('/messages/:id/send-now', {
    about: 'Send an own message now that was sent with `undoSeconds`; it never overtakes an earlier message',
    access: 'session',
    params: messageId,
    reply: Message,
  }),
  fetch: post('/messages/:id/fetch', {
    about:
      'Download the file of a message whose download failed, or that is still on the phone because it is an older message',
    access: 'session',
    params: messageId,
    reply: Message,
  }),
  preview: get('/messages/:id/preview', {
    about: 'The title of the page behind the first link of a message; null if there is none, or if previews are off',
    access: 'session',
    whenExpired: 'read',
    params: messageId,
    reply: z.object({ preview: LinkPreview.nullable() }),
  }),
  forward: post('/messages/:id/forward', {
    about:
      'Forward one or several messages to other conversations and people, to all of them or to none; files are not uploaded again',
    access: 'session',
    params: messageId,
    body: ForwardWrite,
    example: { tickets: [1], contacts: [] },
    reply: z.object({ messages: z.array(Message) }),
  }),
  edit: put('/messages/:id', {
    about: 'Edit an own text while WhatsApp allows it; the customer sees the new text',
    bytes: bodyLimitBytes.longText,
    access: 'session',
    params: messageId,
    body: z.object({ body: optionalText(65_536) }),
    example: { body: 'Hola, ¿en qué te puedo ayudar?' },
    reply: Message,
  }),
  react: post('/messages/:id/reaction', {
    about: 'React to a message on behalf of the company: one reaction at a time; an empty one removes it',
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
