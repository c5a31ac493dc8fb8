import { answered, keyIn } from './answer.ts'

/**
 * The customer's menu as a pure function: the server answers with it, the queue form plays it on its phone, and saved
 * conversations are run through it again when it changes.
 */
export const leads = ['person', 'queue', 'end'] as const
/** What a leaf does after its message: wait for a person, pass to another queue, or end the conversation. */
export type Leads = (typeof leads)[number]

export type MenuOption = {
  id: number
  parentId: number | null
  option: number
  title: string
  message: string
  leads: Leads
  forwardQueueId: number | null
}
/** `options`: all of its levels, siblings in their order. */
export type MenuQueue = { id: number; name: string; greetingMessage: string; options: MenuOption[] }
export type Menu = { greeting: string; queues: MenuQueue[] }
export type MenuWords = { choose: string; back: string; main: string; wrong: string; toPerson: string }
/** `repeats`: how often the main menu may go out again, 0 for ever. `resting`: it went out so lately that it must not yet. */
export type MenuLimits = { repeats: number; resting: boolean }

/** Where the customer stands: in the main menu without a queue, at its top without an option. */
export type MenuPlace = { queueId: number | null; optionId: number | null; wrong: number; menus: number }
export type MenuWhy = 'asked' | 'queue-chosen' | 'option-chosen' | 'back' | 'main-menu' | 'wrong-answer' | 'resting'
export type LeaveWhy =
  | 'queue-chosen'
  | 'option-chosen'
  | 'too-many-wrong-answers'
  | 'menu-sent-too-often'
  | 'menu-is-gone'
/** `entered`: the queue that was reached by this answer. */
export type MenuTurn = { say: string[]; entered?: number } & (
  | { held: true; why: MenuWhy; place: MenuPlace }
  | { held: false; why: LeaveWhy; queueId: number | null; ends: boolean }
)

/** A wrong answer repeats the menu this often; the next one is for a person. */
export const mostWrong = 3

export const startPlace: MenuPlace = { queueId: null, optionId: null, wrong: 0, menus: 0 }

/** One after the other, since drafts may have gaps: what shares a number with an earlier one cannot be chosen. */
export const choicesAt = (queue: MenuQueue, parentId: number | null): MenuOption[] =>
  queue.options.filter((o) => o.parentId === parentId).sort((a, b) => a.option - b.option || a.id - b.id)

const line = (key: string | number, title: string) => `*${key}* ${title}`
const paragraphs = (...parts: string[]) => parts.filter(Boolean).join('\n\n')

export const mainText = (menu: Menu, words: MenuWords): string =>
  paragraphs(
    menu.greeting,
    [words.choose, ...menu.queues.map((q, i) => line(i + 1, q.name))].filter(Boolean).join('\n'),
  )

export function nodeText(menu: Menu, queue: MenuQueue, optionId: number | null, words: MenuWords): string {
  const message =
    optionId === null ? queue.greetingMessage : (queue.options.find((o) => o.id === optionId)?.message ?? '')
  const several = menu.queues.length > 1
  const lines = [
    words.choose,
    ...choicesAt(queue, optionId).map((o) => line(o.option, o.title)),
    optionId === null ? '' : line(0, words.back),
    several || optionId !== null ? line('#', words.main) : '',
  ]
  return paragraphs(message, lines.filter(Boolean).join('\n'))
}

/** A menu for lines that have buttons: what stands above them, and under each the key that a customer would type. */
export type MenuChoices = { text: string; button: string; options: { key: string; title: string }[] }

/** The choices of a menu that was said in words; null where those were not its words. */
export function choicesSaid(menu: Menu, words: MenuWords, place: MenuPlace, text: string): MenuChoices | null {
  const queue = menu.queues.find((q) => q.id === place.queueId)
  if (place.queueId !== null && !queue) return null
  const whole = queue ? nodeText(menu, queue, place.optionId, words) : mainText(menu, words)
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
  const own = choicesAt(queue, optionId).map((o) => ({ key: String(o.option), title: o.title }))
  const back = optionId === null ? [] : [{ key: '0', title: words.back }]
  const home = menu.queues.length > 1 || optionId !== null ? [{ key: '#', title: words.main }] : []
  return [message, [...own, ...back, ...home]]
}

type Choice<T> = { key: string; title: string; means: T }

/**
 * Which of the choices was meant: its number first, for a title may be a number too; then its title; then both, as the
 * menu's own line says them.
 */
function chosenOf<T>(choices: Choice<T>[], said: string): T | null {
  const found = keyIn(said)
  const numbered = choices.find(({ key }) => key === found?.key)
  const named = said === '' ? undefined : choices.find(({ title }) => answered(title) === said)
  if (found?.rest === '' && numbered) return numbered.means
  if (named) return named.means
  return numbered && found?.rest === answered(numbered.title) ? numbered.means : null
}

type Scene = { menu: Menu; words: MenuWords; limits: MenuLimits; place: MenuPlace }

/** The customer's answer; null for what is no text at all. */
export function walk(
  menu: Menu,
  words: MenuWords,
  limits: MenuLimits,
  place: MenuPlace,
  answer: string | null,
): MenuTurn {
  const scene = { menu, words, limits, place }
  const said = answered(answer ?? '')
  if (place.queueId === null) {
    // They stood in a queue that is gone: what they typed was not meant for the main menu.
    if (!place.menus) return sendMain(scene, 'main-menu')
    const queues = menu.queues.map((q, i) => ({ key: String(i + 1), title: q.name, means: q }))
    const chosen = chosenOf(queues, said)
    return chosen ? enter(scene, chosen) : wrong(scene, null)
  }
  const queue = menu.queues.find((q) => q.id === place.queueId)
  const known = place.optionId === null || queue?.options.some((o) => o.id === place.optionId)
  // Somebody changed the menu under the customer's feet.
  if (!queue || !known || !choicesAt(queue, place.optionId).length) return handOver(scene, 'menu-is-gone')
  const chosen = chosenOf<() => MenuTurn>(
    [
      ...choicesAt(queue, place.optionId)
        .filter((o) => o.option !== 0)
        .map((o) => ({ key: String(o.option), title: o.title, means: () => choose(scene, queue, o) })),
      { key: '0', title: words.back, means: () => back(scene, queue) },
      { key: '#', title: words.main, means: () => home(scene, queue) },
    ],
    said,
  )
  return chosen ? chosen() : wrong(scene, queue)
}

/** The first word: the main menu, or with a single queue its own. Null where there is nothing to ask. */
export function begin(menu: Menu, words: MenuWords): MenuTurn | null {
  const [only, ...others] = menu.queues
  const scene = { menu, words, limits: { repeats: 0, resting: false }, place: startPlace }
  if (others.length) return sendMain(scene, 'asked')
  return only && choicesAt(only, null).length ? stand(scene, only, null, 'asked') : null
}

function stand({ menu, words, place }: Scene, queue: MenuQueue, optionId: number | null, why: MenuWhy): MenuTurn {
  const here = { ...place, queueId: queue.id, optionId, wrong: 0 }
  return { held: true, why, place: here, say: [nodeText(menu, queue, optionId, words)] }
}

function sendMain(scene: Scene, why: MenuWhy): MenuTurn {
  const { menu, words, limits, place } = scene
  if (limits.repeats && place.menus > limits.repeats) return handOver(scene, 'menu-sent-too-often')
  const here = { queueId: null, optionId: null, wrong: 0, menus: place.menus + 1 }
  return { held: true, why, place: here, say: [mainText(menu, words)] }
}

function enter(scene: Scene, queue: MenuQueue): MenuTurn {
  const fresh = { ...scene, place: { ...scene.place, menus: 0 } }
  if (choicesAt(queue, null).length) return { ...stand(fresh, queue, null, 'queue-chosen'), entered: queue.id }
  const say = queue.greetingMessage ? [queue.greetingMessage] : []
  return { held: false, why: 'queue-chosen', queueId: queue.id, ends: false, say, entered: queue.id }
}

function choose(scene: Scene, queue: MenuQueue, option: MenuOption): MenuTurn {
  if (choicesAt(queue, option.id).length) return stand(scene, queue, option.id, 'option-chosen')
  const ends = option.leads === 'end'
  const elsewhere = option.leads === 'queue' && option.forwardQueueId !== null
  const words = option.message || (ends ? '' : scene.words.toPerson)
  return {
    held: false,
    why: 'option-chosen',
    queueId: elsewhere ? option.forwardQueueId : queue.id,
    ends,
    say: words ? [words] : [],
  }
}

function home(scene: Scene, queue: MenuQueue): MenuTurn {
  if (scene.menu.queues.length > 1) return sendMain(scene, 'main-menu')
  return scene.place.optionId === null ? wrong(scene, queue) : stand(scene, queue, null, 'main-menu')
}

function back(scene: Scene, queue: MenuQueue): MenuTurn {
  const { optionId } = scene.place
  if (optionId === null) return scene.menu.queues.length > 1 ? sendMain(scene, 'main-menu') : wrong(scene, queue)
  const parentId = queue.options.find((o) => o.id === optionId)?.parentId ?? null
  return stand(scene, queue, parentId, 'back')
}

/** Each time a little different: nobody likes to hear the very same words again. */
function wrong(scene: Scene, queue: MenuQueue | null): MenuTurn {
  const { menu, words, limits, place } = scene
  const count = place.wrong + 1
  if (count > mostWrong) return handOver(scene, 'too-many-wrong-answers')
  const here = { ...place, wrong: count }
  if (!queue && limits.resting) return { held: true, why: 'resting', place: here, say: [] }
  if (!queue && limits.repeats && place.menus > limits.repeats) return handOver(scene, 'menu-sent-too-often')
  const hint = count > 1 ? `${words.wrong} (${count}/${mostWrong})` : words.wrong
  const text = queue ? nodeText(menu, queue, place.optionId, words) : mainText(menu, words)
  return {
    held: true,
    why: 'wrong-answer',
    place: { ...here, menus: queue ? place.menus : place.menus + 1 },
    say: [paragraphs(hint, text)],
  }
}

const handOver = ({ words, place }: Scene, why: LeaveWhy): MenuTurn => ({
  held: false,
  why,
  queueId: place.queueId,
  ends: false,
  say: [words.toPerson],
})

/** A whole conversation, each line of the customer with what the bot answers. The first one only makes it begin. */
export function play(menu: Menu, words: MenuWords, lines: string[], repeats = mostWrong): string[][] {
  let place: MenuPlace | null = null
  let over = false
  return lines.map((text) => {
    if (over) return []
    const limits = { repeats, resting: false }
    const turn: MenuTurn | null = place ? walk(menu, words, limits, place, text) : begin(menu, words)
    over = !turn?.held
    place = turn?.held ? turn.place : null
    return turn?.say ?? []
  })
}

/** Whether a text that went out is what this template says today: what fills a `{{variable}}` may be anything. */
export function fits(template: string, text: string): boolean {
  const [first = '', ...rest] = template.split(/\{\{\s*\w+\s*\}\}/)
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  // Each part as early as it can stand: if the template fits at all, it fits so.
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at + last.length <= text.length
}
