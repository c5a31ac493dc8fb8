import type { Ticket } from '@recado/contract/tickets'
import type { Scope } from '../../kernel/data/scope.ts'
import type { ImmediateAction } from '../bot-actions/bot.ts'
import type { LineRules, Rulebook } from '../rulebook.ts'

/** A request on behalf of a bot. It runs outside of any transaction and lane, so it may take long. */
export type BotRequest<About> = {
  /** The id is the same in every attempt, so that integrations can recognize duplicate requests. */
  id: number
  input: About
  ticket: Ticket
  rulebook: Rulebook
  line: LineRules
  /** The scope for reading the conversation. Actions are not made here, but returned as the answer. */
  scope: Scope
  /** Aborted when the timeout is reached or the server closes. */
  signal: AbortSignal
}

/** Answers bot requests: a model, a flow or an external service. */
export type BotBackend<About = unknown> = {
  name: string
  /** Timeout of one attempt. */
  timeoutMs?: number
  /** Number of attempts, with growing pauses; after the last one agents take over. */
  maxAttempts?: number
  /**
   * Returns the next action; null: no action. The action is performed only if the ticket is unchanged since the request
   * was written.
   */
  answer(question: BotRequest<About>): Promise<ImmediateAction | null>
  /**
   * The queue to which a ticket without a queue goes if the backend does not answer; null: the line's default queue.
   */
  findFallbackQueue?(scope: Scope, input: About): Promise<number | null>
}

/** An error that a retry would not fix. The message is for admins. */
export class PermanentBotError extends Error {}
/** An error that a retry may fix, but not before `retryAfterMs`. The message is for admins. */
export class RetryLaterError extends Error {
  readonly retryAfterMs: number
  constructor(message: string, afterMs: number) {
    super(message)
    this.retryAfterMs = afterMs
  }
}

/** The fields of an action that write a bot request. */
export const requestTo = <About>(backend: BotBackend<About>, input: About) => ({ backend: backend.name, input: input })
