export type Options = {
  /** The URL of Recado: `https://desk.example`. */
  url: string
  /** An API key, or the token of a connection for the calls that accept one. */
  key: string
  fetch?: typeof globalThis.fetch
  /** How often a call that may be repeated is tried; 4 by default. */
  tries?: number
}
export type CallOptions = {
  /** For sending: the same key within a day is the same message. Generated if absent. */
  idempotencyKey?: string
  /** Files for calls that accept some. */
  files?: { name: string; content: Blob | Uint8Array<ArrayBuffer> | string }[]
  signal?: AbortSignal
}

/** An error response: `code` is from the catalog, `fields` names the invalid inputs. */
export declare class RecadoError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: Record<string, string>
  /** Seconds after which it may be retried; 0 if unknown. */
  readonly retryAfter: number
}

/** The event of a webhook; throws if its signature is invalid. `body` is the raw text. */
export declare function verifyWebhook<Event = unknown>(
  secret: string,
  headers: Headers | Record<string, string | undefined>,
  body: string,
  options?: { toleranceSeconds?: number; now?: Date },
): Promise<Event>
export declare function makeCall(
  options: Options,
): (endpoint: readonly unknown[], input?: object, options?: CallOptions) => Promise<unknown>
