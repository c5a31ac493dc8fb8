import { z } from 'zod'
import {
  crud,
  flag,
  get,
  idParams,
  isoDateTime,
  type KeyScope,
  post,
  ref,
  requiredName,
  requiredText,
} from '../endpoint.ts'

/** The events that a webhook can subscribe to. */
export const webhookEvents = [
  'message.created',
  'message.state',
  'ticket.opened',
  'ticket.accepted',
  'ticket.transferred',
  'ticket.resolved',
  'ticket.late',
  'contact.created',
  'contact.merged',
  'rating.created',
  'line.state',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** The scope that an API key needs to read an event; the scope `webhooks` alone reads only the state of lines. */
export const keyScopeByEvent: Record<WebhookEvent, KeyScope> = {
  'message.created': 'messages',
  'message.state': 'messages',
  'ticket.opened': 'tickets',
  'ticket.accepted': 'tickets',
  'ticket.transferred': 'tickets',
  'ticket.resolved': 'tickets',
  'ticket.late': 'tickets',
  'contact.created': 'contacts',
  'contact.merged': 'contacts',
  'rating.created': 'tickets',
  'line.state': 'webhooks',
}

export const webhookDeliveryStates = ['waiting', 'done', 'given-up'] as const

export const Webhook = z.object({
  id: z.number(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  active: z.boolean(),
  /** Deliveries per hour of the last 24, oldest first, and how many of them failed. */
  calls: z.array(z.number()),
  failed: z.array(z.number()),
  /** Events waiting to be sent. */
  waiting: z.number(),
  lastAt: isoDateTime.nullable(),
  /** Since when the receiver has not answered; null while it answers. */
  restsSince: isoDateTime.nullable(),
  /**
   * Why it failed: `timeout:SECONDS`, `forbidden:…` (an address that is not called), `unreachable:…`, `resting` (no
   * call was made, because the host failed recently), `insecure` (a URL without TLS), `keyended` (the key that created
   * the webhook was revoked or has expired), `keyscope` (an event that this key may not read), or the receiver's own
   * answer.
   */
  reason: z.string(),
  createdAt: isoDateTime,
  updatedAt: isoDateTime,
})
export type Webhook = z.infer<typeof Webhook>

export const WebhookWrite = z.object({
  name: z.preprocess((v) => v ?? '', requiredName(0, 50)),
  url: requiredText(8, 500),
  events: z.array(z.enum(webhookEvents)).min(1).max(webhookEvents.length),
  active: flag.default(true),
})
export type WebhookWrite = z.output<typeof WebhookWrite>

/** One event for one webhook, with every try. */
export const WebhookDelivery = z.object({
  id: z.string(),
  /** The id in the header and the body: the same on every retry and resend. */
  eventId: z.string(),
  type: z.enum([...webhookEvents, 'test']),
  ticketId: z.number().nullable(),
  state: z.enum(webhookDeliveryStates),
  /** `error` has the format of a webhook's `reason`. */
  tries: z.array(z.object({ at: isoDateTime, status: z.number(), ms: z.number(), error: z.string() })),
  /** The time of the next try, while the delivery waits. */
  nextAt: isoDateTime.nullable(),
  /** The trace id of the cause, as in the log and the header `x-request-id`: `j…` a line's event, `r…` a request, `t…` a timer. */
  trace: z.string().nullable(),
  createdAt: isoDateTime,
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

const access = 'messages-api-page:manage' as const
const plan = 'useExternalApi' as const
const key = 'webhooks' as const
const example = {
  name: 'Reservas',
  url: 'https://hooks.example.test/recado',
  events: ['message.created' as const],
  active: true,
}

export const webhooksApi = {
  ...crud({
    path: '/webhooks',
    entity: 'webhook',
    plural: 'webhooks',
    row: Webhook,
    search: ['name', 'url'],
    newestFirst: true,
    topic: { name: (c) => `company-${c}-webhook`, one: 'webhook', gone: 'webhookId' },
    write: WebhookWrite,
    example,
    read: access,
    edit: access,
    plan,
    key,
  }),
  create: post('/webhooks', {
    about:
      'Subscribe to events. The signing secret is in this response and is never shown again. A key can subscribe only to events that its scopes may read, and its subscriptions end with it',
    access,
    plan,
    key,
    body: WebhookWrite,
    example,
    reply: Webhook.extend({ secret: z.string() }),
  }),
}

const deliveryId = z
  .string()
  .regex(/^\d{1,18}$/)
  .meta({ entity: 'webhookEvent' })
const deliveryParams = z.object({ id: ref('webhook'), deliveryId })

/** Maximum events of one replay: a larger replay must be split. */
export const maxReplayedEvents = 50_000

/** Actions on a webhook other than CRUD. */
export const webhookToolsApi = {
  secret: post('/webhooks/:id/secret', {
    about: 'Create a new signing secret, shown only once. The old one also signs for one more day',
    access,
    plan,
    key,
    params: idParams('webhook'),
    reply: z.object({ secret: z.string() }),
  }),
  deliveries: get('/webhooks/:id/deliveries', {
    about: 'Deliveries of a webhook, newest first; `before` is the id of the last one that was read',
    access,
    plan,
    key,
    params: idParams('webhook'),
    query: z.object({
      before: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
      failed: z.preprocess((v) => v === true || v === 'true', z.boolean()).default(false),
    }),
    reply: z.object({ deliveries: z.array(WebhookDelivery), hasMore: z.boolean() }),
  }),
  delivery: get('/webhooks/:id/deliveries/:deliveryId', {
    about: 'One delivery with its content',
    access,
    plan,
    key,
    params: deliveryParams,
    reply: WebhookDelivery.extend({ body: z.string(), answer: z.string() }),
  }),
  again: post('/webhooks/:id/deliveries/:deliveryId/again', {
    about: 'Deliver one event again, with the same id',
    access,
    plan,
    key,
    params: deliveryParams,
    reply: WebhookDelivery,
  }),
  replay: post('/webhooks/:id/replay', {
    about: 'Deliver all events of a period again, in order, at most 50,000. Returns how many there are',
    access,
    plan,
    key,
    params: idParams('webhook'),
    body: z.object({ from: z.iso.datetime({ offset: true }).max(40), until: z.iso.datetime({ offset: true }).max(40) }),
    example: { from: '2026-11-01T00:00:00Z', until: '2026-11-02T00:00:00Z' },
    reply: z.object({ events: z.number() }),
  }),
  test: post('/webhooks/:id/test', {
    about: 'Send an event of the type `test` now; a paused webhook resumes when it responds',
    access,
    plan,
    key,
    params: idParams('webhook'),
    reply: WebhookDelivery.extend({ body: z.string(), answer: z.string() }),
  }),
}
