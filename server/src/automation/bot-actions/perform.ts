import type { TicketDetail } from '@recado/contract/tickets'
import { sendBotMessage } from '../../desk/bot-message.ts'
import { recordMenuStep } from '../../desk/menu-steps.ts'
import { askRatingAgain, deleteRatingRequest, sendCompletionMessage, storeRating } from '../../desk/rating.ts'
import { stoppedBotState } from '../../desk/tickets/base/bot-state.ts'
import { startNextSegment, trackSegment } from '../../desk/tickets/base/tracking.ts'
import {
  changeTicket,
  endedByAutomation,
  endedByMenu,
  resolveTicket,
  transferTicket,
  updateTicketQuietly,
} from '../../desk/tickets/lifecycle.ts'
import { changeTags } from '../../desk/tickets/tags.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { ImmediateAction, RatingAnswer, Turn } from './bot.ts'

type ActionContext = Pick<Turn, 'ticket' | 'pendingRating'>

/** Performs a decision. The ticket first, then the messages: they name its new queue. */
export async function performAction(scope: Scope, turn: ActionContext, deed: ImmediateAction): Promise<TicketDetail> {
  if (deed.ratingAnswer) await storeRatingAnswer(scope, turn, deed.ratingAnswer)
  if (deed.ratingAnswer) return turn.ticket
  if (deed.menuAnswer)
    await recordMenuStep(scope, turn.ticket, deed.menuAnswer, deed.menuAnswer.isValid ? 'right' : 'wrong')
  const ticket = await changeTicketState(scope, turn.ticket, deed)
  if (deed.tagIds?.length) await addTags(scope, ticket, deed.tagIds)
  for (const [n, one] of deed.messages.entries()) {
    const choices = n === deed.messages.length - 1 ? (deed.choices ?? null) : null
    const { text, ...more } = typeof one === 'string' ? { text: one } : one
    await sendBotMessage(scope, ticket, deed.messageBot ?? deed.bot ?? 'bot', text, {
      choices,
      allowRepeat: deed.allowRepeat,
      ...more,
    })
  }
  return deed.closesTicket
    ? resolveTicket(scope, ticket, deed.bot === 'menu' ? endedByMenu : endedByAutomation)
    : ticket
}

/** Tags of other companies, or deleted meanwhile, are left out. */
async function addTags(scope: Scope, ticket: TicketDetail, tagIds: number[]): Promise<void> {
  const known = await scope.db
    .selectFrom('tags')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', tagIds)
    .execute()
  if (known.length) await changeTags(scope, ticket, { add: known.map(({ id }) => id) }, { why: 'by-machine' })
}

async function changeTicketState(scope: Scope, ticket: TicketDetail, deed: ImmediateAction): Promise<TicketDetail> {
  const { queueId = ticket.queueId, stateChange: marks = {}, handsOver: leaves } = deed
  if (deed.userId) return transferTicket(scope, ticket, { queueId, userId: deed.userId }, 'by-machine')
  const values = { ...marks, queueId, ...(leaves && stoppedBotState) }
  const begins = marks.chatbot === true && !ticket.chatbot
  const seen = queueId !== ticket.queueId || begins || (leaves && ticket.chatbot)
  if (!seen) {
    await updateTicketQuietly(scope, ticket.id, values)
    return ticket
  }
  const after = await changeTicket(scope, ticket, values)
  // From here on the bot is active, or the customer waits for an agent. Without a bot, the wait began with
  // the ticket.
  if (leaves && ticket.chatbot) await startNextSegment(scope, after, 'bot', { queuedAt: scope.now() })
  else await trackSegment(scope, after, begins ? { chatbotAt: scope.now() } : {})
  return after
}

async function storeRatingAnswer(
  scope: Scope,
  { pendingRating: asked, ticket }: ActionContext,
  answer: RatingAnswer,
): Promise<void> {
  if (!asked) return
  if (answer.kind === 'ask-again') return askRatingAgain(scope, ticket)
  if (answer.kind === 'rated') await storeRating(scope, asked, answer.rate)
  else await deleteRatingRequest(scope, ticket.id)
  // No farewell if the customer wrote again in between: they wait for somebody.
  if (asked.alone && !asked.completed) await sendCompletionMessage(scope, ticket)
}
