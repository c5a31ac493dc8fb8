import type { WebhookBody } from '@recado/contract/doors/webhook-bodies'
import type { Scope } from '../../kernel/data/scope.ts'
import { mediaUrl } from '../../kernel/files/media.ts'
import { Resting } from '../../kernel/outgoing/breaker.ts'
import { codeOf, noting } from '../machines/calling.ts'
import { post } from '../machines/webhook.ts'
import { type HookRow, secretsOf } from './hooks.ts'
import type { Try, Waiting } from './queue.ts'
import { denialOf } from './rights.ts'

/** `resting`: nobody was called, because the place did not answer lately. */
export type Outcome = {
  one: Try
  answer: string
  ok: boolean
  gone: boolean
  resting: boolean
  /** It is not told, and trying again changes nothing. */
  denied: boolean
}

export const eventIdOf = (eventId: string): string => `evt_${eventId.replaceAll('-', '')}`

/** What is posted: as it was when it happened, with the address of its file for the next hour. */
export function bodyOf(scope: Scope, { eventId, type, createdAt, data, file }: Waiting): WebhookBody {
  const { companyId } = scope
  const url = file && { mediaUrl: mediaUrl(scope, { companyId, ...file }) }
  return { id: eventIdOf(eventId), type, timestamp: createdAt, companyId, data: { ...data, ...url } }
}

/** Tells it once. `insists`: somebody waits for it, also where the place rests. */
export async function attempt(
  scope: Scope,
  hook: HookRow,
  event: Waiting,
  limits: { timeoutMs: number; signal?: AbortSignal; insists?: boolean },
): Promise<Outcome> {
  const began = performance.now()
  const at = scope.now().toISOString()
  const denial = await denialOf(scope, hook, event.type)
  if (denial) {
    const nobody = { answer: '', ok: false, resting: false }
    return { ...nobody, one: { at, status: 0, ms: 0, error: denial }, gone: denial === 'keyended', denied: true }
  }
  const { call, last } = noting(scope, limits)
  const outcome = (error: unknown): Outcome => {
    const reason = error === null ? '' : codeOf(error, limits.timeoutMs)
    return {
      one: { at, status: last.status, ms: Math.round(performance.now() - began), error: reason },
      answer: last.answered,
      ok: error === null,
      gone: last.status === 410,
      resting: error instanceof Resting,
      denied: false,
    }
  }
  try {
    const body = bodyOf(scope, event)
    const to = { url: hook.url, secret: secretsOf(scope, hook) }
    await post(call, to, body.id, JSON.stringify(body), scope.now())
    return outcome(null)
  } catch (error) {
    return outcome(error)
  }
}
