import { buildRequest, type FlowRequest, keepParts } from '@recado/contract/flows/flow-call'
import type { CallStep } from '@recado/contract/flows/flow-steps'
import type { FlowVariables, TextValues } from '@recado/contract/flows/flow-variables'
import type { FlowOutcome } from '@recado/contract/flows/walk'
import { parseStorableJson } from '../../../directory/integrations/external-call.ts'
import type { Deps } from '../../../kernel/data/scope.ts'
import { CircuitOpenError } from '../../../kernel/outgoing/circuit-breaker.ts'
import { ForbiddenAddressError, type OutgoingReply } from '../../../kernel/outgoing/outgoing-client.ts'
import { openHeadersOfStep } from './seal-headers.ts'

/** Shorter than the time after which another process repeats the call. */
const callTimeoutMs = 15_000
const maxReplyBytes = 256 * 1024
/** A request with its variables filled in; servers refuse longer addresses and headers. */
const maxUrlCharacters = 8000
const maxHeaderCharacters = 8000
const maxBodyCharacters = 256 * 1024

/** They frame the request or name its target, and the client sets them itself. */
const reservedHeaders = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect', 'keep-alive'],
  ...['proxy-authorization', 'proxy-connection', 'idempotency-key'],
])

/** Why a call failed, for the people who read the ticket's history. It never quotes the request or the reply. */
type CallFailure =
  | 'request-too-large'
  | 'address-refused'
  | 'paused'
  | 'no-answer'
  | `status-${number}`
  | 'reply-too-large'
  | 'reply-not-json'
export type CallOutcome = Extract<FlowOutcome, { kind: 'done' }> | { kind: 'failed'; reason: CallFailure }

/**
 * Sends the request of a step to the address that its author chose. It runs outside of a transaction, because the other
 * system may take its time. The headers are those of the stored step, and are opened here. `idempotencyKey` is the same when the call is repeated after a crash.
 */
export async function sendCall(
  { outgoing, vault }: Pick<Deps, 'outgoing' | 'vault'>,
  companyId: number,
  step: CallStep,
  variables: FlowVariables,
  texts: TextValues,
  idempotencyKey: string,
): Promise<CallOutcome> {
  const request = buildRequest(openHeadersOfStep({ vault }, step), variables, texts)
  if (isTooLarge(request)) return { kind: 'failed', reason: 'request-too-large' }
  try {
    const reply = await outgoing.call(request.url, {
      ...{ companyId, purpose: 'flows', method: request.method, timeoutMs: callTimeoutMs, mostBytes: maxReplyBytes },
      headers: headersOf(request, idempotencyKey),
      ...(request.body !== null && { body: request.body }),
      isBad: ({ status }) => status >= 500,
    })
    return readReply(step, reply)
  } catch (error) {
    return { kind: 'failed', reason: describeFailure(error) }
  }
}

const isTooLarge = ({ url, headers, body }: FlowRequest): boolean =>
  url.length > maxUrlCharacters ||
  headers.some(({ value }) => value.length > maxHeaderCharacters) ||
  (body?.length ?? 0) > maxBodyCharacters

function headersOf({ headers, body }: FlowRequest, idempotencyKey: string): Record<string, string> {
  const given = headers.map(({ name, value }) => [name.toLowerCase(), value] as const)
  return {
    accept: 'application/json',
    'user-agent': 'Recado-Flows/1',
    ...(body !== null && { 'content-type': 'application/json' }),
    ...Object.fromEntries(given.filter(([name, value]) => value !== '' && !reservedHeaders.has(name))),
    'idempotency-key': idempotencyKey,
  }
}

/** A step that keeps nothing of the reply does not read it. */
function readReply({ keep }: CallStep, reply: OutgoingReply): CallOutcome {
  if (reply.status < 200 || reply.status >= 300) return { kind: 'failed', reason: `status-${reply.status}` }
  if (!keep.length) return { kind: 'done', values: {} }
  if (reply.isTruncated) return { kind: 'failed', reason: 'reply-too-large' }
  try {
    return { kind: 'done', values: keepParts(keep, parseStorableJson(reply.body)) }
  } catch {
    return { kind: 'failed', reason: 'reply-not-json' }
  }
}

function describeFailure(error: unknown): CallFailure {
  if (error instanceof CircuitOpenError) return 'paused'
  return error instanceof ForbiddenAddressError || error instanceof TypeError ? 'address-refused' : 'no-answer'
}
