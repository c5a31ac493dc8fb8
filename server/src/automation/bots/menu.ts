import {
  firstMenuTurn,
  type MenuPosition,
  type MenuTurn,
  nextMenuTurn,
  onlyQueueGreeting,
  parseMenuChoices,
} from '@recado/contract/menu/menu'
import { minutes } from '../../kernel/clock.ts'
import type { ImmediateAction, Turn } from '../bot-actions/bot.ts'
import { buildMenu, defaultQueueOf } from '../rulebook.ts'
import { closedAction } from './hours.ts'

/** Asks customers of a line with several queues where to go, and guides them through the chosen queue's menu. */
export function menuBot(turn: Turn): ImmediateAction | null {
  const { line, state, ticket } = turn
  if (!line.queueIds.length || (state.botLeft && !state.chatbot)) return null
  if (state.chatbot) return continueMenu(turn)
  if (line.queueIds.length > 1) return ticket.queueId === null || wasQueuedAutomatically(turn) ? startMenu(turn) : null
  // A customer who writes again in a ticket that waits in its queue has already been through the menu.
  const [only] = line.queueIds
  const there = ticket.queueId === null || ticket.queueId === only
  return there && !turn.isReopened ? enterOnlyQueue(turn, only as number) : null
}

/** Stored instead of the id of a closed period when the customer phoned before writing anything. */
export const calledMark = 'called'

/**
 * Whether the customer did not choose the queue: a closed period or a call put the ticket there, so that agents find
 * it.
 */
const wasQueuedAutomatically = ({ line, ticket, state, isReopened: cameBack }: Turn): boolean =>
  state.awayTold !== null &&
  !cameBack &&
  (line.transferQueueId === null || state.awayTold === calledMark) &&
  ticket.queueId === defaultQueueOf(line)

function startMenu(turn: Turn): ImmediateAction | null {
  const { rulebook, line, now } = turn
  const firstTurn = firstMenuTurn(buildMenu(rulebook, line), rulebook.botTexts.menu)
  return firstTurn?.held ? stayInMenu(turn, firstTurn.place, firstTurn.say, firstTurn.why, { botMenuAt: now }) : null
}

/** The line has one queue: sends the line's greeting where wanted, and the queue's own menu if it has one. */
function enterOnlyQueue(turn: Turn, queueId: number): ImmediateAction | null {
  const { rulebook, line, ticket } = turn
  const wanted = rulebook.setting('sendGreetingMessageOneQueues') === 'enabled'
  const menu = buildMenu(rulebook, line)
  const firstTurn = firstMenuTurn(menu, rulebook.botTexts.menu)
  const hello = wanted ? onlyQueueGreeting(menu) : ''
  const first = hello ? [hello] : []
  if (firstTurn?.held) return stayInMenu(turn, firstTurn.place, [...first, ...firstTurn.say], firstTurn.why)
  const targetQueueId = ticket.queueId === null ? { queueId } : {}
  if (!first.length) return null
  return {
    bot: 'greeting',
    messageBot: 'welcome',
    why: 'one-queue',
    messages: first,
    handsOver: true,
    ...targetQueueId,
  }
}

function continueMenu(turn: Turn): ImmediateAction | null {
  const { rulebook, line, ticket, state, text, writtenAt: at, now } = turn
  const restMs = minutes(line.timeUseBotQueues)
  const resting = restMs > 0 && state.botMenuAt !== null && now.getTime() < Date.parse(state.botMenuAt) + restMs
  const position: MenuPosition = {
    queueId: ticket.queueId,
    optionId: state.queueOptionId,
    wrong: state.botWrong,
    menus: state.botMenus,
  }
  const limits = { repeats: line.maxUseBotQueues, resting }
  const answer = nextMenuTurn(buildMenu(rulebook, line), rulebook.botTexts.menu, limits, position, text)
  // The message was written before the question arrived, so it is not an answer.
  if (isWrongAnswer(answer) && state.saidAt !== null && at.getTime() < Date.parse(state.saidAt))
    return { bot: 'menu', why: 'written-before-the-question', messages: [] }
  const menuAnswer = menuAnswerOf(position, answer)
  const closed = actionForClosedQueue(turn, answer)
  if (closed) return { ...closed, ...menuAnswer }
  if (answer.held) {
    const stateChange = wasMainMenuSent(position, answer.place) ? { botMenuAt: now } : {}
    return { ...stayInMenu(turn, answer.place, answer.say, answer.why, stateChange), ...menuAnswer }
  }
  const targetQueueId = answer.queueId ?? defaultQueueOf(line)
  const base = { bot: 'menu', why: answer.why, messages: answer.say, queueId: targetQueueId, ...menuAnswer }
  // The option may ask for skills.
  const stateChange = answer.optionId === undefined ? {} : { stateChange: { chosenOptionId: answer.optionId } }
  return answer.ends ? { ...base, closesTicket: true } : { ...base, ...stateChange, handsOver: true }
}

/** The answer leads to a closed queue: sends the closed text at once, after the option's own text. */
function actionForClosedQueue(turn: Turn, answer: MenuTurn): ImmediateAction | null {
  const { rulebook, line, ticket } = turn
  const reached = answer.held ? answer.entered : answer.ends ? undefined : (answer.queueId ?? defaultQueueOf(line))
  if (reached === undefined || reached === null || reached === ticket.queueId) return null
  const closed = closedAction(turn, reached)
  if (!closed) return null
  const own =
    answer.why === 'option-chosen' ? answer.say.filter((text) => text !== rulebook.botTexts.menu.toPerson) : []
  return { ...closed, messages: [...own, ...closed.messages], queueId: reached, handsOver: true }
}

const wrongReasons: string[] = ['wrong-answer', 'resting', 'too-many-wrong-answers', 'menu-sent-too-often']
const isWrongAnswer = (answer: MenuTurn) => wrongReasons.includes(answer.why)
/** Returns no answer for the reports if the menu has changed since the question. */
const menuAnswerOf = (
  { queueId, optionId, menus }: MenuPosition,
  answer: MenuTurn,
): Pick<ImmediateAction, 'menuAnswer'> =>
  answer.why === 'menu-is-gone' || (queueId === null && !menus)
    ? {}
    : { menuAnswer: { queueId, optionId, isValid: !isWrongAnswer(answer) } }
const wasMainMenuSent = (before: MenuPosition, after: MenuPosition) => after.menus > before.menus

const stayInMenu = (
  turn: Turn,
  position: MenuPosition,
  say: string[],
  why: string,
  more: ImmediateAction['stateChange'] = {},
): ImmediateAction => ({
  bot: 'menu',
  why,
  messages: say,
  choices: parseMenuChoices(
    buildMenu(turn.rulebook, turn.line),
    turn.rulebook.botTexts.menu,
    position,
    say.at(-1) ?? '',
  ),
  queueId: position.queueId,
  stateChange: {
    chatbot: true,
    queueOptionId: position.optionId,
    botWrong: position.wrong,
    botMenus: position.menus,
    ...more,
  },
})
