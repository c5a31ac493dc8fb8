import type { Ticket } from '@recado/contract/tickets'
import type { Scope } from '../../kernel/data/scope.ts'
import type { ImmediateAction } from '../bot-actions/bot.ts'
import type { LineRules, Rulebook } from '../rulebook.ts'

/** A question on behalf of a bot. It is outside of any transaction and lane, so it may take long. */
export type BotRequest<About> = {
  /** The same in every try, so that integrations can recognize repeated questions. */
  id: number
  input: About
  ticket: Ticket
  rulebook: Rulebook
  line: LineRules
  /** For reading the conversation. Actions are returned as the answer. */
  scope: Scope
  /** Aborted when the time is over or the server closes. */
  signal: AbortSignal
}

/** Answers questions: a model, a flow, an external service. */
export type BotBackend<About = unknown> = {
  name: string
  /** Timeout of one try. */
  timeoutMs?: number
  /** Number of tries, with growing pauses; then agents take over. */
  maxAttempts?: number
  /** The next action; null: nothing. It is performed only if the ticket is unchanged since the bot asked. */
  answer(question: BotRequest<About>): Promise<ImmediateAction | null>
  /** The queue for a ticket without one when nobody answers; null: the line's default for such tickets. */
  findFallbackQueue?(scope: Scope, input: About): Promise<number | null>
}

/** Retrying would not help. The message is for admins. */
export class PermanentBotError extends Error {}
/** Retrying may help, but not before this. The message is for admins. */
export class RetryLaterError extends Error {
  readonly retryAfterMs: number
  constructor(message: string, afterMs: number) {
    super(message)
    this.retryAfterMs = afterMs
  }
}

/** The part of an action that asks. */
export const requestTo = <About>(backend: BotBackend<About>, input: About) => ({ backend: backend.name, input: input })
