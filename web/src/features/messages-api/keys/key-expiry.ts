import type { ApiKey } from '@recado/contract/api-access/api-keys'

const dayMs = 86_400_000
/** A key is marked this many days before it expires. */
const warnDaysBeforeExpiry = 7

export type KeyExpiry = { kind: 'revoked' | 'never' | 'over' | 'soon' | 'later'; days: number }

export function getKeyExpiry(
  { expiresAt, revokedAt }: Pick<ApiKey, 'expiresAt' | 'revokedAt'>,
  now: number,
): KeyExpiry {
  if (revokedAt !== null) return { kind: 'revoked', days: 0 }
  if (expiresAt === null) return { kind: 'never', days: 0 }
  const left = Date.parse(expiresAt) - now
  if (left <= 0) return { kind: 'over', days: 0 }
  const days = Math.ceil(left / dayMs)
  return { kind: days <= warnDaysBeforeExpiry ? 'soon' : 'later', days }
}

export const keyLifetimes = ['never', '30', '90', '365', 'date'] as const
export type KeyLifetime = (typeof keyLifetimes)[number]

/** Expiry of a key created now; a day ends at its midnight. Null for a key that does not expire. */
export function calculateExpiresAt(span: KeyLifetime, until: string | null, now: number): string | null {
  if (span === 'never') return null
  if (span !== 'date') return new Date(now + Number(span) * dayMs).toISOString()
  return until ? new Date(`${until}T23:59:59`).toISOString() : null
}
