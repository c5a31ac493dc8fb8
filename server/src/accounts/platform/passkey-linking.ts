import { passkeyLinkingApi } from '@recado/contract/health/passkey-linking'
import type { Scope } from '../../kernel/data/scope.ts'
import { route } from '../../kernel/http/routes.ts'
import { isPasskeyLinkingEnabled } from '../../lines/baileys/link/passkey-store.ts'

async function savePasskeyLinking(scope: Scope, isEnabled: boolean): Promise<void> {
  const value = isEnabled ? 'enabled' : 'disabled'
  await scope.db
    .insertInto('platformSettings')
    .values({ key: 'passkeyLinking', value })
    .onConflict((c) => c.column('key').doUpdateSet({ value }))
    .execute()
}

/** The super user's switch for linking phones with a passkey. */
export const passkeyLinkingRoutes = [
  route(passkeyLinkingApi.show, async (scope) => ({ enabled: await isPasskeyLinkingEnabled(scope) })),
  route(passkeyLinkingApi.save, async (scope, { body }) => {
    await savePasskeyLinking(scope, body.enabled)
    return { enabled: body.enabled }
  }),
]
