import type { BotAction, DeferredAction, ImmediateAction, Turn } from '../bot-actions/bot.ts'
import { type AutoResponder, autoResponderOf } from '../rulebook.ts'

/** The input of the bot backends `prompt` and `integration`. */
export type AutoResponderTurn = {
  id: number
  /** The customer's message; null if it is not text. */
  text: string | null
  /** Whether the conversation with the AI starts with this message. */
  begins: boolean
  /** The customer came from a menu: the message was a choice, not a question. */
  chose: boolean
}

/**
 * Answers a ticket that has a prompt or an integration, or whose line has one and no queues. After a menu choice, the
 * conversation starts with that choice (`enterAutoResponder`).
 */
export function autoResponderBot(turn: Turn): DeferredAction | null {
  const { ticket, line, state } = turn
  if (state.botLeft) return null
  const activeResponder = ticket.useIntegration ? autoResponderOf(ticket) : null
  if (activeResponder) return askAutoResponder(turn, activeResponder, { begins: false, chose: false })
  const own = autoResponderOf(line)
  if (!own || line.queueIds.length || ticket.queueId !== null) return null
  return askAutoResponder(turn, own, { begins: true, chose: false })
}

/** Starts the AI if the menu led to a queue with an AI, which answers instead of agents. */
export function enterAutoResponder(turn: Turn, action: BotAction | null): BotAction | null {
  if (!action || 'backend' in action || !menuBots.includes(action.bot ?? '') || !action.handsOver) return action
  const queue = turn.rulebook.queues.get(action.queueId ?? turn.ticket.queueId ?? 0)
  const queueResponder = queue && autoResponderOf(queue)
  if (!queue || !queueResponder) return action
  const deferred = askAutoResponder(turn, queueResponder, { begins: true, chose: action.bot === 'menu' })
  const say = action.messages.filter((text) => text !== turn.rulebook.botTexts.menu.toPerson)
  const carriedOver = {
    ...(action.messageBot && { messageBot: action.messageBot }),
    ...(action.menuAnswer && { menuAnswer: action.menuAnswer }),
  }
  return { ...deferred, why: action.why, messages: say, queueId: queue.id, ...carriedOver }
}
const menuBots = ['menu', 'greeting']

/** A line with one queue and no menu has nothing to choose: its AI starts with the first message. */
export function onlyQueueBot(turn: Turn): BotAction | null {
  const { line, ticket, state, rulebook } = turn
  const [only] = line.queueIds
  if (state.botLeft || line.queueIds.length !== 1 || (ticket.queueId ?? only) !== only) return null
  const queue = rulebook.queues.get(only as number)
  const queueResponder = queue && autoResponderOf(queue)
  return queue && queueResponder
    ? { ...askAutoResponder(turn, queueResponder, { begins: true, chose: false }), queueId: queue.id }
    : null
}

function askAutoResponder(
  { text }: Turn,
  it: AutoResponder,
  start: Pick<AutoResponderTurn, 'begins' | 'chose'>,
): DeferredAction {
  const about: AutoResponderTurn = { id: 'promptId' in it ? it.promptId : it.integrationId, text, ...start }
  const stateChange: ImmediateAction['stateChange'] = {
    chatbot: true,
    useIntegration: true,
    promptId: 'promptId' in it ? it.promptId : null,
    integrationId: 'promptId' in it ? null : it.integrationId,
  }
  const name = 'promptId' in it ? 'prompt' : 'integration'
  return {
    bot: name,
    why: start.begins ? 'machine-begins' : 'machine-asked',
    backend: name,
    input: about,
    stateChange: stateChange,
  }
}
