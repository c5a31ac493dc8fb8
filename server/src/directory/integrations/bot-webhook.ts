import { createHmac, randomBytes } from 'node:crypto'
import type { OutgoingReply } from '../../kernel/outgoing/outgoing-client.ts'
import { currentTraceId } from '../../kernel/trace.ts'
import { type BotReply, ReplyActions, toBotReply } from './bot-reply.ts'
import { BadAnswerError, type CallExternal, describeMisfit, parseStorableJson, toExcerpt } from './external-call.ts'

/** What a webhook is told, version 1: keys are added, never changed. docs/bots.md has it in full. */
export type BotWebhookBody = {
  version: 1
  /** As in the header `webhook-id`: the same in every attempt. */
  id: string
  /** `conversation.started`: the first message with which a ticket reaches this integration. */
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
    /** Which of the choices of the last answer was picked. */
    choice: string | null
    /** `url` works for an hour at least. */
    media: { url: string; name: string } | null
  } | null
  line: { id: number; name: string } | null
}

/** As in Standard Webhooks: 24 bytes, behind a prefix by which scanners know a leaked one. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

/** The convention's headers for one attempt. While a secret is being changed there are two, each with its signature. */
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
 * Tells it once. `id`: the same in every attempt, so that the other side can tell what it has had already. What it follows
 * from goes along under the name by which our own answers carry it: most logs keep that header by themselves.
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

/** Gone and forbidden stay so; everything else may be a workflow that somebody is about to mend. */
const isRetryableStatus = ({ status }: OutgoingReply) => status !== 410

/**
 * What the answer wants; null where it wants nothing, as the usual "ok" or n8n's "Workflow was started": then what there
 * is to say comes later, through the messages API.
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

/** A day in all, more and more seldom: five seconds after the first attempt, then minutes, then hours. */
const retryDelaysMs = [5, 60, 300, 1800, 7200, 18_000, 28_800, 28_800].map((seconds) => seconds * 1000)
/** After so many attempts; null: that was the last. */
export const retryDelayMs = (attempts: number): number | null => retryDelaysMs[attempts - 1] ?? null
