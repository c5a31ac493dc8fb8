import { createHmac, timingSafeEqual } from 'node:crypto'
import type { BotWebhookBody } from '../src/directory/integrations/bot-webhook.ts'
import { type LoopbackRequest, openLoopbackServer } from './loopback-server.ts'

export type ReceivedWebhook = { id: string; isSigned: boolean; body: BotWebhookBody }

/** A fake webhook that accepts only signed requests. The test defines the answers. */
export async function fakeWebhook() {
  const received: ReceivedWebhook[] = []
  const state: { secret: string; answer: (body: ReceivedWebhook['body']) => unknown } = {
    secret: '',
    answer: () => 'ok',
  }
  const machine = await openLoopbackServer((asked) => {
    if (asked.path.startsWith('/files/')) return { type: 'text/plain', body: 'the file' }
    const body = JSON.parse(asked.body)
    const signed = isWebhookSigned(asked, state.secret)
    received.push({ id: String(asked.headers['webhook-id']), isSigned: signed, body })
    return signed ? { body: state.answer(body) } : { status: 401, body: 'bad signature' }
  })
  return { ...machine, hook: state, received }
}

/** Verifies a signature as in Standard Webhooks: id, time and body, with the key after the prefix. */
export function isWebhookSigned({ headers, body }: LoopbackRequest, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', key).update(text).digest()
  const given = String(headers['webhook-signature']).split(' ')
  return given.some((one) => {
    const [version, signature = ''] = one.split(',')
    const bytes = Buffer.from(signature, 'base64')
    return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
}
