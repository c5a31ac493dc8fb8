import type { MenuChoices } from '@recado/contract/menu/menu'
import type { TicketDetail, TicketEventStep } from '@recado/contract/tickets'
import type { Updateable } from 'kysely'
import type { PendingRating } from '../../desk/rating.ts'
import type { DB } from '../../kernel/data/tables.ts'
import type { Upload } from '../../kernel/files/files.ts'
import type { LineRules, Rulebook } from '../rulebook.ts'
import type { BotState } from './state.ts'

/** Everything a bot may know of the moment in which a customer wrote. It decides from this alone. */
export type Turn = {
  book: Rulebook
  line: LineRules
  ticket: TicketDetail
  state: BotState
  /** What they wrote; null where it was no text. */
  text: string | null
  /** When they wrote it, by our clock. */
  at: Date
  now: Date
  /** The ticket lives again after it was closed a moment ago. */
  cameBack: boolean
  /** The question that this answers; null where it answers none. */
  asked: PendingRating | null
}
/** A bot: what to do now, or null to leave it to the next. */
export type Bot = (turn: Turn) => BotAction | null

type BotStateChange = Pick<
  Updateable<DB['tickets']>,
  | 'queueOptionId'
  | 'botWrong'
  | 'botMenus'
  | 'botMenuAt'
  | 'awayTold'
  | 'chatbot'
  | 'useIntegration'
  | 'promptId'
  | 'integrationId'
  | 'botSession'
>

/** What a bot decided: to act at once, or to ask somebody first. */
export type BotAction = ImmediateAction | DeferredAction

/** One message of a bot that is more than words. */
export type BotMessage = {
  text: string
  /** With the words under it. */
  file?: Upload
  choices?: MenuChoices | null
  /** They are seen typing for so long before it comes. */
  typeMs?: number
}

/** Done as a whole: in the transaction of the message it answers, or in the one that ends a question. */
export type ImmediateAction = {
  /** Which bot, for the story of the ticket; null: none, only the ticket is marked. */
  bot: string | null
  why: string
  with?: TicketEventStep['with']
  say: (string | BotMessage)[]
  /** They are said even if they are what was said last: something else happened in between. */
  again?: true
  /** What the last of them lets the customer choose, for lines that have buttons. */
  choices?: MenuChoices | null
  /** What the messages are marked with, where it is not the bot's name. */
  as?: string
  marks?: BotStateChange
  /** The queue it belongs to from now on. */
  queueId?: number | null
  /** Those of the company are put on it; others are nobody's. */
  tagIds?: number[]
  /** The bots are done: it waits for a person. */
  leaves?: true
  /** For this person, who has it at once. */
  userId?: number
  /** Nothing is left to do: it is closed. */
  ends?: true
  rating?: RatingAnswer
  /** It answers what the customer said to a menu, where they stood. */
  heard?: MenuAnswer
}

/** An answer to a menu, for the figures: `right` is one that it knows. */
export type MenuAnswer = { queueId: number | null; optionId: number | null; right: boolean }

/**
 * Somebody else has to be asked, which takes its time: what stands here is done at once, and the question is written down
 * with the ticket as it is then, in the same transaction. See automation/asking.
 */
export type DeferredAction = Pick<ImmediateAction, 'why' | 'with' | 'as' | 'marks' | 'queueId' | 'heard'> & {
  bot: string
  /** What is said until the answer comes. */
  say?: ImmediateAction['say']
  /** Whom to ask, by name, and what they are told: use `ask()` of asking/asker.ts. */
  ask: string
  about: unknown
}

/** What an answer to the rating question is worth. */
export type RatingAnswer = { kind: 'rated'; rate: number } | { kind: 'ask-again' } | { kind: 'given-up' }
