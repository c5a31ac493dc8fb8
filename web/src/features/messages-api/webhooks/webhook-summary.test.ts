import type { Webhook, WebhookDelivery } from '@recado/contract/api-access/webhooks'
import { expect, it } from 'vitest'
import { findDecisiveAttempt, getWebhookState, isWebAddress, shortenEvents } from './webhook-summary.ts'

it('shortens a completely selected group of events to one word', () => {
  expect(shortenEvents(['message.created', 'message.state', 'ticket.opened', 'rating.created'])).toEqual([
    'message.*',
    'ticket.opened',
    'rating.created',
  ])
})

it('derives the state of a webhook from its deliveries', () => {
  const hook = { active: true, restsSince: null, waiting: 0 } as Webhook
  expect(getWebhookState(hook)).toBe('ok')
  expect(getWebhookState({ ...hook, waiting: 3 })).toBe('waiting')
  expect(getWebhookState({ ...hook, waiting: 3, restsSince: '2026-11-16T12:00:00Z' })).toBe('rests')
  expect(getWebhookState({ ...hook, active: false, restsSince: '2026-11-16T12:00:00Z' })).toBe('off')
})

it('accepts only web URLs', () => {
  expect(
    ['https://a.test/x', 'http://127.0.0.1:8080', 'ftp://a.test', 'a.test', 'javascript:alert(1)'].map(isWebAddress),
  ).toEqual([true, true, false, false, false])
})

it('shows the first failed attempt, if there was one, otherwise the last attempt', () => {
  const tries = [503, 0, 200].map((status) => ({ at: '', status, ms: 1, error: '' }))
  expect(findDecisiveAttempt({ tries } as WebhookDelivery)?.status).toBe(503)
  expect(findDecisiveAttempt({ tries: tries.slice(2) } as WebhookDelivery)?.status).toBe(200)
  expect(findDecisiveAttempt({ tries: [] as WebhookDelivery['tries'] } as WebhookDelivery)).toBeUndefined()
})
