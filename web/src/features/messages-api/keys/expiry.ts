import type { ApiKey } from '@recado/contract/doors/keys'

const day = 86_400_000
/** So many days before its end a key asks for a look. */
const soon = 7

export type Expiry = { kind: 'revoked' | 'never' | 'over' | 'soon' | 'later'; days: number }

export function expiryOf({ expiresAt, revokedAt }: Pick<ApiKey, 'expiresAt' | 'revokedAt'>, now: number): Expiry {
  if (revokedAt !== null) return { kind: 'revoked', days: 0 }
  if (expiresAt === null) return { kind: 'never', days: 0 }
  const left = Date.parse(expiresAt) - now
  if (left <= 0) return { kind: 'over', days: 0 }
  const days = Math.ceil(left / day)
  return { kind: days <= soon ? 'soon' : 'later', days }
}

export const spans = ['never', '30', '90', '365', 'date'] as const
export type Span = (typeof spans)[number]

/** When a key made now ends; a day lasts until its midnight. Nothing for one that does not end. */
export function endOf(span: Span, until: string | null, now: number): string | null {
  if (span === 'never') return null
  if (span !== 'date') return new Date(now + Number(span) * day).toISOString()
  return until ? new Date(`${until}T23:59:59`).toISOString() : null
}
