import { expect, test } from 'vitest'
import { titleOf } from './page-title.ts'

test('the tab counts what waits, as far as anybody wants to know', () => {
  expect(titleOf('Tickets', 0)).toBe('Tickets · Recado')
  expect(titleOf('Tickets', 3)).toBe('(3) Tickets · Recado')
  expect(titleOf(undefined, 99)).toBe('(99) Recado')
  expect(titleOf('Ajustes', 100)).toBe('(99+) Ajustes · Recado')
  expect(titleOf(undefined, 0)).toBe('Recado')
})
