import type { Endpoint, EndpointInput, Reply } from '@recado/contract/endpoint'
import type { ErrorCode, ErrorReply, FieldProblem } from '@recado/contract/errors'
import { readToken, writeStoredJson } from './storage.ts'

/** The server's refusal code, or `ERR_OFFLINE` when the server could not be reached. */
export type FailureCode = ErrorCode | 'ERR_OFFLINE'

export class ApiError extends Error {
  readonly code: FailureCode
  readonly status: number
  readonly fields: Record<string, FieldProblem>
  /** Other fields of the response, such as the agent who has the ticket. */
  readonly details: Record<string, unknown>
  constructor(
    code: FailureCode,
    status: number,
    fields: Record<string, FieldProblem> = {},
    more: Record<string, unknown> = {},
    /** The response text of a proxy, which has no code. */
    text: string = code,
  ) {
    super(text)
    this.code = code
    this.status = status
    this.fields = fields
    this.details = more
  }
}

/** Calls the server. `:id` in the path comes from `params`; empty query values are omitted. */
export async function callApi<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E> = {},
  options: { signal?: AbortSignal } = {},
): Promise<Reply<E>> {
  const response = await withSession(endpoint.path, () => sendRequest(endpoint, input, options.signal))
  return (await response.json()) as Reply<E>
}

/** Like `callApi`, for a file response. */
export async function callApiForFile<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E> = {},
  options: { signal?: AbortSignal } = {},
): Promise<{ file: Blob; count: number }> {
  const response = await withSession(endpoint.path, () => sendRequest(endpoint, input, options.signal))
  return { file: await response.blob(), count: Number(response.headers.get('x-total-count') ?? 0) }
}

/** Like `callApi`, for a streamed response: the parts arrive first, then the whole. */
export async function callApiStream<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  { signal, onText }: { signal: AbortSignal; onText: (text: string) => void },
): Promise<Reply<E>> {
  const response = await withSession(endpoint.path, () => sendRequest(endpoint, input, signal, 'application/x-ndjson'))
  // Refusals, and responses of servers without streaming, are plain JSON.
  if (!response.headers.get('content-type')?.includes('x-ndjson')) return (await response.json()) as Reply<E>
  let rest = ''
  for await (const bytes of (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(
    new TextDecoderStream(),
  )) {
    const lines = (rest + bytes).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { text, done, error, ...more } = JSON.parse(line) as { text?: string; done?: Reply<E>; error?: ErrorCode }
      if (text !== undefined) onText(text)
      if (error) throw new ApiError(error, response.status, {}, more)
      if (done) return done
    }
  }
  throw new ApiError('ERR_OFFLINE', 0)
}

type UploadInput = {
  params?: Record<string, unknown>
  fields?: Record<string, string | string[]>
  files: File[]
  /** The file for the second file field of the endpoint. */
  secondFile?: File | undefined
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/** Sends files. Text fields go first: the server reads the parts in order. */
export async function uploadFiles<E extends Endpoint>(endpoint: E, input: UploadInput): Promise<Reply<E>> {
  const response = await withSession(endpoint.path, () => sendFiles(endpoint, input))
  return (await response.json()) as Reply<E>
}

/** The path of an endpoint with its parameters filled in. */
export function endpointUrl(endpoint: Endpoint, params: object = {}, query: object = {}): string {
  const filled = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  )
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    search.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return search.size > 0 ? `${filled}?${search}` : filled
}

// ---- Session. 403 means "token expired": renew the token once and repeat the call. 401 means "session over".

const sessionEndListeners = new Set<() => void>()
const expiryListeners = new Set<() => void>()
/** Notifies when a call was refused because the company has not paid. */
export function onSubscriptionExpired(listener: () => void): () => void {
  expiryListeners.add(listener)
  return () => expiryListeners.delete(listener)
}
/** Notifies when the server ended the session. */
export function onSessionEnd(listener: () => void): () => void {
  sessionEndListeners.add(listener)
  return () => sessionEndListeners.delete(listener)
}

const refreshPath = '/auth/refresh_token'
let renewal: Promise<unknown> | undefined
/** Parallel calls share one renewal, because each renewal changes the cookie. */
export function renewSession<T>(): Promise<T> {
  renewal ??= requestRenewal().finally(() => {
    renewal = undefined
  })
  return renewal as Promise<T>
}

async function requestRenewal(): Promise<unknown> {
  const response = await fetchOrOffline(refreshPath, { method: 'POST', headers: requestHeaders() })
  if (!response.ok) throw await toApiError(response)
  const entered = (await response.json()) as { token: string }
  writeStoredJson('token', entered.token)
  return entered
}

async function withSession(path: string, attempt: () => Promise<Response>): Promise<Response> {
  const hadToken = readToken()
  let response = await attempt()
  if (response.status === 403 && hadToken) {
    await renewSession().catch((error: unknown) => {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) endSession()
      throw error
    })
    response = await attempt()
  }
  if (response.ok) return response
  // With a token, a 401 or a second 403 ends the session. A wrong password is a 401 without a token.
  if ((response.status === 401 || response.status === 403) && path !== refreshPath && hadToken) endSession()
  const refusal = await toApiError(response)
  if (refusal.code === 'ERR_SUBSCRIPTION_EXPIRED' && hadToken) for (const payer of expiryListeners) payer()
  throw refusal
}

function endSession(): void {
  for (const watcher of sessionEndListeners) watcher()
}

// ---- Transport

function requestHeaders(accept = 'application/json'): Record<string, string> {
  const token = readToken()
  return { accept, ...(token && { authorization: `Bearer ${token}` }) }
}

function sendRequest<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  signal?: AbortSignal,
  accept?: string,
): Promise<Response> {
  const { params, query, body } = input as { params?: object; query?: object; body?: unknown }
  return fetchOrOffline(endpointUrl(endpoint, params, query), {
    method: endpoint.method,
    headers: { ...requestHeaders(accept), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
}

async function fetchOrOffline(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { credentials: 'same-origin', ...init })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError('ERR_OFFLINE', 0)
  }
}

/** Uses XMLHttpRequest, because fetch has no upload progress. */
function sendFiles(endpoint: Endpoint, input: UploadInput): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries(input.fields ?? {})) {
    for (const one of [value].flat()) form.append(name, one)
  }
  for (const file of input.files) form.append(endpoint.upload ?? 'file', file, file.name)
  if (endpoint.beside && input.secondFile) form.append(endpoint.beside, input.secondFile, input.secondFile.name)

  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(endpoint.method, endpointUrl(endpoint, input.params))
    for (const [name, value] of Object.entries(requestHeaders())) request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) input.onProgress?.(event.loaded / event.total)
    }
    request.onload = () => {
      const id = request.getResponseHeader('x-request-id')
      const headers = { ...(id && { 'x-request-id': id }) }
      resolve(new Response(request.responseText || null, { status: request.status, headers }))
    }
    request.onerror = () => reject(new ApiError('ERR_OFFLINE', 0))
    request.onabort = () => reject(new DOMException('aborted', 'AbortError'))
    input.signal?.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

/** Maximum length of an error text without a code, because it is shown in a toast. */
const maxErrorTextLength = 200

async function toApiError(response: Response): Promise<ApiError> {
  const { error, fields, ...more } = (await response.json().catch(() => ({}))) as Partial<ErrorReply> & {
    code?: string
  }
  // Older clients read an object from `error`; in that case the code is beside it.
  const code = typeof error === 'string' ? error : more.code
  const known = /^ERR_[A-Z_]+$/.test(code ?? '') ? (code as ErrorCode) : 'ERR_INTERNAL_SERVER_ERROR'
  const text = code && code !== known ? code.slice(0, maxErrorTextLength) : known
  const id = response.status === 500 ? response.headers.get('x-request-id') : null
  return new ApiError(known, response.status, fields, { ...more, ...(id && { requestId: id }) }, text)
}
