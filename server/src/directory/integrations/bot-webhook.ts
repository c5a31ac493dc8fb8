import { createHmac, randomBytes } from 'node:crypto'
import type { OutgoingReply } from '../../kernel/outgoing/outgoing-client.ts'
import { currentTraceId } from '../../kernel/trace.ts'
import { type BotReply, ReplyActions, toBotReply } from './bot-reply.ts'
import { BadAnswerError, type CallExternal, describeMisfit, parseStorableJson, toExcerpt } from './external-call.ts'

/** The body of a webhook, version 1: keys are added, never changed. docs/bots.md has it in full. */
export type BotWebhookBody = {
  version: 1
  /** The value of the header `webhook-id`: the same in every attempt. */
  id: string
  /** `conversation.started`: the first message of a ticket that reaches this integration. */
  event: 'conversation.started' | 'message.received' | 'test'
  at: string
  company: { id: number; name: string }
  integration: { id: number; name: string }
  ticket: {
    id: number
    uuid: string
    number: number
    status: string
    queue: { id: number; name: string } | null
  } | null
  contact: { id: number; name: string; number: string; email: string } | null
  message: {
    id: string
    at: string
    type: string
    body: string
    /** The choice that the customer picked from the last answer. */
    choice: string | null
    /** `url` is valid for at least an hour. */
    media: { url: string; name: string } | null
  } | null
  line: { id: number; name: string } | null
}

/** In the format of Standard Webhooks: 24 bytes, with a prefix by which secret scanners detect a leak. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

/** The Standard Webhooks headers of one attempt. During a secret rotation there are two signatures. */
export function signWebhookHeaders(
  secret: string | string[],
  id: string,
  now: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = [secret].flat().map((one) => {
    const key = Buffer.from(one.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

export type WebhookTarget = { url: string; secret: string | string[] }

/**
 * Makes one attempt. `id`: the same in every attempt, so that the receiver can recognize duplicates. The trace is sent in
 * the same header as in our own responses, because most logs record it by default.
 */
export async function postWebhook(
  call: CallExternal,
  { url, secret }: WebhookTarget,
  id: string,
  body: string,
  now: Date,
): Promise<string> {
  const because = currentTraceId()
  const sent = await call(url, {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Recado-Webhooks/1',
      ...signWebhookHeaders(secret, id, now, body),
      ...(because && { 'x-request-id': because }),
    },
    body,
    isBad: ({ status }) => status >= 500,
  })
  if (sent.status < 200 || sent.status >= 300)
    throw new BadAnswerError(`${sent.status} ${toExcerpt(sent.body)}`, isRetryableStatus(sent))
  return sent.body
}

/**
 * Whether a delivery is retried. 410 Gone is final; any other status may come from a workflow that is about to be
 * fixed.
 */
const isRetryableStatus = ({ status }: OutgoingReply) => status !== 410

/**
 * The actions in an answer; null if it has none, such as "ok" or n8n's "Workflow was started". In that case the text comes
 * later, through the messages API.
 */
export function parseWebhookReply(body: string): BotReply | null {
  let parsed: unknown
  try {
    parsed = parseStorableJson(body)
  } catch {
    return null
  }
  const whole = Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : parsed
  const isOurs =
    typeof whole === 'object' && whole !== null && Object.keys(ReplyActions.shape).some((key) => key in whole)
  if (!isOurs) return null
  const read = ReplyActions.safeParse(whole)
  if (!read.success) throw new BadAnswerError(`its actions are not understood: ${describeMisfit(read.error)}`)
  return toBotReply(read.data)
}

/** The pauses between attempts, a day in all: five seconds after the first attempt, then minutes, then hours. */
const retryDelaysMs = [5, 60, 300, 1800, 7200, 18_000, 28_800, 28_800].map((seconds) => seconds * 1000)
/** The pause after this many attempts; null: there are no further attempts. */
export const retryDelayMs = (attempts: number): number | null => retryDelaysMs[attempts - 1] ?? null
