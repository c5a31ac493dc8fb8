import { parseForeignJson } from '../../../kernel/json/foreign-json.ts'
import { CircuitOpenError } from '../../../kernel/outgoing/circuit-breaker.ts'
import { ForbiddenAddressError, type OutgoingReply } from '../../../kernel/outgoing/outgoing-client.ts'

/** Why a model did not answer, as codes that screens translate. */
export type ModelFailureCode =
  | 'key-refused'
  | 'no-credit'
  | 'no-such-model'
  | 'too-long'
  | 'too-many'
  | 'model-down'
  | 'no-answer'
  | 'nonsense'
  | 'refused'
  | 'resting'
  | 'address-refused'

/**
 * Failures that a retry may fix: the service was busy, down or sent an invalid answer. A wrong key cannot be fixed by a
 * retry.
 */
const retryableCodes: readonly ModelFailureCode[] = ['too-many', 'model-down', 'no-answer', 'nonsense']

const failureTexts: Record<ModelFailureCode, string> = {
  'key-refused': 'the key is refused',
  'no-credit': 'the account has no credit left',
  'no-such-model': 'there is no such model at this address',
  'too-long': 'this is more than the model can read',
  'too-many': 'too many questions at once',
  'model-down': 'the model is down',
  'no-answer': 'nobody answers there',
  nonsense: 'the answer makes no sense',
  refused: 'the question is refused',
  resting: 'nobody answered there for a while, it is tried again later',
  'address-refused': 'this address may not be called',
}

/** A model that did not answer. Its message is for admins, and never contains the key. */
export class ModelFailure extends Error {
  readonly code: ModelFailureCode
  readonly isRetryable: boolean
  /** The requested wait (Retry-After); null: none. */
  readonly retryAfterMs: number | null
  /** The HTTP status; 0: no answer. */
  readonly status: number
  constructor(code: ModelFailureCode, detail = '', { afterMs = null as number | null, status = 0 } = {}) {
    super(detail ? `${failureTexts[code]}: ${detail}` : failureTexts[code])
    this.code = code
    this.isRetryable = retryableCodes.includes(code)
    this.retryAfterMs = afterMs
    this.status = status
  }
}

/** The useful part of a vendor's error. */
type VendorError = { message: string; code: string; param: string }
export function parseVendorError(body: string): VendorError {
  const none = { message: body.trimStart().startsWith('<') ? '' : body.slice(0, 4000), code: '', param: '' }
  try {
    const { error } = parseForeignJson(body, { values: 1000 }) as { error?: unknown }
    if (typeof error === 'string') return { ...none, message: error }
    const { message, code, type, param } = (error ?? {}) as Record<string, unknown>
    return {
      message: typeof message === 'string' ? message : '',
      code: `${code ?? ''} ${type ?? ''}`.slice(0, 200),
      param: typeof param === 'string' ? param : '',
    }
  } catch {
    return none
  }
}

/** Vendors repeat their input in errors: removes the key, whole or in part, before the text is stored. */
export function redactKey(text: string, key: string): string {
  const start = text.slice(0, 20_000)
  const bare = key ? start.replaceAll(key, '***') : start
  return bare
    .slice(0, 2000)
    .replace(/\b(?:(?:sk|pk|gsk|key|xai)[-_]|AIza)[\w*-]{4,200}/g, '***')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 240)
}

/** Classifies an error response. */
export function toModelFailure(
  sent: Pick<OutgoingReply, 'status' | 'body' | 'retryAfterMs'>,
  key: string,
): ModelFailure {
  const { message, code, param } = parseVendorError(sent.body)
  const { status, retryAfterMs: afterMs } = sent
  return new ModelFailure(classifyReply(status, code, param), redactKey(message, key), { afterMs, status })
}

function classifyReply(status: number, code: string, param: string): ModelFailureCode {
  if (status === 402 || code.includes('insufficient_quota') || code.includes('billing')) return 'no-credit'
  if (status === 401 || status === 403) return 'key-refused'
  if (code.includes('context_length')) return 'too-long'
  if (status === 404 || code.includes('model_not_found') || (status === 400 && param === 'model'))
    return 'no-such-model'
  if (status === 413) return 'too-long'
  if (status === 429) return 'too-many'
  if (status === 408 || status >= 500) return 'model-down'
  return 'refused'
}

/** Classifies an exception of the call; other exceptions are passed through. */
export function wrapModelCallError(error: unknown, key: string): unknown {
  if (error instanceof ModelFailure || !(error instanceof Error)) return error
  if (error instanceof CircuitOpenError) return new ModelFailure('resting')
  if (error instanceof ForbiddenAddressError) return new ModelFailure('address-refused', redactKey(error.message, key))
  // The caller's own abort was checked before: this is the timeout of the call.
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return new ModelFailure('no-answer', 'the time is over')
  const { code } = error as NodeJS.ErrnoException
  return code || error.message.startsWith('nobody is called')
    ? new ModelFailure('no-answer', redactKey(error.message, key))
    : error
}
