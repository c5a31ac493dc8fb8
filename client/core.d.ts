export type Options = {
  /** The URL of Recado: `https://desk.example`. */
  url: string
  /** An API key, or the token of a connection for the calls that accept one. */
  key: string
  fetch?: typeof globalThis.fetch
  /** How often a call that is safe to retry is tried; 4 by default. */
  tries?: number
}
export type CallOptions = {
  /** For sending: two calls with the same key within a day send one message. Generated if absent. */
  idempotencyKey?: string
  /** Files, for calls that accept files. */
  files?: { name: string; content: Blob | Uint8Array<ArrayBuffer> | string }[]
  signal?: AbortSignal
}

/** An error response: `code` is from the catalog, `fields` names the invalid inputs. */
export declare class RecadoError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: Record<string, string>
  /** Seconds after which the call may be retried; 0 if unknown. */
  readonly retryAfter: number
}

/** Returns the event of a webhook request, and throws if its signature is invalid. `body` is the raw text. */
export declare function verifyWebhook<Event = unknown>(
  secret: string,
  headers: Headers | Record<string, string | undefined>,
  body: string,
  options?: { toleranceSeconds?: number; now?: Date },
): Promise<Event>
export declare function makeCall(
  options: Options,
): (endpoint: readonly unknown[], input?: object, options?: CallOptions) => Promise<unknown>
