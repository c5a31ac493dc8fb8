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
  nextMenuTurn,
  playMenuConversation,
} from '@recado/contract/menu/menu'
import type { MenuStep } from '@recado/contract/queues'
import { compareQueues } from '../compare-queues.ts'

/** One message of the customer on the preview phone, with the bot's reaction. */
export type MenuExchange = { customer: string; say: string[]; turn: MenuTurn | null }

/** Plays the whole conversation as the server would. Messages after the bot has ended are for a person. */
export function simulateMenu(menu: Menu, words: MenuWords, lines: string[], repeats = maxWrongAnswers): MenuExchange[] {
  let position: MenuPosition | null = null
  let isOver = false
  return lines.map((customer) => {
    if (isOver) return { customer, say: [], turn: null }
    const limits = { repeats, resting: false }
    const turn: MenuTurn | null = position
      ? nextMenuTurn(menu, words, limits, position, customer)
      : firstMenuTurn(menu, words)
    isOver = !turn?.held
    position = turn?.held ? turn.place : null
    return { customer, say: turn?.say ?? [], turn }
  })
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
