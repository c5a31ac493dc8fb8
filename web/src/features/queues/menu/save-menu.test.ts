import type { QueueOption } from '@recado/contract/queue-options'
import { expect, test } from 'vitest'
import { addOption, buildMenuTree, createMenuNode } from './menu-tree.ts'
import { createKnownOptionIds, rememberSavedIds, toOptionLines } from './save-menu.ts'

const option = (id: number, parentId: number | null, number: number): QueueOption => ({
  id,
  queueId: 1,
  parentId,
  option: number,
  title: `T${id}`,
  message: ' hola ',
  leads: 'person',
  forwardQueueId: 9,
  skillIds: [4],
})
const storedOptions = [option(1, null, 1), option(2, 1, 1), option(3, null, 2)]

test('sends an option with its id, and an option deleted by another user as new', () => {
  const tree = addOption(buildMenuTree(storedOptions), createMenuNode('3'))
  const lines = toOptionLines(tree, createKnownOptionIds(storedOptions))
  expect(lines.map(({ id }) => id)).toEqual([1, 2, 3, null])
  expect(lines[0]).toMatchObject({ parentKey: null, message: 'hola', forwardQueueId: null })
  expect(toOptionLines(tree, createKnownOptionIds(storedOptions), new Set([1, 3])).map(({ id }) => id)).toEqual([
    1,
    null,
    3,
    null,
  ])
})

test('remembers the options that a save created for the next save, but not options that others added after it', () => {
  const ids = createKnownOptionIds(storedOptions)
  const tree = addOption(buildMenuTree(storedOptions), createMenuNode('3'))
  rememberSavedIds(tree, [...storedOptions, option(4, 3, 1), option(5, 3, 2), option(6, null, 3)], ids)
  expect(toOptionLines(tree, ids).map(({ id }) => id)).toEqual([1, 2, 3, 4])
  expect([...ids.knownIds]).toEqual([1, 2, 3, 4])
})
