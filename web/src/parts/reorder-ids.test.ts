import { expect, it } from 'vitest'
import { moveIdBeside, moveIdTo } from './reorder-ids.ts'

it('moves one id and keeps the order of the others, never beyond the ends', () => {
  expect(moveIdTo([1, 2, 3], 3, 0)).toEqual([3, 1, 2])
  expect(moveIdTo([1, 2, 3], 1, 9)).toEqual([2, 3, 1])
  expect(moveIdTo([1, 2, 3], 2, -1)).toEqual([2, 1, 3])
})

it('drops a row before or after the target row, from above and from below', () => {
  expect(moveIdBeside([1, 2, 3, 4], 1, 3, false)).toEqual([2, 1, 3, 4])
  expect(moveIdBeside([1, 2, 3, 4], 1, 3, true)).toEqual([2, 3, 1, 4])
  expect(moveIdBeside([1, 2, 3, 4], 4, 2, false)).toEqual([1, 4, 2, 3])
  expect(moveIdBeside([1, 2, 3], 2, 2, true)).toEqual([1, 2, 3])
})
