import { expect, test } from 'vitest'
import { formatPageTitle } from './page-title.ts'

test('the tab counts what waits, as far as anybody wants to know', () => {
  expect(formatPageTitle('Tickets', 0)).toBe('Tickets · Recado')
  expect(formatPageTitle('Tickets', 3)).toBe('(3) Tickets · Recado')
  expect(formatPageTitle(undefined, 99)).toBe('(99) Recado')
  expect(formatPageTitle('Ajustes', 100)).toBe('(99+) Ajustes · Recado')
  expect(formatPageTitle(undefined, 0)).toBe('Recado')
})
