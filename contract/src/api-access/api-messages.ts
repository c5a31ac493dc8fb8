import { z } from 'zod'
import { TemplateWrite } from '../cloud.ts'
import { bodyLimitBytes, flag, get, isoDateTime, nullableRef, optionalText, post } from '../endpoint.ts'
import { messageKinds } from '../messages.ts'

export const apiMessageStates = ['queued', 'sent', 'delivered', 'read', 'failed'] as const
export type ApiMessageState = (typeof apiMessageStates)[number]

/** A message as API clients see it. */
export const ApiMessage = z.object({
  id: z.string(),
  /** For a customer's message: `delivered`, and `read` when an agent has read it. */
  state: z.enum(apiMessageStates),
  /** Why the message failed, as a code (listed in docs/api.md); empty otherwise. */
  error: z.string(),
  fromMe: z.boolean(),
  number: z.string(),
  contactId: z.number(),
  whatsappId: z.number(),
  ticketId: z.number().nullable(),
  body: z.string(),
  mediaType: z.enum(messageKinds).nullable(),
  /** Valid for an hour. */
  mediaUrl: z.string().nullable(),
  mediaName: z.string().nullable(),
  /** The key that the message was sent with; null otherwise. */
  apiKey: z.object({ id: z.number(), name: z.string() }).nullable(),
  createdAt: isoDateTime,
  /** When the message's state last changed. */
  stateAt: isoDateTime.nullable(),
  /** When the message is sent at the earliest, if WhatsApp does not let the line write to strangers; null otherwise. */
  waitsUntil: isoDateTime.nullable(),
})
export type ApiMessage = z.infer<typeof ApiMessage>

/** In a multipart request all values are text. */
const parseJsonText = (v: unknown) => {
  if (typeof v !== 'string') return v ?? undefined
  try {
    return JSON.parse(v)
  } catch {
    return v
  }
}

export const ApiMessageWrite = z.object({
  /**
   * Country code, area code and number. Characters between the digits are ignored. A group is addressed by its id,
   * which ends with @g.us, once the line has received a message of the group.
   */
  number: z.preprocess((v) => (typeof v === 'number' ? String(v) : v), z.string().trim().min(1).max(60)),
  /** The text, or the caption of the first file. Variables such as {{name}} are filled in. */
  body: z.preprocess((v) => (Array.isArray(v) ? v[0] : v), optionalText(65_536)),
  /** The line, if the key may use several. Absent: the key's only line, or the default line. */
  whatsappId: nullableRef('connection').optional(),
  /** The ticket is closed once this message is stored. */
  closeTicket: flag.default(false),
  /** The queue and the agent of a ticket opened for this message. An existing ticket keeps its queue and agent. */
  queueId: nullableRef('queue').optional(),
  userId: nullableRef('user').optional(),
  /** Quotes this message of the same conversation. */
  quotedId: z
    .string()
    .regex(/^\d{1,18}$/)
    .meta({ entity: 'message' })
    .optional(),
  location: z.preprocess(
    parseJsonText,
    z
      .object({
        latitude: z.number().min(-90).max(90),
        longitude: z.number().min(-180).max(180),
        name: optionalText(200),
      })
      .optional(),
  ),
  /** A contact whose card is sent to the customer. */
  contactCard: nullableRef('contact').optional(),
  /** The template for an official line outside of the 24-hour window. */
  template: z.preprocess(parseJsonText, TemplateWrite.omit({ clientId: true }).optional()),
})
export type ApiMessageWrite = z.output<typeof ApiMessageWrite>

export const ApiSendReply = z.object({
  id: z.string(),
  /** With several files, each file is one message. */
  ids: z.array(z.string()),
  state: z.enum(apiMessageStates),
  ticketId: z.number(),
  whatsappId: z.number(),
  /** The number as WhatsApp writes it. */
  number: z.string(),
  /** When the message is sent at the earliest, if WhatsApp does not let the line write to strangers; null: at once. */
  waitsUntil: isoDateTime.nullable().default(null),
  /** For older API clients. */
  mensagem: z.string(),
})
export type ApiSendReply = z.infer<typeof ApiSendReply>

const access = 'messages-api-page:manage' as const
const plan = 'useExternalApi' as const
/** Endpoints for API clients. The token of a connection can also call them, for that connection. */
const apiAccess = { access, plan, token: true, lines: true } as const

export const apiMessagesApi = {
  send: post('/api/messages/send', {
    ...apiAccess,
    bytes: bodyLimitBytes.longText,
    about:
      'Send a message. 202 (200 with the token of a line): it is stored and will not get lost. Repeating a call with the same Idempotency-Key header returns the same message',
    key: 'send',
    idempotent: true,
    body: ApiMessageWrite,
    upload: 'medias',
    example: { number: '5490005550452', body: 'Hola, tu reserva está lista' },
    reply: ApiSendReply,
    status: 202,
  }),
  show: get('/api/messages/:id', {
    ...apiAccess,
    about: 'One message and its delivery status',
    key: 'messages',
    params: z.object({
      id: z
        .string()
        .regex(/^\d{1,18}$/)
        .meta({ entity: 'message' }),
    }),
    reply: ApiMessage,
  }),
  list: get('/api/messages', {
    ...apiAccess,
    about:
      'Messages in the order in which they were stored, with a delay of a few seconds, from `since` on: a time, or the `next` of the previous page',
    key: 'messages',
    query: z.object({
      since: z.string().max(40).default(''),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      number: z.string().max(40).default(''),
      whatsappId: nullableRef('connection').optional(),
    }),
    reply: z.object({ messages: z.array(ApiMessage), next: z.string(), hasMore: z.boolean() }),
  }),
  check: post('/api/contacts/check', {
    ...apiAccess,
    about: 'Check which of these numbers are on WhatsApp, and how WhatsApp writes them',
    key: 'contacts',
    body: z.object({
      numbers: z.array(z.string().max(40)).min(1).max(100),
      whatsappId: nullableRef('connection').optional(),
    }),
    example: { numbers: ['5490005550452'] },
    reply: z.object({
      numbers: z.array(z.object({ asked: z.string(), exists: z.boolean(), number: z.string() })),
    }),
  }),
}
