import { expect, it } from 'vitest'
import { advanced, begun, isPast, stateOfAck } from './progress.ts'

it('reads the ticks', () => {
  expect([0, 1, 2, 3, 4, 5].map(stateOfAck)).toEqual(['failed', 'queued', 'sent', 'delivered', 'read', 'read'])
})

it('goes forward only', () => {
  const told = (state: 'queued' | 'sent' | 'delivered' | 'read' | 'failed', at: number) => ({ state, error: '', at })
  let now = begun(1000)
  now = advanced(now, told('delivered', 1600))
  expect(advanced(now, told('sent', 1700))).toBe(now)
  expect(advanced(now, told('failed', 1700))).toBe(now)
  expect(isPast(now, 'sent')).toBe(true)
  expect(isPast(now, 'read')).toBe(false)
  expect(advanced(now, told('read', 2000)).at).toEqual({ queued: 1000, delivered: 1600, read: 2000 })
})

it('fails with its reason, and not before it began', () => {
  const failed = advanced(begun(1000), { state: 'failed', error: 'blocked', at: 900 })
  expect(failed).toMatchObject({ state: 'failed', error: 'blocked', at: { failed: 1000 } })
})
