import { expect, test } from 'vitest'
import { findChanges, reapplyChanges } from './reapply-changes.ts'

const base = { dailyLimit: 100, stopAfter: 5, stopWords: ['parar'] }

test('writes only the values that were changed in this form', () => {
  expect(findChanges({ ...base, stopWords: ['parar'] }, base)).toEqual({})
  expect(findChanges({ ...base, stopAfter: 7 }, base)).toEqual({ stopAfter: 7 })
})

test('shows values that another user saved in the meantime, and does not write them back', () => {
  const theirs = { ...base, dailyLimit: 500 }
  expect(reapplyChanges(base, base, theirs)).toEqual(theirs)
  const mine = reapplyChanges({ ...base, stopAfter: 7 }, base, theirs)
  expect(mine).toEqual({ ...theirs, stopAfter: 7 })
  expect(findChanges(mine, theirs)).toEqual({ stopAfter: 7 })
})
