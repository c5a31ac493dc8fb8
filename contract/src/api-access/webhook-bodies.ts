import { z } from 'zod'
import { isoDateTime } from '../endpoint.ts'
import { ticketPriorities } from '../ticket-statuses.ts'
import { StoredClosingValue } from '../tickets/closing.ts'
import { ApiMessage } from './api-messages.ts'

/** The payload of each webhook event, as of its time. Keys are added, never changed. */
const idAndName = z.object({ id: z.number(), name: z.string() })

export const ApiContact = z.object({
  id: z.number(),
  name: z.string(),
  number: z.string(),
  email: z.string(),
  isGroup: z.boolean(),
  createdAt: isoDateTime,
})
export type ApiContact = z.infer<typeof ApiContact>

export const ApiTicket = z.object({
  id: z.number(),
  uuid: z.string(),
  /** The ticket number that users see. */
  number: z.number(),
  status: z.enum(['pending', 'open', 'closed']),
  priority: z.enum(ticketPriorities),
  /** Until when the ticket is snoozed; null: not snoozed, or until the customer writes. */
  snoozedUntil: isoDateTime.nullable(),
  contact: idAndName.extend({ number: z.string() }),
  queue: idAndName.nullable(),
  user: idAndName.nullable(),
  whatsappId: z.number().nullable(),
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
})
export type ApiTicket = z.infer<typeof ApiTicket>

/** A webhook says what happened; until when a message waits is only in the replies of the API. */
const WebhookMessage = ApiMessage.omit({ waitsUntil: true })

export const webhookDataSchemas = {
  'message.created': WebhookMessage,
  'message.state': WebhookMessage,
  'ticket.opened': ApiTicket,
  'ticket.accepted': ApiTicket,
  'ticket.transferred': ApiTicket,
  /** `byItself`: a bot, a timer or another rule closed it. The reason and the fields are those of its queue. */
  'ticket.resolved': ApiTicket.extend({
    closing: z.object({
      reason: idAndName.nullable(),
      fields: z.array(StoredClosingValue),
      note: z.string(),
      byItself: z.boolean(),
    }),
  }),
  /** A goal of the ticket's queue (first answer or resolution) was missed at `dueAt`; `minutes` are opening hours. */
  'ticket.late': ApiTicket.extend({
    goal: z.object({
      kind: z.enum(['answer', 'resolve']),
      minutes: z.number(),
      since: isoDateTime,
      dueAt: isoDateTime,
    }),
  }),
  'contact.created': ApiContact,
  /** The surviving contact, and the merged contact, whose id no longer exists. */
  'contact.merged': ApiContact.extend({ merged: idAndName.extend({ number: z.string() }) }),
  /** The rating of the agent who attended: `score` on its `scale` (3, 5 or 10), and `rate` as 1 to 3 for every scale. */
  'rating.created': z.object({
    ticketId: z.number(),
    contactId: z.number(),
    user: idAndName.nullable(),
    rate: z.number(),
    scale: z.number(),
    score: z.number(),
    createdAt: isoDateTime,
  }),
  'line.state': z.object({
    id: z.number(),
    name: z.string(),
    status: z.string(),
    number: z.string(),
    /** The reason as a code; empty if there is no reason. */
    reason: z.string(),
    updatedAt: isoDateTime,
  }),
  test: z.object({ name: z.string() }),
} satisfies Record<string, z.ZodType>

/** The body. `id` is also in the header `webhook-id` and stays the same on every retry and resend. */
export const WebhookBody = z.object({
  id: z.string(),
  type: z.string(),
  timestamp: isoDateTime,
  companyId: z.number(),
  data: z.unknown(),
})
export type WebhookBody = z.infer<typeof WebhookBody>
