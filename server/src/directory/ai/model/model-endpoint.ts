import { parseForeignJson } from '../../../kernel/json/foreign-json.ts'
import type { OutgoingClient, OutgoingReply } from '../../../kernel/outgoing/outgoing-client.ts'
import { toModelFailure, wrapModelCallError } from './model-failure.ts'

/** A model's URL and key, and the company on whose behalf it is called. */
export type ModelEndpoint = {
  outgoing: OutgoingClient
  companyId: number
  /** The URL up to `/v1`; a pasted full URL is accepted, too. */
  address: string
  /** Empty for a self-hosted model without a key. */
  key: string
}
export type ModelCallLimits = { signal?: AbortSignal | undefined; timeoutMs: number }

/** More bytes than any answer that we could send: streamed word by word, an answer takes many times its length. */
export const maxAnswerBytes = 256 * 1024
const maxStreamBytes = 4 * 1024 * 1024

export const modelUrl = (address: string, path: string): string =>
  `${address
    .trim()
    .replace(/\/{1,20}$/, '')
    .replace(/\/chat\/completions$/, '')}${path}`

type ModelRequestBody = { type: string; body: Buffer | string; onData?: (piece: Buffer) => void; mostBytes?: number }

/** One call to a model. Every failure becomes a `ModelFailure`, except our own abort. */
export async function callModel(
  { outgoing, companyId, address, key }: ModelEndpoint,
  path: string,
  { type, body, onData, mostBytes = onData ? maxStreamBytes : maxAnswerBytes }: ModelRequestBody,
  { signal, timeoutMs }: ModelCallLimits,
): Promise<OutgoingReply> {
  const headers = { 'content-type': type, ...(key && { authorization: `Bearer ${key}` }) }
  const call = { companyId, headers, body, timeoutMs, mostBytes, isBad: (sent: OutgoingReply) => sent.status >= 500 }
  try {
    const url = modelUrl(address, path)
    const sent = await outgoing.call(url, { ...call, ...(signal && { signal }), ...(onData && { onData }) })
    if (sent.status >= 200 && sent.status < 300) return sent
    throw toModelFailure(sent, key)
  } catch (error) {
    signal?.throwIfAborted()
    throw wrapModelCallError(error, key)
  }
}

/** Parses the body of an answer. Undefined: the body is not JSON. */
export function parseModelJson(sent: OutgoingReply): unknown {
  try {
    return parseForeignJson(sent.bytes)
  } catch {
    return undefined
  }
}
