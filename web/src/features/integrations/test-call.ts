import {
  type Integration,
  type IntegrationWrite,
  integrationToolsApi,
  type TestReply,
} from '@recado/contract/machines/integrations'
import { call } from '../../lib/api.ts'
import { textsNow } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { troubleIn, troubleTexts } from '../../parts/machines/trouble.ts'
import { tookIn } from './health-cell.tsx'
import { texts } from './texts.ts'
import { bodyOf, valuesOf } from './values.ts'

/** Talks once to a draft, and says what came of it. Null where it could not even be asked. */
export async function testDraft(id: number | undefined, draft: IntegrationWrite): Promise<TestReply | null> {
  const words = textsNow(texts)
  try {
    const reply = await call(integrationToolsApi.test, { body: { ...(id !== undefined && { id }), draft } })
    if (reply.ok) toast.ok(words.testedWell, words.answeredIn(tookIn(reply.ms)))
    else toast.warn(words.testedBadly, troubleIn(textsNow(troubleTexts), reply.error))
    return reply
  } catch (error) {
    toast.error(error)
    return null
  }
}

export const testStored = (row: Integration): Promise<TestReply | null> => testDraft(row.id, bodyOf(valuesOf(row)))
