import type { Endpoint, EndpointInput, Reply } from '@recado/contract/endpoint'

export type HttpAnswer<T = unknown> = { status: number; body: T; headers: Headers; cookies: string[] }
export type HttpCaller = {
  /** A raw call, as any client would make it. */
  ask: <T = Record<string, never>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<HttpAnswer<T>>
  /** A call through the contract; throws on a refusal. */
  call: <E extends Endpoint>(endpoint: E, given?: EndpointInput<E>) => Promise<Reply<E>>
}
