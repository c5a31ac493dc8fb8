import type { Endpoint, EndpointInput, Reply } from '@recado/contract/endpoint'

export type HttpAnswer<T = unknown> = { status: number; body: T; headers: Headers; cookies: string[] }
export type HttpCaller = {
  /** A raw HTTP request, as any client would make it. */
  request: <T = Record<string, never>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<HttpAnswer<T>>
  /** A call through the contract; throws on an error response. */
  call: <E extends Endpoint>(endpoint: E, given?: EndpointInput<E>) => Promise<Reply<E>>
}
