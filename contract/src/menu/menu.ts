import type { MenuLeafAction } from './leaf-actions.ts'
import { findChoice, normalizeAnswer } from './normalize-answer.ts'

/**
 * The customer's menu as a pure function: the server answers with it, the queue form plays it in its phone
 * preview, and saved test conversations are replayed through it when the menu changes.
 */
export type { MenuLeafAction } from './leaf-actions.ts'

export type MenuOption = {
  id: number
  parentId: number | null
  option: number
  title: string
  message: string
  leads: MenuLeafAction
  forwardQueueId: number | null
}
/** `options`: all levels; siblings are in order. */
export type MenuQueue = { id: number; name: string; greetingMessage: string; options: MenuOption[] }
export type Menu = { greeting: string; queues: MenuQueue[] }
export type MenuWords = { choose: string; back: string; main: string; wrong: string; toPerson: string }
/** `repeats`: how often the main menu may be repeated, 0 for no limit. `resting`: it was sent too recently to repeat. */
export type MenuLimits = { repeats: number; resting: boolean }

/** The customer's position: no queue means the main menu, no option means the top of the queue's menu. */
export type MenuPosition = { queueId: number | null; optionId: number | null; wrong: number; menus: number }
export type MenuTurnReason =
  | 'asked'
  | 'queue-chosen'
  | 'option-chosen'
  | 'back'
  | 'main-menu'
  | 'wrong-answer'
  | 'resting'
export type MenuExitReason =
  | 'queue-chosen'
  | 'option-chosen'
  | 'too-many-wrong-answers'
  | 'menu-sent-too-often'
  | 'menu-is-gone'
/** `entered`: the queue that this answer reached. */
export type MenuTurn = { say: string[]; entered?: number } & (
  | { held: true; why: MenuTurnReason; place: MenuPosition }
  /** `optionId`: the chosen option. */
  | { held: false; why: MenuExitReason; queueId: number | null; ends: boolean; optionId?: number }
)

/** A wrong answer repeats the menu this many times; after that a person takes over. */
export const maxWrongAnswers = 3

export const menuStartPosition: MenuPosition = { queueId: null, optionId: null, wrong: 0, menus: 0 }

/** Options sorted by number, since drafts may have gaps. An option with a duplicate number cannot be chosen. */
export const menuOptionsAt = (queue: MenuQueue, parentId: number | null): MenuOption[] =>
  queue.options.filter((o) => o.parentId === parentId).sort((a, b) => a.option - b.option || a.id - b.id)

const line = (key: string | number, title: string) => `*${key}* ${title}`
const paragraphs = (...parts: string[]) => parts.filter(Boolean).join('\n\n')

export const mainMenuText = (menu: Menu, words: MenuWords): string =>
  paragraphs(
    menu.greeting,
    [words.choose, ...menu.queues.map((q, i) => line(i + 1, q.name))].filter(Boolean).join('\n'),
  )

export function menuNodeText(menu: Menu, queue: MenuQueue, optionId: number | null, words: MenuWords): string {
  const message =
    optionId === null ? queue.greetingMessage : (queue.options.find((o) => o.id === optionId)?.message ?? '')
  const several = menu.queues.length > 1
  const lines = [
    words.choose,
    ...menuOptionsAt(queue, optionId).map((o) => line(o.option, o.title)),
    optionId === null ? '' : line(0, words.back),
    several || optionId !== null ? line('#', words.main) : '',
  ]
  return paragraphs(message, lines.filter(Boolean).join('\n'))
}

/** A menu for lines with buttons: the text above them, and for each button the key that a customer would type. */
export type MenuChoices = {
  text: string
  button: string
  options: { key: string; title: string; description?: string }[]
}

/** The choices of a menu that was sent as text; null when the text is not that menu. */
export function parseMenuChoices(menu: Menu, words: MenuWords, place: MenuPosition, text: string): MenuChoices | null {
  const queue = menu.queues.find((q) => q.id === place.queueId)
  if (place.queueId !== null && !queue) return null
  const whole = queue ? menuNodeText(menu, queue, place.optionId, words) : mainMenuText(menu, words)
  if (!text.endsWith(whole)) return null
  const hint = text.slice(0, text.length - whole.length).trim()
  const [message, options] = queue ? nodeChoices(menu, queue, place.optionId, words) : mainChoices(menu)
  return { text: paragraphs(hint, message) || words.choose, button: words.choose, options }
}

type Choices = [message: string, options: MenuChoices['options']]

const mainChoices = (menu: Menu): Choices => [
  menu.greeting,
  menu.queues.map((q, i) => ({ key: String(i + 1), title: q.name })),
]

function nodeChoices(menu: Menu, queue: MenuQueue, optionId: number | null, words: MenuWords): Choices {
  const { message = '' } = queue.options.find((o) => o.id === optionId) ?? { message: queue.greetingMessage }
  const own = menuOptionsAt(queue, optionId).map((o) => ({ key: String(o.option), title: o.title }))
  const back = optionId === null ? [] : [{ key: '0', title: words.back }]
  const home = menu.queues.length > 1 || optionId !== null ? [{ key: '#', title: words.main }] : []
  return [message, [...own, ...back, ...home]]
}

type MenuContext = { menu: Menu; words: MenuWords; limits: MenuLimits; place: MenuPosition }

/** The customer's answer; null for a message without text. */
export function nextMenuTurn(
  menu: Menu,
  words: MenuWords,
  limits: MenuLimits,
  place: MenuPosition,
  answer: string | null,
): MenuTurn {
  const scene = { menu, words, limits, place }
  const said = normalizeAnswer(answer ?? '')
  if (place.queueId === null) {
    // The customer's queue was deleted, so the answer was not meant for the main menu.
    if (!place.menus) return sendMainMenu(scene, 'main-menu')
    const queues = menu.queues.map((q, i) => ({ key: String(i + 1), title: q.name, means: q }))
    const chosen = findChoice(queues, said)
    return chosen ? enterQueue(scene, chosen) : handleWrongAnswer(scene, null)
  }
  const queue = menu.queues.find((q) => q.id === place.queueId)
  const known = place.optionId === null || queue?.options.some((o) => o.id === place.optionId)
  // The menu was changed while the customer was in it.
  if (!queue || !known || !menuOptionsAt(queue, place.optionId).length) return handOverToPerson(scene, 'menu-is-gone')
  const chosen = findChoice<() => MenuTurn>(
    [
      ...menuOptionsAt(queue, place.optionId)
        .filter((o) => o.option !== 0)
        .map((o) => ({ key: String(o.option), title: o.title, means: () => chooseOption(scene, queue, o) })),
      { key: '0', title: words.back, means: () => goBack(scene, queue) },
      { key: '#', title: words.main, means: () => goToMainMenu(scene, queue) },
    ],
    said,
  )
  return chosen ? chosen() : handleWrongAnswer(scene, queue)
}

/** The first message: the main menu, or the queue's menu if there is only one queue. Null if there are no choices. */
export function firstMenuTurn(menu: Menu, words: MenuWords): MenuTurn | null {
  const [only, ...others] = menu.queues
  const scene = { menu, words, limits: { repeats: 0, resting: false }, place: menuStartPosition }
  if (others.length) return sendMainMenu(scene, 'asked')
  return only && menuOptionsAt(only, null).length ? showMenuNode(scene, only, null, 'asked') : null
}

/**
 * The greeting of a line with one queue, if the company sends one there (`sendGreetingMessageOneQueues`): the line's, or
 * else the queue's. A menu already contains the greeting of its queue.
 */
export function onlyQueueGreeting(menu: Menu): string {
  const [only, ...others] = menu.queues
  if (!only || others.length) return ''
  return menu.greeting || (menuOptionsAt(only, null).length ? '' : only.greetingMessage)
}

function showMenuNode(
  { menu, words, place }: MenuContext,
  queue: MenuQueue,
  optionId: number | null,
  why: MenuTurnReason,
): MenuTurn {
  const here = { ...place, queueId: queue.id, optionId, wrong: 0 }
  return { held: true, why, place: here, say: [menuNodeText(menu, queue, optionId, words)] }
}

function sendMainMenu(scene: MenuContext, why: MenuTurnReason): MenuTurn {
  const { menu, words, limits, place } = scene
  if (limits.repeats && place.menus > limits.repeats) return handOverToPerson(scene, 'menu-sent-too-often')
  const here = { queueId: null, optionId: null, wrong: 0, menus: place.menus + 1 }
  return { held: true, why, place: here, say: [mainMenuText(menu, words)] }
}

function enterQueue(scene: MenuContext, queue: MenuQueue): MenuTurn {
  const fresh = { ...scene, place: { ...scene.place, menus: 0 } }
  if (menuOptionsAt(queue, null).length)
    return { ...showMenuNode(fresh, queue, null, 'queue-chosen'), entered: queue.id }
  const say = queue.greetingMessage ? [queue.greetingMessage] : []
  return { held: false, why: 'queue-chosen', queueId: queue.id, ends: false, say, entered: queue.id }
}

function chooseOption(scene: MenuContext, queue: MenuQueue, option: MenuOption): MenuTurn {
  if (menuOptionsAt(queue, option.id).length) return showMenuNode(scene, queue, option.id, 'option-chosen')
  const ends = option.leads === 'end'
  const elsewhere = option.leads === 'queue' && option.forwardQueueId !== null
  const words = option.message || (ends ? '' : scene.words.toPerson)
  return {
    held: false,
    why: 'option-chosen',
    queueId: elsewhere ? option.forwardQueueId : queue.id,
    ends,
    optionId: option.id,
    say: words ? [words] : [],
  }
}

function goToMainMenu(scene: MenuContext, queue: MenuQueue): MenuTurn {
  if (scene.menu.queues.length > 1) return sendMainMenu(scene, 'main-menu')
  return scene.place.optionId === null ? handleWrongAnswer(scene, queue) : showMenuNode(scene, queue, null, 'main-menu')
}

function goBack(scene: MenuContext, queue: MenuQueue): MenuTurn {
  const { optionId } = scene.place
  if (optionId === null)
    return scene.menu.queues.length > 1 ? sendMainMenu(scene, 'main-menu') : handleWrongAnswer(scene, queue)
  const parentId = queue.options.find((o) => o.id === optionId)?.parentId ?? null
  return showMenuNode(scene, queue, parentId, 'back')
}

/** Varies the text, so that a repeated menu does not read exactly the same. */
function handleWrongAnswer(scene: MenuContext, queue: MenuQueue | null): MenuTurn {
  const { menu, words, limits, place } = scene
  const count = place.wrong + 1
  if (count > maxWrongAnswers) return handOverToPerson(scene, 'too-many-wrong-answers')
  const here = { ...place, wrong: count }
  if (!queue && limits.resting) return { held: true, why: 'resting', place: here, say: [] }
  if (!queue && limits.repeats && place.menus > limits.repeats) return handOverToPerson(scene, 'menu-sent-too-often')
  const hint = count > 1 ? `${words.wrong} (${count}/${maxWrongAnswers})` : words.wrong
  const text = queue ? menuNodeText(menu, queue, place.optionId, words) : mainMenuText(menu, words)
  return {
    held: true,
    why: 'wrong-answer',
    place: { ...here, menus: queue ? place.menus : place.menus + 1 },
    say: [paragraphs(hint, text)],
  }
}

const handOverToPerson = ({ words, place }: MenuContext, why: MenuExitReason): MenuTurn => ({
  held: false,
  why,
  queueId: place.queueId,
  ends: false,
  say: [words.toPerson],
})

/** Plays a whole conversation: the bot's answers to each message of the customer. The first message only starts it. */
export function playMenuConversation(
  menu: Menu,
  words: MenuWords,
  lines: string[],
  repeats = maxWrongAnswers,
): string[][] {
  let place: MenuPosition | null = null
  let over = false
  return lines.map((text) => {
    if (over) return []
    const limits = { repeats, resting: false }
    const turn: MenuTurn | null = place ? nextMenuTurn(menu, words, limits, place, text) : firstMenuTurn(menu, words)
    over = !turn?.held
    place = turn?.held ? turn.place : null
    return turn?.say ?? []
  })
}

/** Whether a sent text matches the current template: a `{{variable}}` matches any text. */
export function isTextOfTemplate(template: string, text: string): boolean {
  const [first = '', ...rest] = template.split(/\{\{\s*\w+\s*\}\}/)
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  // Match each part at its earliest position: if the template matches at all, it matches this way.
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at + last.length <= text.length
}
