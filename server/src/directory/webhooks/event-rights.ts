import { keyScopeByEvent, type WebhookEvent } from '@recado/contract/api-access/webhooks'
import type { KeyScope } from '@recado/contract/endpoint'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'

const canRead = (scopes: readonly KeyScope[], type: WebhookEvent): boolean => scopes.includes(keyScopeByEvent[type])

/** A key can access and create only webhooks whose events its scopes may read. */
export function assertCanReadEvents({ actor }: Scope, events: WebhookEvent[]): void {
  const { key } = actor
  if (key && !events.every((type) => canRead(key.scopes, type))) throw new AppError('ERR_API_KEY_SCOPE')
}

/** `keyended`: the key that wrote this webhook no longer exists. `keyscope`: the key may not read this event. */
export type WebhookDenial = 'keyended' | 'keyscope'

/**
 * Finds out at each delivery whether the event may be sent: the key may have been revoked, or its scopes may have
 * changed since the event was written.
 */
export async function findDenial(
  scope: Scope,
  { keyId }: { keyId: number | null },
  type: WebhookEvent | 'test',
): Promise<WebhookDenial | null> {
  if (keyId === null) return null
  const key = await scope.db
    .selectFrom('apiKeys')
    .select(['scopes', 'expiresAt', 'revokedAt'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', keyId)
    .executeTakeFirst()
  const isOver = !key || key.revokedAt || (key.expiresAt && Date.parse(key.expiresAt) <= scope.now().getTime())
  if (isOver) return 'keyended'
  return type === 'test' || canRead(key.scopes, type) ? null : 'keyscope'
}
