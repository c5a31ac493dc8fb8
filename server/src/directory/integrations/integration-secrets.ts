import type { Scope } from '../../kernel/data/scope.ts'
import { newWebhookSecret } from './bot-webhook.ts'
import { type IntegrationRow, integrations } from './integrations.ts'

/** With what its JSON holds. It never leaves the process. */
export const openIntegrationJson = (scope: Scope, { jsonSealed }: Pick<IntegrationRow, 'jsonSealed'>): string =>
  jsonSealed ? scope.means.vault.open(jsonSealed) : ''

/** What it signs with. One that has none yet gets one: nobody has seen it until it is asked for anew. */
export async function openIntegrationSecret(
  scope: Scope,
  it: Pick<IntegrationRow, 'id' | 'secretSealed'>,
): Promise<string> {
  const { vault } = scope.means
  if (it.secretSealed) return vault.open(it.secretSealed)
  return scope.transaction(async (tx) => {
    const { secretSealed } = await integrations.held(tx, it.id)
    return secretSealed ? vault.open(secretSealed) : renewIntegrationSecret(tx, it.id)
  })
}

/** A new one, shown this once; the old one ends with it. */
export async function renewIntegrationSecret(scope: Scope, id: number): Promise<string> {
  const secret = newWebhookSecret()
  await integrations.update(scope, id, { secretSealed: scope.means.vault.seal(secret) })
  return secret
}
