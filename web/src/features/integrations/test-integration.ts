import {
  type Integration,
  type IntegrationTestReply,
  type IntegrationWrite,
  integrationToolsApi,
} from '@recado/contract/integrations/integrations'
import { callApi } from '../../lib/api.ts'
import { currentTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { callFailureTexts, describeCallFailure } from '../../parts/integrations/call-failures.ts'
import { toIntegrationBody, toIntegrationFormValues } from './integration-form-values.ts'
import { formatCallDuration } from './integration-health-cell.tsx'
import { texts } from './texts.ts'

/** Makes one test call with the unsaved form values. Returns null when the request itself failed. */
export async function testIntegrationDraft(
  id: number | undefined,
  draft: IntegrationWrite,
): Promise<IntegrationTestReply | null> {
  const words = currentTexts(texts)
  try {
    const reply = await callApi(integrationToolsApi.test, { body: { ...(id !== undefined && { id }), draft } })
    if (reply.ok) toast.ok(words.testedWell, words.answeredIn(formatCallDuration(reply.ms)))
    else toast.warn(words.testedBadly, describeCallFailure(currentTexts(callFailureTexts), reply.error))
    return reply
  } catch (error) {
    toast.error(error)
    return null
  }
}

export const testStoredIntegration = (row: Integration): Promise<IntegrationTestReply | null> =>
  testIntegrationDraft(row.id, toIntegrationBody(toIntegrationFormValues(row)))
