import { expect, it } from 'vitest'
import { days } from '../../kernel/clock.ts'
import { noPaceCounts } from './pace-days.ts'
import { computeSendLimits } from './pacing.ts'

it.each([0, 10, 400])('limits a line of %i days in every mode but off', (age) => {
  const now = new Date('2026-11-15T12:00:00Z')
  const linkedSince = new Date(now.getTime() - days(age)).toISOString()
  const settings = { pacePerMinute: 5, paceDailyCap: 7, linkedSince, createdAt: '2020-01-01', lockedUntil: null }
  const limitsIn = (paceMode: 'auto' | 'own' | 'off') => computeSendLimits({ ...settings, paceMode }, noPaceCounts, now)
  expect(limitsIn('auto')).toEqual({ perMinute: 20, dailyCap: 10, age, reasons: ['unproven'] })
  expect(limitsIn('own')).toEqual({ perMinute: 5, dailyCap: 7, age, reasons: [] })
  expect(limitsIn('off')).toEqual({ perMinute: null, dailyCap: null, age, reasons: [] })
})
