import type { Connection } from '@recado/contract/connections'
import {
  firstMenuTurn,
  isTextOfTemplate,
  type Menu,
  type MenuPosition,
  type MenuQueue,
  type MenuTurn,
  type MenuWords,
  maxWrongAnswers,
  menuOptionsAt,
  nextMenuTurn,
  onlyQueueGreeting,
  playMenuConversation,
} from '@recado/contract/menu/menu'
import type { MenuStep } from '@recado/contract/queues'
import { compareQueues } from '../compare-queues.ts'

/**
 * One message of the customer on the preview phone, with the bot's reaction. `greeting`: sent before it by a line with
 * one queue; it is not part of the menu, so it is not saved with a test.
 */
export type MenuExchange = { customer: string; greeting: string; say: string[]; turn: MenuTurn | null }

/** Plays the whole conversation as the server would. Messages after the bot has ended are for a person. */
export function simulateMenu(
  menu: Menu,
  words: MenuWords,
  lines: string[],
  {
    repeats = maxWrongAnswers,
    greetsOnlyQueue = false,
  }: { repeats?: number | undefined; greetsOnlyQueue?: boolean } = {},
): MenuExchange[] {
  let position: MenuPosition | null = null
  let isOver = false
  return lines.map((customer, i) => {
    const greeting = i === 0 && greetsOnlyQueue ? onlyQueueGreeting(menu) : ''
    if (isOver) return { customer, greeting, say: [], turn: null }
    const limits = { repeats, resting: false }
    const turn: MenuTurn | null = position
      ? nextMenuTurn(menu, words, limits, position, customer)
      : firstMenuTurn(menu, words)
    isOver = !turn?.held
    position = turn?.held ? turn.place : null
    return { customer, greeting, say: turn?.say ?? [], turn }
  })
}

/** When customers receive the greeting of a queue. */
export type GreetingUse = 'above-menu' | 'when-chosen' | 'at-first' | 'replaced-by-line' | 'never'

/** When the server sends the greeting of this queue of the menu. */
export function findGreetingUse(menu: Menu, queueId: number, greetsOnlyQueue: boolean): GreetingUse {
  const queue = menu.queues.find(({ id }) => id === queueId)
  if (queue && menuOptionsAt(queue, null).length > 0) return 'above-menu'
  if (menu.queues.length > 1) return 'when-chosen'
  if (!greetsOnlyQueue) return 'never'
  return menu.greeting ? 'replaced-by-line' : 'at-first'
}

/** The customer's messages that reach an option: a greeting, the queue if there are several, then the numbers. */
export function linesLeadingTo(menu: Menu, queueId: number, hello: string, numbers: number[]): string[] {
  const at = menu.queues.findIndex((queue) => queue.id === queueId)
  const queue = menu.queues.length > 1 ? [at + 1] : []
  return [hello, ...[...queue, ...numbers].map(String)]
}

/** Whether a saved conversation has the same answers with the form's menu. */
export function isMenuTestPassing(steps: MenuStep[], menu: Menu, words: MenuWords): boolean {
  const now = playMenuConversation(
    menu,
    words,
    steps.map((step) => step.customer),
  )
  return steps.every(({ bot }, i) => {
    const said = now[i] ?? []
    return said.length === bot.length && said.every((template, k) => isTextOfTemplate(template, bot[k] ?? ''))
  })
}

export type OrderedMenuQueue = MenuQueue & { orderQueue: number | null }
/** The menu of this line's customers, with the queue as in the form. Without a line, the menu has only this queue. */
export function menuOfLine(line: Connection | null, draft: OrderedMenuQueue, others: OrderedMenuQueue[]): Menu {
  const has = (id: number) => line?.queues.some((queue) => queue.id === id)
  if (!line || !has(draft.id)) return { greeting: '', queues: [draft] }
  const queues = [draft, ...others.filter(({ id }) => id !== draft.id && has(id))].sort(compareQueues)
  return { greeting: line.greetingMessage, queues }
}

/** Fills in sample values for the variables. */
export const fillVariables = (text: string, sample: Record<string, string>): string =>
  text.replace(/\{\{\s*(\w+)\s*\}\}/g, (typed, name: string) => sample[name] ?? typed)
