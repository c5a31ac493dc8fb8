import { promptTriesApi } from '@recado/contract/ai/prompts'
import type { ExternalCall } from '@recado/contract/integrations/external-calls'
import { integrationToolsApi } from '@recado/contract/integrations/integrations'
import { callApi } from '../../lib/api.ts'

/** `says`: the answer to the repeated call. */
type RepeatedCallResult = { ok: boolean; ms: number; error: string; says?: string }

/** Repeats a call to an AI model or integration. It changes no ticket. */
export async function repeatCall({ id: callId, promptId, integrationId }: ExternalCall): Promise<RepeatedCallResult> {
  if (integrationId !== null) return callApi(integrationToolsApi.again, { params: { id: integrationId, callId } })
  const { error, ms, say } = await callApi(promptTriesApi.again, { params: { id: promptId ?? 0, callId } })
  return { ok: error === '', ms, error, says: say.join('\n') }
}
