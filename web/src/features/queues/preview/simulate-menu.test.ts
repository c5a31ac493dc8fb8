import type { Connection } from '@recado/contract/connections'
import { type MenuOption, type MenuWords, playMenuConversation } from '@recado/contract/menu/menu'
import { expect, test } from 'vitest'
import { compareQueues } from '../compare-queues.ts'
import {
  fillVariables,
  findGreetingUse,
  isMenuTestPassing,
  linesLeadingTo,
  menuOfLine,
  simulateMenu,
} from './simulate-menu.ts'

const words: MenuWords = { choose: 'Elige:', back: 'Volver', main: 'Inicio', wrong: 'No entiendo.', toPerson: 'Ya va.' }
const option = (id: number, parentId: number | null, number: number, more: Partial<MenuOption> = {}): MenuOption => ({
  id,
  parentId,
  option: number,
  title: `Opción ${id}`,
  message: '',
  leads: 'person',
  forwardQueueId: null,
  ...more,
})
const queue = (id: number, orderQueue: number | null, options: MenuOption[] = []) => ({
  id,
  orderQueue,
  name: `Cola ${id}`,
  greetingMessage: `Hola de ${id}`,
  options,
})
const draft = queue(7, 2, [option(1, null, 1), option(2, 1, 1, { leads: 'end', message: 'Listo.' })])
const line = { greetingMessage: 'Bienvenido', queues: [{ id: 7 }, { id: 3 }, { id: 9 }] } as Connection

test('simulates a menu with the same texts as the server', () => {
  const menu = menuOfLine(line, draft, [queue(3, 1), queue(9, null), queue(5, 0)])
  expect(menu.queues.map((one) => one.id)).toEqual([3, 7, 9])
  const lines = ['hola', 'qué', '2', '1', '1', 'gracias']
  const talk = simulateMenu(menu, words, lines)
  expect(talk.map((one) => one.say)).toEqual(playMenuConversation(menu, words, lines))
  expect(talk.at(-2)?.turn).toMatchObject({ held: false, ends: true })
  expect(talk.at(-1)).toEqual({ customer: 'gracias', greeting: '', say: [], turn: null })
})

test('says of a greeting when customers receive it, and simulates a line with one queue accordingly', () => {
  const several = menuOfLine(line, draft, [queue(3, 1)])
  expect(findGreetingUse(several, 7, false)).toBe('above-menu')
  expect(findGreetingUse(several, 3, false)).toBe('when-chosen')
  const only = { greeting: '', queues: [queue(3, 1)] }
  const greeted = { ...only, greeting: 'Bienvenido' }
  const greetings = (menu: typeof only, greetsOnlyQueue: boolean) =>
    simulateMenu(menu, words, ['hola', 'gracias'], { greetsOnlyQueue }).map((one) => one.greeting)
  expect([findGreetingUse(only, 3, false), greetings(only, false)]).toEqual(['never', ['', '']])
  expect([findGreetingUse(only, 3, true), greetings(only, true)]).toEqual(['at-first', ['Hola de 3', '']])
  expect([findGreetingUse(greeted, 3, true), greetings(greeted, true)]).toEqual([
    'replaced-by-line',
    ['Bienvenido', ''],
  ])
})

test('reaches an option through the main menu, if there is a main menu', () => {
  const menu = menuOfLine(line, draft, [queue(3, 1)])
  expect(linesLeadingTo(menu, 7, 'Hola', [1, 1])).toEqual(['Hola', '2', '1', '1'])
  expect(linesLeadingTo(menuOfLine(null, draft, []), 7, 'Hola', [1, 1])).toEqual(['Hola', '1', '1'])
})

test('accepts a saved conversation until the menu answers differently', () => {
  const menu = menuOfLine(null, { ...draft, greetingMessage: 'Hola {{name}}' }, [])
  const steps = simulateMenu(menu, words, ['hola', '1']).map(({ customer, say }) => ({ customer, bot: say }))
  expect(isMenuTestPassing(steps, menu, words)).toBe(true)
  const filled = steps.map((step) => ({ ...step, bot: step.bot.map((text) => fillVariables(text, { name: 'Lucía' })) }))
  expect(isMenuTestPassing(filled, menu, words)).toBe(true)
  const renamed = { ...draft, options: [option(1, null, 1, { title: 'Otra' })] }
  expect(isMenuTestPassing(steps, menuOfLine(null, renamed, []), words)).toBe(false)
})

test('puts queues without a position last', () => {
  const rows = [queue(4, null), queue(2, null), queue(3, 5), queue(1, 5)]
  expect(rows.sort(compareQueues).map((one) => one.id)).toEqual([1, 3, 2, 4])
})
