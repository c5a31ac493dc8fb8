import { expect, it } from 'vitest'
import { days } from '../../kernel/clock.ts'
import { computeSendLimits } from './pacing.ts'

it.each([
  [0, 50],
  [1, 70],
  [4, 250],
  [9, 1920],
  [10, null],
  [400, null],
])('lets a line of %i days write to %s new contacts a day by default', (age, dailyCap) => {
  const now = new Date('2026-11-15T12:00:00Z')
  const linkedSince = new Date(now.getTime() - days(age)).toISOString()
  const settings = { pacePerMinute: 5, paceDailyCap: 7, linkedSince, createdAt: '2020-01-01', lockedUntil: null }
  expect(computeSendLimits({ ...settings, paceMode: 'auto' }, now)).toEqual({ perMinute: 20, dailyCap, age })
  expect(computeSendLimits({ ...settings, paceMode: 'own' }, now)).toEqual({ perMinute: 5, dailyCap: 7, age })
  expect(computeSendLimits({ ...settings, paceMode: 'off' }, now)).toEqual({ perMinute: null, dailyCap: null, age })
})
