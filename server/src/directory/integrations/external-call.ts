import type { z } from 'zod'
import { toStorableJson } from '../../kernel/data/storable-json.ts'
import { parseForeignJson } from '../../kernel/json/foreign-json.ts'
import type { OutgoingClient, OutgoingReply } from '../../kernel/outgoing/outgoing-client.ts'

/** A call to an external service: the caller decides the company, the timeout and what is recorded. */
export type CallExternal = (address: string, call: CallExternalOptions) => Promise<OutgoingReply>
export type CallExternalOptions = Omit<Parameters<OutgoingClient['call']>[1], 'companyId' | 'signal'> & {
  /** The text to record instead of the request body. `isSecret`: neither the request nor its answer is recorded. */
  kept?: string
  isSecret?: true
}

/** The service answered something unusable, or refused. The message is for admins. */
export class BadAnswerError extends Error {
  /** Whether a retry may help. */
  readonly isTransient: boolean
  constructor(message: string, passing = false) {
    super(message)
    this.isTransient = passing
  }
}

/** The session no longer exists at the service: the caller starts a new session once. */
export class SessionGoneError extends BadAnswerError {}

/** Cuts at whole characters, never inside an emoji. */
export const truncateChars = (text: string, chars: number): string =>
  [...text.slice(0, 2 * chars)].slice(0, chars).join('')

/** Parses untrusted JSON, without characters that PostgreSQL cannot store. */
export const parseStorableJson = (text: string): unknown =>
  toStorableJson(parseForeignJson(text, { bytes: 1024 * 1024, values: 10_000 })).value

/** A short excerpt of an answer, as a hint for an admin. */
export const toExcerpt = (words: string): string =>
  truncateChars(toStorableJson(words.slice(0, 2000)).value.replace(/\s+/g, ' ').trim(), 200)

/** The schema errors in a single row of text. */
export const describeMisfit = (error: z.ZodError): string =>
  error.issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length ? `${path.join('.')}: ${message}` : message))
    .join('; ')
