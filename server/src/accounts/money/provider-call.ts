import type { z } from 'zod'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { parseForeignJson } from '../../kernel/json/foreign-json.ts'
import type { OutgoingCall } from '../../kernel/outgoing/outgoing-client.ts'

/** Maximum size of an answer: a page of payments takes some hundred kilobytes. */
const maxAnswerBytes = 512 * 1024

type ProviderCallOptions<T> = { headers?: Record<string, string> /** The value returned for a 404. */; missing?: T }
export type CallProvider = <S extends z.ZodType>(
  method: string,
  path: string,
  reply: S,
  body?: object,
  options?: ProviderCallOptions<z.output<S>>,
) => Promise<z.output<S>>

/** The provider refused or answered unexpectedly. Only the super user's test and the log show the reason, no company. */
export class ProviderError extends AppError {
  readonly reason: string
  constructor(reason: string) {
    super('ERR_PAYMENT_PROVIDER')
    this.reason = reason
  }
}

/** Calls to one provider. Answers are parsed by their schema; unknown fields are ignored. */
export const makeProviderCall =
  (scope: Scope, base: string, headers: Record<string, string>, identity?: OutgoingCall['identity']): CallProvider =>
  async (method, path, reply, body, options = {}) => {
    const providerReply = await scope.deps.outgoing
      .call(base + path, {
        // The platform makes these calls: failures of companies must not open the circuit breaker for them.
        companyId: 0,
        method,
        headers: {
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
          ...options.headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        ...(identity && { identity }),
        timeoutMs: 15_000,
        mostBytes: maxAnswerBytes,
      })
      .catch((error: Error) => {
        throw new ProviderError(error.message)
      })
    if (providerReply.status === 404 && 'missing' in options) return options.missing as never
    if (providerReply.status >= 300)
      throw new ProviderError(`${providerReply.status} ${providerReply.body.slice(0, 300)}`)
    const shaped = reply.safeParse(parseReply(providerReply.body))
    if (!shaped.success) throw new ProviderError('an answer that is none of theirs')
    return shaped.data
  }

function parseReply(text: string): unknown {
  try {
    return text ? parseForeignJson(text, { bytes: maxAnswerBytes, values: 20_000, items: 5000 }) : {}
  } catch {
    return undefined
  }
}

export const keepDigits = (text: string): string => text.replace(/\D/g, '')
