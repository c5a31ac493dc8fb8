import type { TicketDetail } from '@recado/contract/tickets'
import { sendBotMessage } from '../../desk/bot-message.ts'
import { recordMenuStep } from '../../desk/menu-steps.ts'
import {
  askRatingAgain,
  askRatingComment,
  deleteRatingRequest,
  sendCompletionMessage,
  storeRating,
  storeRatingComment,
} from '../../desk/rating.ts'
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

/** Performs an action. The ticket changes before the messages are sent, because messages name its new queue. */
export async function performAction(scope: Scope, turn: ActionContext, action: ImmediateAction): Promise<TicketDetail> {
  if (action.ratingAnswer) await storeRatingAnswer(scope, turn, action.ratingAnswer)
  if (action.ratingAnswer) return turn.ticket
  if (action.menuAnswer)
    await recordMenuStep(scope, turn.ticket, action.menuAnswer, action.menuAnswer.isValid ? 'right' : 'wrong')
  const ticket = await changeTicketState(scope, turn.ticket, action)
  if (action.tagIds?.length) await addTags(scope, ticket, action.tagIds)
  for (const [n, one] of action.messages.entries()) {
    const choices = n === action.messages.length - 1 ? (action.choices ?? null) : null
    const { text, ...more } = typeof one === 'string' ? { text: one } : one
    await sendBotMessage(scope, ticket, action.messageBot ?? action.bot ?? 'bot', text, {
      choices,
      allowRepeat: action.allowRepeat,
      ...more,
    })
  }
  return action.closesTicket
    ? resolveTicket(scope, ticket, action.bot === 'menu' ? endedByMenu : endedByAutomation)
    : ticket
}

/** Adds tags; tags of other companies and deleted tags are left out. */
async function addTags(scope: Scope, ticket: TicketDetail, tagIds: number[]): Promise<void> {
  const known = await scope.db
    .selectFrom('tags')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', tagIds)
    .execute()
  if (known.length) await changeTags(scope, ticket, { add: known.map(({ id }) => id) }, { why: 'by-machine' })
}

async function changeTicketState(scope: Scope, ticket: TicketDetail, action: ImmediateAction): Promise<TicketDetail> {
  const { queueId = ticket.queueId, stateChange = {}, handsOver } = action
  if (action.userId) return transferTicket(scope, ticket, { queueId, userId: action.userId }, 'by-machine')
  const values = { ...stateChange, queueId, ...(handsOver && stoppedBotState) }
  const botStarts = stateChange.chatbot === true && !ticket.chatbot
  const seen = queueId !== ticket.queueId || botStarts || (handsOver && ticket.chatbot)
  if (!seen) {
    await updateTicketQuietly(scope, ticket.id, values)
    return ticket
  }
  const after = await changeTicket(scope, ticket, values)
  // From here on the bot is active, or the customer waits for an agent. If no bot was active, the customer's wait began
  // with the ticket.
  if (handsOver && ticket.chatbot) await startNextSegment(scope, after, 'bot', { queuedAt: scope.now() })
  else await trackSegment(scope, after, botStarts ? { chatbotAt: scope.now() } : {})
  return after
}

async function storeRatingAnswer(
  scope: Scope,
  { pendingRating, ticket }: ActionContext,
  answer: RatingAnswer,
): Promise<void> {
  if (!pendingRating) return
  if (answer.kind === 'ask-again') return askRatingAgain(scope, ticket, pendingRating.scale)
  const isAlone = pendingRating.alone && !pendingRating.completed
  if (answer.kind === 'commented') await storeRatingComment(scope, pendingRating, answer.text)
  else if (answer.kind === 'rated') {
    const ratingId = await storeRating(scope, pendingRating, answer.rate)
    if (isAlone && (await askRatingComment(scope, ticket, ratingId))) return
  } else await deleteRatingRequest(scope, ticket.id)
  // No farewell is sent if the customer wrote again in between, because the customer waits for an agent.
  if (isAlone) await sendCompletionMessage(scope, ticket)
}
