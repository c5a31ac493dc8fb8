import type { WebhookBody } from '@recado/contract/api-access/webhook-bodies'
import type { Scope } from '../../kernel/data/scope.ts'
import { signedMediaUrl } from '../../kernel/files/media.ts'
import { CircuitOpenError } from '../../kernel/outgoing/circuit-breaker.ts'
import { postWebhook } from '../integrations/bot-webhook.ts'
import { makeRecordingCall, toCallFailureCode } from '../integrations/recorded-call.ts'
import type { DeliveryTry, WaitingEvent } from './event-queue.ts'
import { findDenial } from './event-rights.ts'
import { openWebhookSecrets, type WebhookRow } from './webhooks.ts'

/** `resting`: no call was made, because the host failed recently. */
export type DeliveryOutcome = {
  attempt: DeliveryTry
  answer: string
  ok: boolean
  isGone: boolean
  isResting: boolean
  /** Whether the event may not be sent to this webhook, so that a retry changes nothing. */
  isDenied: boolean
}

export const formatEventId = (eventId: string): string => `evt_${eventId.replaceAll('-', '')}`

/** The body of an event, with its data as of the event and a file URL that is valid for the next hour. */
export function buildEventBody(scope: Scope, { eventId, type, createdAt, data, file }: WaitingEvent): WebhookBody {
  const { companyId } = scope
  const url = file && { mediaUrl: signedMediaUrl(scope, { companyId, ...file }) }
  return { id: formatEventId(eventId), type, timestamp: createdAt, companyId, data: { ...data, ...url } }
}

/** One attempt. `insists`: a user waits for the result, so the attempt is made even during a pause. */
export async function attemptWebhookDelivery(
  scope: Scope,
  hook: WebhookRow,
  event: WaitingEvent,
  limits: { timeoutMs: number; signal?: AbortSignal; insists?: boolean },
): Promise<DeliveryOutcome> {
  const began = performance.now()
  const at = scope.now().toISOString()
  const denial = await findDenial(scope, hook, event.type)
  if (denial) {
    const nobody = { answer: '', ok: false, isResting: false }
    return {
      ...nobody,
      attempt: { at, status: 0, ms: 0, error: denial },
      isGone: denial === 'keyended',
      isDenied: true,
    }
  }
  const { call, last } = makeRecordingCall(scope, limits)
  const outcome = (error: unknown): DeliveryOutcome => {
    const reason = error === null ? '' : toCallFailureCode(error, limits.timeoutMs)
    return {
      attempt: { at, status: last.status, ms: Math.round(performance.now() - began), error: reason },
      answer: last.answered,
      ok: error === null,
      isGone: last.status === 410,
      isResting: error instanceof CircuitOpenError,
      isDenied: false,
    }
  }
  try {
    const body = buildEventBody(scope, event)
    const to = { url: hook.url, secret: openWebhookSecrets(scope, hook) }
    await postWebhook(call, to, body.id, JSON.stringify(body), scope.now())
    return outcome(null)
  } catch (error) {
    return outcome(error)
  }
}
