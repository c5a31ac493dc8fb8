import { expect, test } from 'vitest'
import { formatPageTitle } from './page-title.ts'

test('shows the unread count in the tab title, up to a limit', () => {
  expect(formatPageTitle('Tickets', 0)).toBe('Tickets · Recado')
  expect(formatPageTitle('Tickets', 3)).toBe('(3) Tickets · Recado')
  expect(formatPageTitle(undefined, 99)).toBe('(99) Recado')
  expect(formatPageTitle('Ajustes', 100)).toBe('(99+) Ajustes · Recado')
  expect(formatPageTitle(undefined, 0)).toBe('Recado')
})
