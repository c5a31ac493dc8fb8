import type { TicketDetail, TicketEventStep } from '@recado/contract/tickets'
import { makeStep } from '../../desk/tickets/base/tracking.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Bot, BotAction, Turn } from '../bot-actions/bot.ts'
import { loadBotState } from '../bot-actions/bot-state.ts'
import { performAction } from '../bot-actions/perform.ts'
import { insertBotRequest } from '../bot-requests/store.ts'
import { followCustomer, type HeardMessage, passToRun, startFromMessage } from '../flows/runs/customer-message.ts'
import { defaultQueueOf, type Rulebook } from '../rulebook.ts'
import { autoResponderBot, enterAutoResponder, onlyQueueBot } from './auto-responder.ts'
import { greetingBot } from './greeting.ts'
import { findClosedPeriod, hoursBot } from './hours.ts'
import { menuBot } from './menu.ts'
import { parseRating, ratingBot } from './rating.ts'

/** The bots run in this order; the first that acts ends the turn. */
export const defaultBots: readonly Bot[] = [ratingBot, hoursBot, autoResponderBot, menuBot, onlyQueueBot, greetingBot]

export function decideBotAction(turn: Turn, bots: readonly Bot[] = defaultBots): BotAction | null {
  if (turn.state.disableBot && !turn.pendingRating) return skipBots(turn)
  for (const bot of bots) {
    const action = enterAutoResponder(turn, bot(turn))
    if (action) return action
  }
  // No bot acted: from now on the ticket is for agents, and its messages take the fast path.
  return turn.state.botLeft ? null : { bot: null, why: '', messages: [], handsOver: true }
}

/** The contact has bots disabled, but agents must find the ticket all the same. */
function skipBots({ line, ticket, state }: Turn): BotAction | null {
  if (state.botLeft) return null
  const queueId = ticket.queueId ?? defaultQueueOf(line)
  return { bot: 'silent', why: 'bots-are-off-for-this-contact', messages: [], handsOver: true, queueId }
}

/**
 * Runs the flow or the bots in the transaction that stored the message. Bots leave a ticket of an agent unchanged.
 * Returns the ticket's owner and queue afterwards.
 */
export async function runBots(
  scope: Scope,
  rulebook: Rulebook,
  ticket: TicketDetail,
  incoming: Pick<Turn, 'text' | 'writtenAt' | 'isReopened' | 'pendingRating'> & HeardMessage,
  bots?: readonly Bot[],
): Promise<{ steps: TicketEventStep[]; ticket: TicketDetail }> {
  const line = rulebook.lines.get(ticket.whatsappId ?? 0)
  const isWaiting = ticket.status === 'pending' && ticket.userId === null && !ticket.isGroup
  const state = await loadBotState(scope, ticket.id)
  if (!incoming.pendingRating) {
    const mayFollow = isWaiting && state.flowRunId === null && rulebook.flows.length > 0
    const flowRunId = mayFollow ? await followCustomer(scope, ticket) : state.flowRunId
    const flow =
      (await passToRun(scope, rulebook, flowRunId, incoming)) ??
      (isWaiting ? await startFromMessage(scope, rulebook, ticket) : null)
    if (flow) return { steps: [flow], ticket }
  }
  if (!line || (!isWaiting && !incoming.pendingRating)) return { steps: [], ticket }
  const turn = { ...incoming, rulebook, line, ticket, state, now: scope.now() }
  const action = decideBotAction(turn, bots)
  if (!action) return { steps: [], ticket }
  const after = await performAction(scope, turn, { messages: [], ...action })
  if ('backend' in action) await insertBotRequest(scope, ticket.id, action)
  return { steps: action.bot === null ? [] : [makeStep(action.bot, action.why, action.with)], ticket: after }
}

type TicketBotState = Pick<TicketDetail, 'status' | 'isGroup' | 'queueId'> & {
  botLeft: boolean
  awayTold: string | null
}

/** Whether no bot can handle this text, so that the message takes the fast path. */
export function isForPeople(
  rulebook: Rulebook,
  ticket: TicketBotState,
  disableBot: boolean,
  text: string,
  now: Date,
): boolean {
  if (ticket.status === 'open' || ticket.isGroup) return true
  if (!ticket.botLeft) return false
  // The text may answer the rating question that was sent when the last ticket was closed.
  if (rulebook.setting('userRating') === 'enabled' && parseRating(text) !== null) return false
  if (disableBot) return true
  const period = findClosedPeriod(rulebook, ticket.queueId, now)
  return period === null || period === ticket.awayTold
}
