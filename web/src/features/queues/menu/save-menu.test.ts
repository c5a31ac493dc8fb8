import type { QueueOption } from '@recado/contract/queue-options'
import { expect, test } from 'vitest'
import { add, newNode, treeOf } from './menu-tree.ts'
import { idsOf, linesOf, remember } from './save-menu.ts'

const option = (id: number, parentId: number | null, number: number): QueueOption => ({
  id,
  queueId: 1,
  parentId,
  option: number,
  title: `T${id}`,
  message: ' hola ',
  leads: 'person',
  forwardQueueId: 9,
})
const stored = [option(1, null, 1), option(2, 1, 1), option(3, null, 2)]

test('a line is sent with the id it has, and one that somebody deleted meanwhile as a new one', () => {
  const tree = add(treeOf(stored), newNode('3'))
  const lines = linesOf(tree, idsOf(stored))
  expect(lines.map(({ id }) => id)).toEqual([1, 2, 3, null])
  expect(lines[0]).toMatchObject({ parentKey: null, message: 'hola', forwardQueueId: null })
  expect(linesOf(tree, idsOf(stored), new Set([1, 3])).map(({ id }) => id)).toEqual([1, null, 3, null])
})

test('what was made by one save is known to the next; what others added behind it is not', () => {
  const ids = idsOf(stored)
  const tree = add(treeOf(stored), newNode('3'))
  remember(tree, [...stored, option(4, 3, 1), option(5, 3, 2), option(6, null, 3)], ids)
  expect(linesOf(tree, ids).map(({ id }) => id)).toEqual([1, 2, 3, 4])
  expect([...ids.seen]).toEqual([1, 2, 3, 4])
})
