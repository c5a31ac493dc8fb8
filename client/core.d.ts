export type Options = {
  /** Where Recado answers: `https://desk.example`. */
  url: string
  /** A key for programs, or the token of a connection for what it opens. */
  key: string
  fetch?: typeof globalThis.fetch
  /** How often a call that may be repeated is tried; 4 unless told otherwise. */
  tries?: number
}
export type CallOptions = {
  /** Of what is sent: the same name again within a day is the same message. Made up where none is given. */
  idempotencyKey?: string
  /** Files of calls that take some. */
  files?: { name: string; content: Blob | Uint8Array<ArrayBuffer> | string }[]
  signal?: AbortSignal
}

/** A refusal: `code` is one of the catalogue, `fields` names the inputs to mend. */
export declare class RecadoError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: Record<string, string>
  /** After so many seconds it may be tried again; 0 where that is not said. */
  readonly retryAfter: number
}

/** The event of a webhook, or an error where its signature is not good. `body` is the text as it came. */
export declare function verifyWebhook<Event = unknown>(
  secret: string,
  headers: Headers | Record<string, string | undefined>,
  body: string,
  options?: { toleranceSeconds?: number; now?: Date },
): Promise<Event>
export declare function makeCall(
  options: Options,
): (endpoint: readonly unknown[], input?: object, options?: CallOptions) => Promise<unknown>
