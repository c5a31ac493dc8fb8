import { expect, test } from 'vitest'
import { type Entry, narrowed, stepped } from './entries.ts'

const entry = (label: string): Entry => ({ id: label, label, icon: null, run: () => undefined })

test('groups without anything that fits are left out', () => {
  const groups = [
    { name: 'Acciones', entries: [entry('Transferir este ticket'), entry('Salir')] },
    { name: 'Ir a', entries: [entry('Etiquetas')] },
  ]
  expect(narrowed(groups, 'trans').map(({ name, entries }) => [name, entries.map((one) => one.id)])).toEqual([
    ['Acciones', ['Transferir este ticket']],
  ])
  expect(narrowed(groups, '')).toHaveLength(2)
})

test('arrows go round, and start at the near end', () => {
  expect(stepped(['a', 'b', 'c'], 'a', 1)).toBe('b')
  expect(stepped(['a', 'b', 'c'], 'c', 1)).toBe('a')
  expect(stepped(['a', 'b', 'c'], 'a', -1)).toBe('c')
  expect(stepped(['a', 'b', 'c'], null, 1)).toBe('a')
  expect(stepped(['a', 'b', 'c'], 'gone', -1)).toBe('c')
  expect(stepped([], null, 1)).toBe(null)
})
