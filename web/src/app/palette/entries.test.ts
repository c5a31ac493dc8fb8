import { expect, test } from 'vitest'
import { filterGroups, nextEntryId, type PaletteEntry } from './entries.ts'

const entry = (label: string): PaletteEntry => ({ id: label, label, icon: null, run: () => undefined })

test('omits result groups without a match', () => {
  const groups = [
    { name: 'Acciones', entries: [entry('Transferir este ticket'), entry('Salir')] },
    { name: 'Ir a', entries: [entry('Etiquetas')] },
  ]
  expect(filterGroups(groups, 'trans').map(({ name, entries }) => [name, entries.map((one) => one.id)])).toEqual([
    ['Acciones', ['Transferir este ticket']],
  ])
  expect(filterGroups(groups, '')).toHaveLength(2)
})

test('wraps around with the arrow keys, starting at the nearer end', () => {
  expect(nextEntryId(['a', 'b', 'c'], 'a', 1)).toBe('b')
  expect(nextEntryId(['a', 'b', 'c'], 'c', 1)).toBe('a')
  expect(nextEntryId(['a', 'b', 'c'], 'a', -1)).toBe('c')
  expect(nextEntryId(['a', 'b', 'c'], null, 1)).toBe('a')
  expect(nextEntryId(['a', 'b', 'c'], 'gone', -1)).toBe('c')
  expect(nextEntryId([], null, 1)).toBe(null)
})
