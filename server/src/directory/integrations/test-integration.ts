import { randomUUID } from 'node:crypto'
import type { ExternalCall } from '@recado/contract/integrations/external-calls'
import {
  type IntegrationTestReply,
  type IntegrationWrite,
  integrationToolsApi,
} from '@recado/contract/integrations/integrations'
import { isMaskedSecret } from '@recado/contract/settings'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/routes.ts'
import type { BotReply, ReplyPiece } from './bot-reply.ts'
import { type BotWebhookBody, newWebhookSecret, parseWebhookReply, postWebhook } from './bot-webhook.ts'
import { formatChoices } from './choices.ts'
import { detectIntent } from './dialogflow.ts'
import { parseDialogflowTurn } from './dialogflow-reply.ts'
import type { CallExternal } from './external-call.ts'
import { findExternalCall, saveExternalCall } from './external-calls.ts'
import { openIntegrationJson, openIntegrationSecret, renewIntegrationSecret } from './integration-secrets.ts'
import { type IntegrationRow, integrations } from './integrations.ts'
import {
  describeCallFailureCode,
  makeRecordingCall,
  markIntegrationHealthy,
  toCallFailureCode,
} from './recorded-call.ts'
import { startTypebotChat } from './typebot.ts'
import { parseTypebotTurn } from './typebot-reply.ts'

/** A user waits for the result of the test, so the timeout is short. */
const testTimeoutMs = 10_000

/** The fields of an integration that a test needs, with decrypted secrets. The integration may be unsaved. */
type TestedIntegration = Pick<
  IntegrationRow,
  'type' | 'name' | 'urlN8N' | 'typebotSlug' | 'projectName' | 'language'
> & {
  id: number
  jsonContent: string
  secret: string
}

const describePieces = (pieces: ReplyPiece[]): string[] =>
  pieces.map((piece) =>
    piece.kind === 'file'
      ? [piece.text, piece.url].filter(Boolean).join('\n')
      : [piece.text, formatChoices(piece.choices ?? [])].filter(Boolean).join('\n\n'),
  )

/** Makes one exchange with the integration, without a customer. */
async function exchangeOnce(
  scope: Scope,
  it: TestedIntegration,
  call: CallExternal,
  text: string,
): Promise<ReplyPiece[]> {
  if (it.type === 'typebot') {
    const at = { url: it.urlN8N, slug: it.typebotSlug }
    const variables = { number: '5500000000000', pushName: 'Recado', name: 'Recado', email: '', ticketId: '0' }
    return parseTypebotTurn(await startTypebotChat(call, at, { text, files: [] }, variables)).pieces
  }
  if (it.type === 'dialogflow') {
    const { clock, dialogflowUrl } = scope.deps
    return parseDialogflowTurn(await detectIntent(call, dialogflowUrl, it, randomUUID(), { text }, clock)).pieces
  }
  const body = await buildTestBody(scope, it, text)
  return piecesOfReply(
    parseWebhookReply(await postWebhook(call, toWebhookTarget(it), body.id, JSON.stringify(body), scope.now())),
  )
}
const toWebhookTarget = ({ urlN8N, secret }: TestedIntegration) => ({ url: urlN8N, secret })
const piecesOfReply = (reply: BotReply | null): ReplyPiece[] => reply?.pieces ?? []

async function buildTestBody(scope: Scope, { id, name }: TestedIntegration, text: string): Promise<BotWebhookBody> {
  const company = await scope.db
    .selectFrom('companies')
    .select(['id', 'name'])
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  const at = scope.now().toISOString()
  const message = { id: '0', at, type: 'conversation', body: text, choice: null, media: null }
  const nobody = { ticket: null, contact: null, line: null }
  return {
    version: 1,
    id: `msg_${randomUUID()}`,
    event: 'test',
    at,
    company,
    integration: { id, name },
    message,
    ...nobody,
  }
}

async function testIntegration(scope: Scope, it: TestedIntegration, text: string): Promise<IntegrationTestReply> {
  const began = performance.now()
  const { call, last } = makeRecordingCall(scope, { timeoutMs: testTimeoutMs })
  const told = (more: { ok: boolean; says: string[]; error: string }): IntegrationTestReply => ({
    ...more,
    status: last.status,
    ms: Math.round(performance.now() - began),
  })
  try {
    return told({ ok: true, says: describePieces(await exchangeOnce(scope, it, call, text)), error: '' })
  } catch (error) {
    return told({ ok: false, says: [], error: toCallFailureCode(error, testTimeoutMs) })
  }
}

/** A draft with its hidden values: a masked secret is replaced by the secret of the saved integration. */
async function completeDraft(
  scope: Scope,
  id: number | undefined,
  draft: IntegrationWrite,
): Promise<TestedIntegration> {
  const before = id === undefined ? null : await integrations.findRow(scope, id)
  const jsonContent = isMaskedSecret(draft.jsonContent)
    ? before
      ? openIntegrationJson(scope, before)
      : ''
    : draft.jsonContent
  return {
    ...draft,
    id: id ?? 0,
    jsonContent,
    secret: before ? await openIntegrationSecret(scope, before) : newWebhookSecret(),
  }
}

/**
 * Finds the stored credentials. Older clients send the mask back without an id: then the integration with this project
 * name is meant.
 */
async function findStoredJson(scope: Scope, id: number | undefined, projectName: string): Promise<string> {
  if (id !== undefined) return openIntegrationJson(scope, await integrations.findRow(scope, id))
  const found = await scope.db
    .selectFrom('queueIntegrations')
    .select('jsonSealed')
    .where('companyId', '=', scope.companyId)
    .where('type', '=', 'dialogflow')
    .where('projectName', '=', projectName)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found ? openIntegrationJson(scope, found) : ''
}

const openIntegration = async (scope: Scope, it: IntegrationRow): Promise<TestedIntegration> => ({
  ...it,
  jsonContent: openIntegrationJson(scope, it),
  secret: await openIntegrationSecret(scope, it),
})

/** The customer's text, read from the recorded request of each protocol; null: the request had no text. */
function readAskedText(recordedRequest: string): string | null {
  try {
    const { message, queryInput } = JSON.parse(recordedRequest)
    const text = message?.text ?? queryInput?.text?.text
    return typeof text === 'string' ? text : null
  } catch {
    return null
  }
}

/**
 * Repeats a call: a webhook gets the same body under the same id; a flow or a DialogFlow agent gets the same text in a
 * separate session, because the customer's session must not advance.
 */
async function resendCall(scope: Scope, it: IntegrationRow, before: ExternalCall): Promise<number> {
  const opened = await openIntegration(scope, it)
  const isHook = it.type === 'n8n' || it.type === 'webhook'
  const text = isHook ? null : readAskedText(before.asked)
  const id = isHook ? readAskedId(before.asked) : null
  if (text === null && id === null) throw new AppError('ERR_VALIDATION', { callId: 'Invalid' })
  const began = performance.now()
  const { call, last } = makeRecordingCall(scope, { timeoutMs: testTimeoutMs })
  let error = ''
  try {
    if (id !== null) parseWebhookReply(await postWebhook(call, toWebhookTarget(opened), id, before.asked, scope.now()))
    else await exchangeOnce(scope, opened, call, text ?? '')
    if (it.failuresInRow) await markIntegrationHealthy(scope, it.id)
  } catch (failure) {
    error = toCallFailureCode(failure, testTimeoutMs)
  }
  const ms = Math.round(performance.now() - began)
  const { ticketId } = before
  return saveExternalCall(scope, { kind: it.type, integrationId: it.id, ticketId, ...last, ms, ok: !error, error })
}

function readAskedId(recordedRequest: string): string | null {
  try {
    const { id } = JSON.parse(recordedRequest)
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}

async function findOwnCall(scope: Scope, id: number, integrationId: number): Promise<ExternalCall> {
  const call = await findExternalCall(scope, id)
  if (!call || call.integrationId !== integrationId) throw new AppError('ERR_NOT_FOUND')
  return call
}

/** These endpoints wait for an external service, so no transaction may be open meanwhile. */
const noTransaction = { transaction: false }

export const integrationToolRoutes = [
  route(
    integrationToolsApi.test,
    async (scope, { body: { id, draft, text } }) => testIntegration(scope, await completeDraft(scope, id, draft), text),
    noTransaction,
  ),
  route(
    integrationToolsApi.testSession,
    async (scope, { body: { id, ...given } }) => {
      if (id !== undefined) await integrations.findRow(scope, id)
      const jsonContent = isMaskedSecret(given.jsonContent)
        ? await findStoredJson(scope, id, given.projectName)
        : given.jsonContent
      const none = { id: 0, name: '', urlN8N: '', typebotSlug: '', secret: '' }
      const answer = await testIntegration(scope, { ...none, ...given, type: 'dialogflow', jsonContent }, 'hola')
      if (!answer.ok)
        throw new AppError('ERR_INTEGRATION_TEST', undefined, { reason: describeCallFailureCode(answer.error) })
      return answer
    },
    noTransaction,
  ),
  route(integrationToolsApi.secret, async (scope, { params }) => ({
    secret: await renewIntegrationSecret(scope, params.id),
  })),
  route(
    integrationToolsApi.again,
    async (scope, { params: { id, callId } }) => {
      const it = await integrations.findRow(scope, id)
      return findOwnCall(scope, await resendCall(scope, it, await findOwnCall(scope, callId, id)), id)
    },
    noTransaction,
  ),
]
