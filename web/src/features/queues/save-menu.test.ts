import type { QueueOption } from '@recado/contract/queue-options'
import { expect, test } from 'vitest'
import { goneFrom } from './save-menu.ts'

const option = (id: number, parentId: number | null = null) => ({ id, parentId }) as QueueOption

test('only what this form knew goes, and what goes with its parent is not named', () => {
  const stored = [option(1), option(2, 1), option(3, 2), option(4), option(5, 4), option(6)]
  const known = new Set([1, 2, 3, 4, 5])
  expect(goneFrom(stored, new Set([1, 4, 5]), known)).toEqual([2])
  expect(goneFrom(stored, new Set([1, 2, 3, 5]), known)).toEqual([4])
  expect(goneFrom(stored, new Set(), known)).toEqual([1, 4])
  expect(goneFrom(stored, known, known)).toEqual([])
})
