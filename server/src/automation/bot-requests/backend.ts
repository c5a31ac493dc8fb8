import type { Ticket } from '@recado/contract/tickets'
import type { Scope } from '../../kernel/data/scope.ts'
import type { ImmediateAction } from '../bots/bot.ts'
import type { LineRules, Rulebook } from '../rulebook.ts'

/** What somebody is asked for a bot. It stands in no transaction and on no line's lane: it may take its time. */
export type BotRequest<About> = {
  /** The same in every try, for machines that know what they were asked before. */
  id: number
  about: About
  ticket: Ticket
  book: Rulebook
  line: LineRules
  /** For reading what was said. What is to be done is the answer. */
  scope: Scope
  /** Nobody waits any more: the time is over, or the house closes. */
  signal: AbortSignal
}

/** Somebody who can be asked: a model, a flow, another company's program. */
export type BotBackend<About = unknown> = {
  name: string
  /** One try may take so long. */
  patienceMs?: number
  /** So often in all, with growing pauses; then people take over. */
  tries?: number
  /** What to do now; null: nothing. It is done if the ticket is still as it was when the bot asked. */
  answer(question: BotRequest<About>): Promise<ImmediateAction | null>
  /** Where people find a ticket without a queue when nobody answers; null: where the line has such tickets. */
  home?(scope: Scope, about: About): Promise<number | null>
}

/** Trying again would not help. The words are for admins. */
export class PermanentBotError extends Error {}
/** Trying again may help, but not before this. The words are for admins. */
export class RetryLaterError extends Error {
  readonly afterMs: number
  constructor(message: string, afterMs: number) {
    super(message)
    this.afterMs = afterMs
  }
}

/** The part of a deed that asks. */
export const requestTo = <About>(asker: BotBackend<About>, about: About) => ({ ask: asker.name, about })
