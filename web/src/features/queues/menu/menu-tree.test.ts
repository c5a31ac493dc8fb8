import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addOption,
  buildMenuTree,
  createMenuNode,
  findDropPosition,
  getBranch,
  getDepth,
  getOptionNumber,
  getPath,
  type MenuNode,
  type MenuTree,
  moveOption,
  moveOptionOneStep,
  removeOption,
  toDraftOptions,
  toMenuOptions,
} from './menu-tree.ts'

const node = (key: string, parentKey: string | null = null): MenuNode => ({
  ...createMenuNode(parentKey),
  key,
  title: key,
})
/** The tree a(b c) d(e(f)) g. */
const tree: MenuTree = [node('a'), node('b', 'a'), node('c', 'a'), node('d'), node('e', 'd'), node('f', 'e'), node('g')]
/** Writes a tree as text, such as "a(b c) d(e(f)) g". */
const outline = (all: MenuTree, parent: string | null = null): string =>
  all
    .filter((one) => one.parentKey === parent)
    .map(({ key }) => {
      const inside = outline(all, key)
      return inside ? `${key}(${inside})` : key
    })
    .join(' ')

test('builds a tree from stored options in the order of their numbers', () => {
  const option = (id: number, parentId: number | null, number: number) => ({
    id,
    queueId: 1,
    parentId,
    option: number,
    title: `t${id}`,
    message: '',
    leads: 'person' as const,
    forwardQueueId: null,
    skillIds: [],
  })
  const stored = buildMenuTree([option(1, null, 2), option(2, null, 1), option(3, 1, 5), option(4, 1, 3)])
  expect(outline(stored)).toBe('2 1(4 3)')
  expect(stored.map((one) => one.key)).toEqual(['2', '1', '4', '3'])
  expect(toDraftOptions(stored).map((one) => one.option)).toEqual([1, 2, 1, 2])
  expect(toMenuOptions(stored).map(({ id, parentId, option: n }) => [id, parentId, n])).toEqual([
    [1, null, 1],
    [2, null, 2],
    [3, 2, 1],
    [4, 2, 2],
  ])
})

test('adds and removes options and finds their paths', () => {
  expect(outline(addOption(tree, node('x', 'a')))).toBe('a(b c x) d(e(f)) g')
  expect(outline(removeOption(tree, 'd'))).toBe('a(b c) g')
  expect(getBranch(tree, 'd').map((one) => one.key)).toEqual(['d', 'e', 'f'])
  expect(getPath(tree, 'f').map((one) => getOptionNumber(tree, one))).toEqual([2, 1, 1])
  expect(getDepth(tree, 'f')).toBe(2)
})

test('moves an option one step at a time', () => {
  expect(outline(moveOptionOneStep(tree, 'd', 'up'))).toBe('d(e(f)) a(b c) g')
  expect(outline(moveOptionOneStep(tree, 'd', 'down'))).toBe('a(b c) g d(e(f))')
  expect(outline(moveOptionOneStep(tree, 'd', 'in'))).toBe('a(b c d(e(f))) g')
  expect(outline(moveOptionOneStep(tree, 'e', 'out'))).toBe('a(b c) d e(f) g')
  for (const [key, way] of [
    ['a', 'up'],
    ['g', 'down'],
    ['a', 'in'],
    ['g', 'out'],
  ] as const)
    expect(moveOptionOneStep(tree, key, way)).toBe(tree)
})

test('drops a dragged row at a level that the surrounding rows allow', () => {
  const drop = (key: string, over: string, sideways: number) => {
    const { parentKey, index } = findDropPosition(tree, key, over, sideways)
    return outline(moveOption(tree, key, parentKey, index))
  }
  expect(drop('g', 'a', 0)).toBe('g a(b c) d(e(f))')
  expect(drop('g', 'b', 0)).toBe('a(g b c) d(e(f))')
  expect(drop('g', 'd', 0)).toBe('a(b c) g d(e(f))')
  expect(drop('g', 'd', 1)).toBe('a(b c g) d(e(f))')
  expect(drop('g', 'g', 9)).toBe('a(b c) d(e(f(g)))')
  expect(drop('a', 'g', 0)).toBe('d(e(f)) g a(b c)')
  expect(drop('f', 'f', -9)).toBe('a(b c) d(e) f g')
})

test('loses no option and creates no cycle with any move', () => {
  const keys = tree.map((one) => one.key)
  const key = fc.constantFrom(...keys)
  const step = fc.oneof(
    fc.record({ key, over: key, sideways: fc.integer({ min: -4, max: 4 }) }),
    fc.record({ key, way: fc.constantFrom('up' as const, 'down' as const, 'in' as const, 'out' as const) }),
    fc.record({ key, to: fc.option(key), index: fc.nat(9) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let now = tree
      for (const one of steps) {
        if ('way' in one) now = moveOptionOneStep(now, one.key, one.way)
        else if ('to' in one) now = moveOption(now, one.key, one.to, one.index)
        else if (
          !getBranch(now, one.key)
            .slice(1)
            .some((below) => below.key === one.over)
        ) {
          const { parentKey, index, depth } = findDropPosition(now, one.key, one.over, one.sideways)
          now = moveOption(now, one.key, parentKey, index)
          expect(getDepth(now, one.key)).toBe(depth)
        }
        expect(now.map((each) => each.key).sort()).toEqual(keys)
      }
    }),
  )
})
