import type { z } from 'zod'
import { toStorableJson } from '../../kernel/data/storable-json.ts'
import { parseForeignJson } from '../../kernel/json/foreign-json.ts'
import type { OutgoingClient, OutgoingReply } from '../../kernel/outgoing/outgoing-client.ts'

/** How a machine is called: in whose name, for how long and what is written down of it is the caller's matter. */
export type CallExternal = (address: string, call: CallExternalOptions) => Promise<OutgoingReply>
export type CallExternalOptions = Omit<Parameters<OutgoingClient['call']>[1], 'companyId' | 'signal'> & {
  /** What is kept of the question, where that is not its body; of a secret one nothing is kept, nor of its answer. */
  kept?: string
  isSecret?: true
}

/** The machine answered, and nobody can make sense of it; or it said that it will not. The words are for admins. */
export class BadAnswerError extends Error {
  /** It might go better in a moment. */
  readonly passing: boolean
  constructor(message: string, passing = false) {
    super(message)
    this.passing = passing
  }
}

/** The session is not there any more: it is worth beginning anew, once. */
export class SessionGoneError extends BadAnswerError {}

/** Whole signs: half an emoji is none. */
export const truncateChars = (text: string, signs: number): string =>
  [...text.slice(0, 2 * signs)].slice(0, signs).join('')

/** What somebody else wrote, without what the database cannot keep. */
export const parseStorableJson = (text: string): unknown =>
  toStorableJson(parseForeignJson(text, { bytes: 1024 * 1024, values: 10_000 })).value

/** As much of somebody's words as helps an admin. */
export const toExcerpt = (words: string): string =>
  truncateChars(toStorableJson(words.slice(0, 2000)).value.replace(/\s+/g, ' ').trim(), 200)

/** Where something does not fit its shape, in a line. */
export const describeMisfit = (error: z.ZodError): string =>
  error.issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length ? `${path.join('.')}: ${message}` : message))
    .join('; ')
