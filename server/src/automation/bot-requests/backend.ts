import type { Ticket } from '@recado/contract/tickets'
import type { Scope } from '../../kernel/data/scope.ts'
import type { ImmediateAction } from '../bot-actions/bot.ts'
import type { LineRules, Rulebook } from '../rulebook.ts'

/** A request on behalf of a bot. It runs outside of any transaction and lane, so it may take long. */
export type BotRequest<About> = {
  /** The same in every attempt, so that integrations can recognize duplicate requests. */
  id: number
  input: About
  ticket: Ticket
  rulebook: Rulebook
  line: LineRules
  /** For reading the conversation. Actions are returned as the answer. */
  scope: Scope
  /** Aborted at the timeout or when the server closes. */
  signal: AbortSignal
}

/** Answers bot requests: a model, a flow or an external service. */
export type BotBackend<About = unknown> = {
  name: string
  /** Timeout of one attempt. */
  timeoutMs?: number
  /** Number of attempts, with growing pauses; after the last one agents take over. */
  maxAttempts?: number
  /** The next action; null: none. It is performed only if the ticket is unchanged since the request was written. */
  answer(question: BotRequest<About>): Promise<ImmediateAction | null>
  /** The queue for a ticket without a queue when nobody answers; null: the line's default queue. */
  findFallbackQueue?(scope: Scope, input: About): Promise<number | null>
}

/** A retry would not help. The message is for admins. */
export class PermanentBotError extends Error {}
/** A retry may help, but not before `retryAfterMs`. The message is for admins. */
export class RetryLaterError extends Error {
  readonly retryAfterMs: number
  constructor(message: string, afterMs: number) {
    super(message)
    this.retryAfterMs = afterMs
  }
}

/** The fields of an action that write a bot request. */
export const requestTo = <About>(backend: BotBackend<About>, input: About) => ({ backend: backend.name, input: input })
