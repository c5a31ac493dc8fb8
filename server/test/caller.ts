import type { Endpoint, Given, Reply } from '@recado/contract/kit'

export type Answer<T = unknown> = { status: number; body: T; headers: Headers; cookies: string[] }
export type Caller = {
  /** A raw call, as any client would make it. */
  ask: <T = Record<string, never>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer<T>>
  /** A call through the contract; throws on a refusal. */
  call: <E extends Endpoint>(endpoint: E, given?: Given<E>) => Promise<Reply<E>>
}
