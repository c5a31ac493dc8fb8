import { expect, it } from 'vitest'
import { ackToState, advanceProgress, isStepDone, startProgress } from './delivery-progress.ts'

it('maps acks to delivery states', () => {
  expect([0, 1, 2, 3, 4, 5].map(ackToState)).toEqual(['failed', 'queued', 'sent', 'delivered', 'read', 'read'])
})

it('never goes back to an earlier delivery state', () => {
  const told = (state: 'queued' | 'sent' | 'delivered' | 'read' | 'failed', at: number) => ({ state, error: '', at })
  let now = startProgress(1000)
  now = advanceProgress(now, told('delivered', 1600))
  expect(advanceProgress(now, told('sent', 1700))).toBe(now)
  expect(advanceProgress(now, told('failed', 1700))).toBe(now)
  expect(isStepDone(now, 'sent')).toBe(true)
  expect(isStepDone(now, 'read')).toBe(false)
  expect(advanceProgress(now, told('read', 2000)).reachedAt).toEqual({ queued: 1000, delivered: 1600, read: 2000 })
})

it('shows a failure with its reason, at a time that is not before the start', () => {
  const failed = advanceProgress(startProgress(1000), { state: 'failed', error: 'blocked', at: 900 })
  expect(failed).toMatchObject({ state: 'failed', error: 'blocked', reachedAt: { failed: 1000 } })
})
