import { type AutoResponder, autoResponderOf } from '../rulebook.ts'
import type { BotAction, DeferredAction, ImmediateAction, Turn } from './bot.ts'

/** What the askers `prompt` and `integration` are told. */
export type AutoResponderTurn = {
  id: number
  /** What the customer wrote; null where it was no text. */
  text: string | null
  /** Their conversation with the machine begins with this. */
  begins: boolean
  /** They came by choosing from a menu: what they wrote was a choice, and no question yet. */
  chose: boolean
}

/**
 * A prompt or an integration has the ticket, or a line without queues has one. Where it is chosen from a menu it begins
 * with that choice (`entering`).
 */
export function autoResponderBot(turn: Turn): DeferredAction | null {
  const { ticket, line, state } = turn
  if (state.botLeft) return null
  const held = ticket.useIntegration ? autoResponderOf(ticket) : null
  if (held) return askAutoResponder(turn, held, { begins: false, chose: false })
  const own = autoResponderOf(line)
  if (!own || line.queueIds.length || ticket.queueId !== null) return null
  return askAutoResponder(turn, own, { begins: true, chose: false })
}

/** The menu led to a queue where a machine answers: it does, in place of people. */
export function enterAutoResponder(turn: Turn, deed: BotAction | null): BotAction | null {
  if (!deed || 'ask' in deed || !menuBots.includes(deed.bot ?? '') || !deed.leaves) return deed
  const queue = turn.book.queues.get(deed.queueId ?? turn.ticket.queueId ?? 0)
  const there = queue && autoResponderOf(queue)
  if (!queue || !there) return deed
  const begun = askAutoResponder(turn, there, { begins: true, chose: deed.bot === 'menu' })
  const say = deed.say.filter((text) => text !== turn.book.wording.menu.toPerson)
  const kept = { ...(deed.as && { as: deed.as }), ...(deed.heard && { heard: deed.heard }) }
  return { ...begun, why: deed.why, say, queueId: queue.id, ...kept }
}
const menuBots = ['menu', 'greeting']

/** A line of one queue without a menu has nothing to choose: its machine begins with the first word. */
export function onlyQueueBot(turn: Turn): BotAction | null {
  const { line, ticket, state, book } = turn
  const [only] = line.queueIds
  if (state.botLeft || line.queueIds.length !== 1 || (ticket.queueId ?? only) !== only) return null
  const queue = book.queues.get(only as number)
  const there = queue && autoResponderOf(queue)
  return queue && there ? { ...askAutoResponder(turn, there, { begins: true, chose: false }), queueId: queue.id } : null
}

function askAutoResponder(
  { text }: Turn,
  it: AutoResponder,
  how: Pick<AutoResponderTurn, 'begins' | 'chose'>,
): DeferredAction {
  const about: AutoResponderTurn = { id: 'promptId' in it ? it.promptId : it.integrationId, text, ...how }
  const marks: ImmediateAction['marks'] = {
    chatbot: true,
    useIntegration: true,
    promptId: 'promptId' in it ? it.promptId : null,
    integrationId: 'promptId' in it ? null : it.integrationId,
  }
  const name = 'promptId' in it ? 'prompt' : 'integration'
  return { bot: name, why: how.begins ? 'machine-begins' : 'machine-asked', ask: name, about, marks }
}
