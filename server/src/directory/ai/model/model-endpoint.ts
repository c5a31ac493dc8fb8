import { parseForeignJson } from '../../../kernel/json/foreign-json.ts'
import type { OutgoingClient, OutgoingReply } from '../../../kernel/outgoing/outgoing-client.ts'
import { toModelFailure, wrapModelCallError } from './model-failure.ts'

/** Where a model answers, and in whose name it is asked. */
export type ModelEndpoint = {
  outgoing: OutgoingClient
  companyId: number
  /** As far as `/v1`; whoever pastes the whole address is understood. */
  address: string
  /** Empty: a model in one's own house asks for none. */
  key: string
}
export type ModelCallLimits = { signal?: AbortSignal | undefined; timeoutMs: number }

/** More than any answer has that we could say to somebody; in pieces of a word each it takes a hundred times as much. */
export const maxAnswerBytes = 256 * 1024
const maxStreamBytes = 4 * 1024 * 1024

export const modelUrl = (address: string, path: string): string =>
  `${address
    .trim()
    .replace(/\/{1,20}$/, '')
    .replace(/\/chat\/completions$/, '')}${path}`

type ModelRequestBody = { type: string; body: Buffer | string; onData?: (piece: Buffer) => void; mostBytes?: number }

/** One call to a model. Whatever goes wrong is a `ModelFailure`, or nobody waits any more. */
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

/** Undefined where it is none. */
export function parseModelJson(sent: OutgoingReply): unknown {
  try {
    return parseForeignJson(sent.bytes)
  } catch {
    return undefined
  }
}
