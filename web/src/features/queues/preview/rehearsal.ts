import type { Connection } from '@recado/contract/connections'
import {
  begin,
  fits,
  type Menu,
  type MenuPlace,
  type MenuQueue,
  type MenuTurn,
  type MenuWords,
  mostWrong,
  play,
  walk,
} from '@recado/contract/menu/menu'
import type { MenuStep } from '@recado/contract/queues'
import { inOrder } from '../in-order.ts'

/** One line of the customer on the form's phone, and all that the bot does about it. */
export type Exchange = { customer: string; say: string[]; turn: MenuTurn | null }

/** The whole conversation, as the server would have it: whatever comes after the bot has left is for a person. */
export function rehearse(menu: Menu, words: MenuWords, lines: string[], repeats = mostWrong): Exchange[] {
  let place: MenuPlace | null = null
  let over = false
  return lines.map((customer) => {
    if (over) return { customer, say: [], turn: null }
    const limits = { repeats, resting: false }
    const turn: MenuTurn | null = place ? walk(menu, words, limits, place, customer) : begin(menu, words)
    over = !turn?.held
    place = turn?.held ? turn.place : null
    return { customer, say: turn?.say ?? [], turn }
  })
}

/** What a customer types to stand before that option: hello, the queue where there are several, then its numbers. */
export function linesTo(menu: Menu, queueId: number, hello: string, numbers: number[]): string[] {
  const at = menu.queues.findIndex((queue) => queue.id === queueId)
  const queue = menu.queues.length > 1 ? [at + 1] : []
  return [hello, ...[...queue, ...numbers].map(String)]
}

/** Whether a saved conversation still goes this way with the menu in the form. */
export function passes(steps: MenuStep[], menu: Menu, words: MenuWords): boolean {
  const now = play(
    menu,
    words,
    steps.map((step) => step.customer),
  )
  return steps.every(({ bot }, i) => {
    const said = now[i] ?? []
    return said.length === bot.length && said.every((template, k) => fits(template, bot[k] ?? ''))
  })
}

export type Placed = MenuQueue & { orderQueue: number | null }
/** What a customer of that line may choose from, with the queue as it stands in the form; without a line it is alone. */
export function menuAt(line: Connection | null, draft: Placed, others: Placed[]): Menu {
  const has = (id: number) => line?.queues.some((queue) => queue.id === id)
  if (!line || !has(draft.id)) return { greeting: '', queues: [draft] }
  const queues = [draft, ...others.filter(({ id }) => id !== draft.id && has(id))].sort(inOrder)
  return { greeting: line.greetingMessage, queues }
}

/** Filled in as for somebody: what a variable will say stands in for it. */
export const filledIn = (text: string, sample: Record<string, string>): string =>
  text.replace(/\{\{\s*(\w+)\s*\}\}/g, (typed, name: string) => sample[name] ?? typed)
