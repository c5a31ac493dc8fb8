import { expect, it } from 'vitest'
import { calculateExpiresAt, getKeyExpiry } from './key-expiry.ts'

const now = Date.parse('2026-11-16T12:00:00Z')
const expiryOf = (expiresAt: string | null, revokedAt: string | null = null) =>
  getKeyExpiry({ expiresAt, revokedAt }, now)

it('shows how long a key is still valid', () => {
  expect(expiryOf(null)).toEqual({ kind: 'never', days: 0 })
  expect(expiryOf('2026-11-16T11:59:59Z').kind).toBe('over')
  expect(expiryOf('2026-11-16T12:00:01Z')).toEqual({ kind: 'soon', days: 1 })
  expect(expiryOf('2026-11-23T12:00:00Z')).toEqual({ kind: 'soon', days: 7 })
  expect(expiryOf('2026-11-23T12:00:01Z')).toEqual({ kind: 'later', days: 8 })
  expect(expiryOf('2027-11-16T12:00:00Z', '2026-11-01T00:00:00Z').kind).toBe('revoked')
})

it('expires a key after a number of days, or at the end of a day', () => {
  expect(calculateExpiresAt('never', null, now)).toBeNull()
  expect(calculateExpiresAt('30', null, now)).toBe('2026-12-16T12:00:00.000Z')
  expect(calculateExpiresAt('date', null, now)).toBeNull()
  expect(new Date(calculateExpiresAt('date', '2026-12-01', now) ?? '').getDate()).toBe(1)
})
