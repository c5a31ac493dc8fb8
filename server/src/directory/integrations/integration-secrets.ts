import type { Scope } from '../../kernel/data/scope.ts'
import { newWebhookSecret } from './bot-webhook.ts'
import { type IntegrationRow, integrations } from './integrations.ts'

/** The decrypted JSON. It never leaves the process. */
export const openIntegrationJson = (scope: Scope, { jsonSealed }: Pick<IntegrationRow, 'jsonSealed'>): string =>
  jsonSealed ? scope.deps.vault.unseal(jsonSealed) : ''

/** The signing secret. An integration without a secret gets one here; it is shown only when it is renewed. */
export async function openIntegrationSecret(
  scope: Scope,
  it: Pick<IntegrationRow, 'id' | 'secretSealed'>,
): Promise<string> {
  const { vault } = scope.deps
  if (it.secretSealed) return vault.unseal(it.secretSealed)
  return scope.transaction(async (tx) => {
    const { secretSealed } = await integrations.lockRow(tx, it.id)
    return secretSealed ? vault.unseal(secretSealed) : renewIntegrationSecret(tx, it.id)
  })
}

/** Creates a new secret, shown once; the old one becomes invalid. */
export async function renewIntegrationSecret(scope: Scope, id: number): Promise<string> {
  const secret = newWebhookSecret()
  await integrations.update(scope, id, { secretSealed: scope.deps.vault.seal(secret) })
  return secret
}
