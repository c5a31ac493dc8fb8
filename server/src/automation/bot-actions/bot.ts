import type { MenuChoices } from '@recado/contract/menu/menu'
import type { TicketDetail, TicketEventStep } from '@recado/contract/tickets'
import type { Updateable } from 'kysely'
import type { PendingRating } from '../../desk/rating.ts'
import type { DB } from '../../kernel/data/tables.ts'
import type { Upload } from '../../kernel/files/files.ts'
import type { LineRules, Rulebook } from '../rulebook.ts'
import type { BotState } from './bot-state.ts'

/** Everything a bot may use when a customer writes. It decides from this alone. */
export type Turn = {
  rulebook: Rulebook
  line: LineRules
  ticket: TicketDetail
  state: BotState
  /** The message; null if it is not text. */
  text: string | null
  /** When it was written, by our clock. */
  writtenAt: Date
  now: Date
  /** The ticket was reopened after it was closed a moment ago. */
  isReopened: boolean
  /** The question this answers, or null. */
  pendingRating: PendingRating | null
}
/** A bot returns its action, or null to leave it to the next. */
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

/** A bot's decision: to act at once, or to ask first. */
export type BotAction = ImmediateAction | DeferredAction

/** A bot message that is more than text. */
export type BotMessage = {
  text: string
  /** Sent with the text as its caption. */
  file?: Upload
  choices?: MenuChoices | null
  /** How long the typing indicator is shown before it. */
  typingMs?: number
}

/** Performed as a whole: in the transaction of the message it answers, or in the one that ends a question. */
export type ImmediateAction = {
  /** The bot's name for the ticket events; null: none, only the ticket state changes. */
  bot: string | null
  why: string
  with?: TicketEventStep['with']
  messages: (string | BotMessage)[]
  /** Send even if it equals the last message: something else happened in between. */
  allowRepeat?: true
  /** The choices of the last message, for lines that have buttons. */
  choices?: MenuChoices | null
  /** The bot name stored with the messages, where it is not the bot's own. */
  messageBot?: string
  stateChange?: BotStateChange
  /** The new queue. */
  queueId?: number | null
  /** Tags to add; those of other companies are ignored. */
  tagIds?: number[]
  /** The bots are done: the ticket waits for an agent. */
  handsOver?: true
  /** Assigned to this agent at once. */
  userId?: number
  /** The ticket is closed. */
  closesTicket?: true
  ratingAnswer?: RatingAnswer
  /** The menu position that the customer answered. */
  menuAnswer?: MenuAnswer
}

/** An answer to a menu, for the reports; `isValid`: it was one of the choices. */
export type MenuAnswer = { queueId: number | null; optionId: number | null; isValid: boolean }

/**
 * An external answer is needed, which takes time: this part is performed at once, and the question is written with the
 * ticket's state in the same transaction. See automation/bot-requests.
 */
export type DeferredAction = Pick<
  ImmediateAction,
  'why' | 'with' | 'messageBot' | 'stateChange' | 'queueId' | 'menuAnswer'
> & {
  bot: string
  /** Sent until the answer comes. */
  messages?: ImmediateAction['messages']
  /** The asker's name and its input: use `requestTo()` of bot-requests/backend.ts. */
  backend: string
  input: unknown
}

/** The result of an answer to the rating question. */
export type RatingAnswer = { kind: 'rated'; rate: number } | { kind: 'ask-again' } | { kind: 'given-up' }
