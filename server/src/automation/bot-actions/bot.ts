import type { MenuChoices } from '@recado/contract/menu/menu'
import type { TicketDetail, TicketEventStep } from '@recado/contract/tickets'
import type { Updateable } from 'kysely'
import type { PendingRating } from '../../desk/rating.ts'
import type { DB } from '../../kernel/data/tables.ts'
import type { Upload } from '../../kernel/files/files.ts'
import type { LineRules, Rulebook } from '../rulebook.ts'
import type { BotState } from './bot-state.ts'

/** Everything a bot may use when a customer writes. The bot decides from this data alone. */
export type Turn = {
  rulebook: Rulebook
  line: LineRules
  ticket: TicketDetail
  state: BotState
  /** The message text; null if the message is not text. */
  text: string | null
  /** When the message was written, by our clock. */
  writtenAt: Date
  now: Date
  /** The ticket was closed a moment ago and is reopened by this message. */
  isReopened: boolean
  /** The rating request that this message may answer, or null. */
  pendingRating: PendingRating | null
}
/** A bot returns its action, or null to let the next bot decide. */
export type Bot = (turn: Turn) => BotAction | null

type BotStateChange = Pick<
  Updateable<DB['tickets']>,
  | 'queueOptionId'
  | 'chosenOptionId'
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

/** A bot's decision: act at once, or send a bot request first. */
export type BotAction = ImmediateAction | DeferredAction

/** A bot message that is more than text. */
export type BotMessage = {
  text: string
  /** Sent with the text as its caption. */
  file?: Upload
  choices?: MenuChoices | null
  /** How long the typing indicator is shown before the message. */
  typingMs?: number
  /** It answers nothing that the customer did. */
  unprompted?: boolean
}

/**
 * Performed as a whole: in the transaction of the message it answers, or in the transaction that ends a bot request.
 */
export type ImmediateAction = {
  /** The bot's name for the ticket events; null: no event, only the ticket state changes. */
  bot: string | null
  why: string
  with?: TicketEventStep['with']
  messages: (string | BotMessage)[]
  /** Sends the messages even if they equal the last message, because something else happened in between. */
  allowRepeat?: true
  /** The choices of the last message, for lines that have buttons. */
  choices?: MenuChoices | null
  /** The bot name stored with the messages, where it is not the bot's own. */
  messageBot?: string
  stateChange?: BotStateChange
  /** The new queue. */
  queueId?: number | null
  /** Tags to add; tags of other companies are ignored. */
  tagIds?: number[]
  /** The bots are done: the ticket waits for an agent. */
  handsOver?: true
  /** The ticket is assigned to this agent at once. */
  userId?: number
  /** The ticket is closed. */
  closesTicket?: true
  ratingAnswer?: RatingAnswer
  /** The customer's answer to a menu, with the menu position that was answered. */
  menuAnswer?: MenuAnswer
}

/** An answer to a menu, for the reports; `isValid`: it was one of the choices. */
export type MenuAnswer = { queueId: number | null; optionId: number | null; isValid: boolean }

/**
 * The bot needs an external answer, which takes time: this action is performed at once, and the bot request is written
 * with the ticket's state in the same transaction. See automation/bot-requests.
 */
export type DeferredAction = Pick<
  ImmediateAction,
  'why' | 'with' | 'messageBot' | 'stateChange' | 'queueId' | 'menuAnswer'
> & {
  bot: string
  /** Sent at once, before the answer arrives. */
  messages?: ImmediateAction['messages']
  /** The name of the bot backend and its input: use `requestTo()` of bot-requests/backend.ts. */
  backend: string
  input: unknown
}

/** The result of an answer to the rating question. */
export type RatingAnswer =
  | { kind: 'rated'; rate: number }
  | { kind: 'commented'; text: string }
  | { kind: 'ask-again' }
  | { kind: 'given-up' }
