import { sql } from 'kysely'
import { addMs, minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { CircuitOpenError } from '../../kernel/outgoing/circuit-breaker.ts'
import { ForbiddenAddressError, InsecureAddressError } from '../../kernel/outgoing/outgoing-client.ts'
import { BadAnswerError, type CallExternal, SessionGoneError, toExcerpt } from './external-call.ts'
import { saveExternalCall } from './external-calls.ts'
import { type IntegrationRow, integrations } from './integrations.ts'

declare module '../../kernel/events.ts' {
  interface Events {
    /** The integration failed so often that its calls are paused for a while. */
    'integration.rests': { companyId: number; ticketId: number; name: string }
  }
}

/** Failures in a row before a pause. The pause doubles with each further failure. */
const failuresToRest = 5
const restMs = (inRow: number) => Math.min(minutes(1) * 2 ** Math.min(inRow - failuresToRest, 10), minutes(15))

type CallContext = { ticketId: number; timeoutMs: number; signal?: AbortSignal }

/**
 * One exchange with an integration on a ticket, recorded whatever its result, without keys. A failure counts against the
 * integration; a success resets the count.
 */
export async function runRecordedCall<T>(
  scope: Scope,
  it: IntegrationRow,
  { ticketId, ...limits }: CallContext,
  work: (call: CallExternal) => Promise<T>,
): Promise<T> {
  const began = performance.now()
  const { call, last } = makeRecordingCall(scope, limits)
  const keep = (error: string) =>
    saveExternalCall(scope, {
      ...{ kind: it.type, integrationId: it.id, ticketId, ...last },
      ms: Math.round(performance.now() - began),
      ok: !error,
      error,
    })
  try {
    const answer = await work(call)
    await keep('')
    if (it.failuresInRow) await markIntegrationHealthy(scope, it.id)
    return answer
  } catch (error) {
    // We aborted the call, so it is not a failure of the integration.
    if (limits.signal?.aborted) throw error
    const why = toCallFailureCode(error, limits.timeoutMs)
    await keep(why)
    if (!(error instanceof SessionGoneError)) await recordCallFailure(scope, it.id, ticketId, why)
    throw error
  }
}

/** Calls the service on behalf of the company, and keeps the last request and answer for the record. */
export function makeRecordingCall(
  scope: Scope,
  limits: { timeoutMs: number; signal?: AbortSignal; insists?: boolean },
) {
  const last = { asked: '', answered: '', status: 0 }
  const call: CallExternal = async (address, { kept: recordedBody, isSecret, ...given }) => {
    const asked = isSecret ? '' : (recordedBody ?? String(given.body ?? ''))
    Object.assign(last, { asked, answered: '', status: 0 })
    const sent = await scope.deps.outgoing.call(address, { companyId: scope.companyId, ...limits, ...given })
    Object.assign(last, { status: sent.status, answered: isSecret && sent.status < 300 ? '' : sent.body })
    return sent
  }
  return { call, last }
}

export const markIntegrationHealthy = (scope: Scope, id: number) =>
  scope.transaction((tx) => integrations.update(tx, id, { failuresInRow: 0, lastError: '', restsUntil: null }))

async function recordCallFailure(scope: Scope, id: number, ticketId: number, lastError: string): Promise<void> {
  const { companyId } = scope
  await scope.transaction(async (tx) => {
    const before = await integrations.lockRow(tx, id)
    const failuresInRow = before.failuresInRow + 1
    const rests = failuresInRow >= failuresToRest
    const restsUntil = rests ? addMs(tx.now(), restMs(failuresInRow)) : null
    await integrations.update(tx, id, { failuresInRow, lastError, restsUntil })
    if (failuresInRow === failuresToRest) await tx.emit('integration.rests', { companyId, ticketId, name: before.name })
  })
}

/**
 * Whether the integration may be called now. After its pause one caller tries, and the others wait for the result.
 */
export async function canCallNow(scope: Scope, it: IntegrationRow): Promise<boolean> {
  if (it.restsUntil === null) return true
  const now = scope.now()
  const { rows } = await sql`
    update "queueIntegrations" set "restsUntil" = ${addMs(now, restMs(it.failuresInRow))}
    where "companyId" = ${scope.companyId} and id = ${it.id} and "restsUntil" <= ${now} returning id`.execute(scope.db)
  return rows.length > 0
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || (error.name === 'AbortError' && !isOtherCause(error.cause)))
const isOtherCause = (cause: unknown) => cause instanceof Error && cause.name !== 'TimeoutError'

type CallTrouble = { code: 'timeout' | 'insecure' | 'forbidden' | 'resting' | 'unreachable' | null; detail: string }

function classifyCallError(error: unknown, timeoutMs: number): CallTrouble {
  if (error instanceof BadAnswerError) return { code: null, detail: error.message }
  if (isTimeout(error)) return { code: 'timeout', detail: String(Math.round(timeoutMs / 1000)) }
  if (error instanceof InsecureAddressError) return { code: 'insecure', detail: '' }
  if (error instanceof ForbiddenAddressError) return { code: 'forbidden', detail: error.message }
  if (error instanceof CircuitOpenError) return { code: 'resting', detail: '' }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const words = error instanceof Error ? error.message || code : String(error)
  return { code: 'unreachable', detail: toExcerpt(words || code) }
}

/** The failure as a code with its details, which screens translate. */
export function toCallFailureCode(error: unknown, timeoutMs: number): string {
  const { code: word, detail: about } = classifyCallError(error, timeoutMs)
  return word ? [word, about].filter(Boolean).join(':') : about
}

const failureTexts = {
  timeout: (seconds: string) => `no answer within ${seconds} seconds`,
  insecure: () => 'the address has to begin with https',
  keyended: () => 'the key that wrote this webhook was revoked or has expired',
  keyscope: () => 'the key that wrote this webhook may not read such events',
  forbidden: (about: string) => `this address is not called: ${about}`,
  resting: () => 'it did not answer lately and is left alone for a while',
  unreachable: (about: string) => `it cannot be reached: ${about}`,
}
/** A code as text, for places without translation; the service's own text stays as it is. */
export function describeCallFailureCode(code: string): string {
  const [, word, about = ''] =
    /^(timeout|insecure|keyended|keyscope|forbidden|resting|unreachable)(?::([\s\S]*))?$/.exec(code) ?? []
  return word ? failureTexts[word as keyof typeof failureTexts](about) : code
}
export const describeCallError = (error: unknown, timeoutMs: number): string =>
  describeCallFailureCode(toCallFailureCode(error, timeoutMs))

/** Whether a call is retried soon. A timeout is not retried: the customer has already waited once. */
export function isRetryableCallError(error: unknown): boolean {
  if (error instanceof BadAnswerError) return error.isTransient
  return !(isTimeout(error) || error instanceof ForbiddenAddressError || error instanceof CircuitOpenError)
}
