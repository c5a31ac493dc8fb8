import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { parseForeignJson } from '../../kernel/json/foreign-json.ts'
import { findGraphFault, type GraphFault } from './failures.ts'

/** Enough for the template list of a large account, the longest response that we request. */
const maxReplyBytes = 2 * 1024 * 1024

export type GraphTimings = {
  timeoutMs: number
  /** Timeout for files, which take longer. */
  transferTimeoutMs: number
  /** How often a repeatable call is tried, and the first delay. */
  maxAttempts: number
  retryMs: number
}
export const defaultGraphTimings: GraphTimings = {
  timeoutMs: 15_000,
  transferTimeoutMs: 60_000,
  maxAttempts: 3,
  retryMs: 500,
}

/** Meta refused the call, and gave a reason. */
export class GraphRefusedError extends Error {
  readonly status: number
  readonly fault: GraphFault
  readonly retryAfterMs: number | null
  constructor(status: number, fault: GraphFault, retryAfterMs: number | null) {
    super(`Graph API ${status}: (#${fault.code}) ${fault.title}`)
    this.status = status
    this.fault = fault
    this.retryAfterMs = retryAfterMs
  }
}
/** There was no valid response. `maybeReceived`: Meta may have received the request nevertheless. */
export class GraphNoAnswerError extends Error {
  readonly maybeReceived: boolean
  constructor(reason: string, maybeReceived: boolean) {
    super(reason)
    this.maybeReceived = maybeReceived
  }
}

export type GraphBody = { type: string; size: number; data: Readable | Buffer }
type GraphRequest = {
  method: 'GET' | 'POST'
  url: URL
  body?: GraphBody
  signal?: AbortSignal | undefined
  timeoutMs?: number
}

// A kept-alive connection takes one round trip instead of four. We close it before the other side does: after a
// write into a connection that is being closed, it is unknown whether the request was read.
const agents = {
  'http:': new HttpAgent({ keepAlive: true, timeout: 4_000 }),
  'https:': new HttpsAgent({ keepAlive: true, timeout: 4_000 }),
}

export type GraphClient = ReturnType<typeof makeGraphClient>

/** The Graph API client of one account; without a token, of calls that need none. It retries only calls that are safe to repeat: reads and uploads, never sends. */
export function makeGraphClient(base: string, token: string, pace: GraphTimings) {
  const address = (path: string) => new URL(`${base.replace(/\/$/, '')}/${path.replace(/^\//, '')}`)

  function openRequest({
    method,
    url,
    body,
    signal,
    timeoutMs = pace.timeoutMs,
  }: GraphRequest): Promise<IncomingMessage> {
    const https = url.protocol === 'https:'
    let wasConnected = false
    return new Promise((done, failed) => {
      const outgoingRequest = (https ? httpsRequest : httpRequest)(
        url,
        {
          method,
          agent: https ? agents['https:'] : agents['http:'],
          signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
          headers: {
            ...(token && { authorization: `Bearer ${token}` }),
            accept: 'application/json, */*',
            ...(body && { 'content-type': body.type, 'content-length': body.size }),
          },
        },
        done,
      )
      outgoingRequest.on('socket', (socket) => {
        // Once there is a connection, it is unknown how much of the request has arrived.
        if (socket.connecting) socket.once(https ? 'secureConnect' : 'connect', () => (wasConnected = true))
        else wasConnected = true
      })
      outgoingRequest.on('error', (error) => failed(new GraphNoAnswerError(error.message, wasConnected)))
      if (!body) outgoingRequest.end()
      else if (Buffer.isBuffer(body.data)) outgoingRequest.end(body.data)
      else {
        body.data.on('error', (error) => outgoingRequest.destroy(error))
        body.data.pipe(outgoingRequest)
      }
    })
  }

  async function sendOnce(request: GraphRequest): Promise<unknown> {
    const answer = await openRequest(request)
    const text = await readReply(answer).catch((error) => {
      throw new GraphNoAnswerError(String(error), true)
    })
    const reply = parseReply(text)
    const status = answer.statusCode ?? 0
    if (status >= 200 && status < 300 && reply !== undefined) return reply
    const fault = findGraphFault(reply)
    if (fault) throw new GraphRefusedError(status, fault, parseRetryAfter(answer.headers['retry-after']))
    // A proxy in front of the Graph API limited the rate: the call was not processed.
    if (status === 429)
      throw new GraphRefusedError(status, tooManyCallsFault, parseRetryAfter(answer.headers['retry-after']))
    throw new GraphNoAnswerError(`Graph API answered ${status} without a reason`, true)
  }

  /** Retries `work`. Only for calls that are safe to repeat. */
  async function withRetries(work: () => Promise<unknown>, signal?: AbortSignal): Promise<unknown> {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (tries >= pace.maxAttempts || !isRetryable(error) || signal?.aborted) throw error
        const retryAfterMs = error instanceof GraphRefusedError ? error.retryAfterMs : null
        const ms = retryAfterMs ?? pace.retryMs * 2 ** (tries - 1) * (1 + Math.random() / 2)
        await pause(Math.min(ms, pace.timeoutMs), undefined, signal ? { signal } : {})
      }
    }
  }

  return {
    get: (path: string, signal?: AbortSignal): Promise<unknown> =>
      withRetries(() => sendOnce({ method: 'GET', url: address(path), signal }), signal),
    /** Like `get`, but never retried: for a call that Meta accepts only once. */
    getOnce: (path: string): Promise<unknown> => sendOnce({ method: 'GET', url: address(path) }),
    /** Makes a single attempt: the caller decides whether it may be repeated. */
    post: (path: string, body: object, signal?: AbortSignal): Promise<unknown> => {
      const data = Buffer.from(JSON.stringify(body))
      return sendOnce({
        method: 'POST',
        url: address(path),
        body: { type: 'application/json', size: data.length, data },
        signal,
      })
    },
    /** `body` is called for each try: a stream can be read only once. */
    upload: (path: string, body: () => Promise<GraphBody>, signal?: AbortSignal): Promise<unknown> =>
      withRetries(
        async () =>
          sendOnce({
            method: 'POST',
            url: address(path),
            body: await body(),
            signal,
            timeoutMs: pace.transferTimeoutMs,
          }),
        signal,
      ),
    /** Downloads a file from the URL that the Graph API returned. The token is sent to Meta's own hosts only. */
    async download(reply: string, signal?: AbortSignal): Promise<IncomingMessage> {
      const url = new URL(reply)
      if (url.origin !== new URL(base).origin && !(url.protocol === 'https:' && metaHosts.test(url.hostname)))
        throw new GraphRefusedError(0, { code: 131052, title: 'not a host of Meta', details: url.hostname }, null)
      const answer = await openRequest({ method: 'GET', url, signal, timeoutMs: pace.transferTimeoutMs })
      if (answer.statusCode === 200) return answer
      answer.resume()
      if (answer.statusCode === 404 || answer.statusCode === 410)
        throw new GraphRefusedError(answer.statusCode, { code: 131052, title: 'gone', details: '' }, null)
      throw new GraphNoAnswerError(`the file answered ${answer.statusCode}`, true)
    },
  }
}

const metaHosts = /\.(fbsbx\.com|fbcdn\.net|facebook\.com|whatsapp\.net)$/
const tooManyCallsFault: GraphFault = { code: 4, title: 'Too many calls', details: '' }

const isRetryable = (error: unknown): boolean =>
  error instanceof GraphNoAnswerError ||
  (error instanceof GraphRefusedError && (error.status >= 500 || error.status === 429))

/** Parses seconds or a date, limited to one hour. */
function parseRetryAfter(reply: string | undefined): number | null {
  if (!reply) return null
  const ms = /^\d+$/.test(reply) ? Number(reply) * 1000 : Date.parse(reply) - Date.now()
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, 3_600_000) : null
}

async function readReply(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxReplyBytes) throw new Error('the answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function parseReply(text: string): unknown {
  try {
    return parseForeignJson(text, { bytes: maxReplyBytes, values: 20_000, items: 5000 })
  } catch {
    return undefined
  }
}
