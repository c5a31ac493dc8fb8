import type { MachineCall } from '@recado/contract/machines/calls'
import { integrationToolsApi } from '@recado/contract/machines/integrations'
import { tryApi } from '@recado/contract/machines/prompts'
import { call } from '../../lib/api.ts'

/** `says`: what it would answer now. */
type Repeated = { ok: boolean; ms: number; error: string; says?: string }

/** Asks the same machine the same once more. No ticket changes by it. */
export async function askAgain({ id: callId, promptId, integrationId }: MachineCall): Promise<Repeated> {
  if (integrationId !== null) return call(integrationToolsApi.again, { params: { id: integrationId, callId } })
  const { error, ms, say } = await call(tryApi.again, { params: { id: promptId ?? 0, callId } })
  return { ok: error === '', ms, error, says: say.join('\n') }
}
