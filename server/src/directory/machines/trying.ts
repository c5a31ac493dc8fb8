import { randomUUID } from 'node:crypto'
import type { MachineCall } from '@recado/contract/machines/calls'
import { type IntegrationWrite, integrationToolsApi, type TestReply } from '@recado/contract/machines/integrations'
import { isMasked } from '@recado/contract/settings'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/http.ts'
import type { CallOut } from './call-out.ts'
import { codeOf, isWell, noting, saidOf } from './calling.ts'
import { callById, keepCall } from './calls.ts'
import { choiceLines } from './choosing.ts'
import { detectIntent } from './dialogflow.ts'
import { agentTurn } from './dialogflow-words.ts'
import { type IntegrationRow, integrations } from './integrations.ts'
import { jsonOf, renewSecret, secretOf } from './opened.ts'
import type { Piece, Reply } from './reply.ts'
import { startChat } from './typebot.ts'
import { flowTurn } from './typebot-words.ts'
import { newSecret, post, replyIn, type WebhookBody } from './webhook.ts'

/** Somebody looks at a button meanwhile. */
const timeoutMs = 10_000

/** What of an integration a try needs, saved or not; its secrets open. */
type Tried = Pick<IntegrationRow, 'type' | 'name' | 'urlN8N' | 'typebotSlug' | 'projectName' | 'language'> & {
  id: number
  jsonContent: string
  secret: string
}

const words = (pieces: Piece[]): string[] =>
  pieces.map((piece) =>
    piece.kind === 'file'
      ? [piece.text, piece.url].filter(Boolean).join('\n')
      : [piece.text, choiceLines(piece.choices ?? [])].filter(Boolean).join('\n\n'),
  )

/** One exchange in which nobody is a customer. */
async function once(scope: Scope, it: Tried, call: CallOut, text: string): Promise<Piece[]> {
  if (it.type === 'typebot') {
    const at = { url: it.urlN8N, slug: it.typebotSlug }
    const variables = { number: '5500000000000', pushName: 'Recado', name: 'Recado', email: '', ticketId: '0' }
    return flowTurn(await startChat(call, at, { text, files: [] }, variables)).pieces
  }
  if (it.type === 'dialogflow') {
    const { clock, dialogflowUrl } = scope.means
    return agentTurn(await detectIntent(call, dialogflowUrl, it, randomUUID(), { text }, clock)).pieces
  }
  const body = await testBody(scope, it, text)
  return piecesOf(replyIn(await post(call, hookOf(it), body.id, JSON.stringify(body), scope.now())))
}
const hookOf = ({ urlN8N, secret }: Tried) => ({ url: urlN8N, secret })
const piecesOf = (reply: Reply | null): Piece[] => reply?.pieces ?? []

async function testBody(scope: Scope, { id, name }: Tried, text: string): Promise<WebhookBody> {
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

async function tried(scope: Scope, it: Tried, text: string): Promise<TestReply> {
  const began = performance.now()
  const { call, last } = noting(scope, { timeoutMs })
  const told = (more: { ok: boolean; says: string[]; error: string }): TestReply => ({
    ...more,
    status: last.status,
    ms: Math.round(performance.now() - began),
  })
  try {
    return told({ ok: true, says: words(await once(scope, it, call, text)), error: '' })
  } catch (error) {
    return told({ ok: false, says: [], error: codeOf(error, timeoutMs) })
  }
}

/** A draft with what it does not show: where its secret is a mask, that of the integration it is a draft of. */
async function draftOf(scope: Scope, id: number | undefined, draft: IntegrationWrite): Promise<Tried> {
  const before = id === undefined ? null : await integrations.stored(scope, id)
  const jsonContent = isMasked(draft.jsonContent) ? (before ? jsonOf(scope, before) : '') : draft.jsonContent
  return { ...draft, id: id ?? 0, jsonContent, secret: before ? await secretOf(scope, before) : newSecret() }
}

/** Older clients send the mask back and no id: it means the agent of that project. */
async function storedJson(scope: Scope, id: number | undefined, projectName: string): Promise<string> {
  if (id !== undefined) return jsonOf(scope, await integrations.stored(scope, id))
  const found = await scope.db
    .selectFrom('queueIntegrations')
    .select('jsonSealed')
    .where('companyId', '=', scope.companyId)
    .where('type', '=', 'dialogflow')
    .where('projectName', '=', projectName)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found ? jsonOf(scope, found) : ''
}

const openedOf = async (scope: Scope, it: IntegrationRow): Promise<Tried> => ({
  ...it,
  jsonContent: jsonOf(scope, it),
  secret: await secretOf(scope, it),
})

/** What the customer had said, in the words of each protocol; null: it was no text. */
function textIn(asked: string): string | null {
  try {
    const { message, queryInput } = JSON.parse(asked)
    const text = message?.text ?? queryInput?.text?.text
    return typeof text === 'string' ? text : null
  } catch {
    return null
  }
}

/**
 * What was asked, once more: a webhook gets the same words under the same id, a flow or an agent the same text in a
 * conversation of its own, since the customer's must not go on by it.
 */
async function sendAgain(scope: Scope, it: IntegrationRow, before: MachineCall): Promise<number> {
  const opened = await openedOf(scope, it)
  const isHook = it.type === 'n8n' || it.type === 'webhook'
  const text = isHook ? null : textIn(before.asked)
  const id = isHook ? idIn(before.asked) : null
  if (text === null && id === null) throw new AppError('ERR_VALIDATION', { callId: 'Invalid' })
  const began = performance.now()
  const { call, last } = noting(scope, { timeoutMs })
  let error = ''
  try {
    if (id !== null) replyIn(await post(call, hookOf(opened), id, before.asked, scope.now()))
    else await once(scope, opened, call, text ?? '')
    if (it.failuresInRow) await isWell(scope, it.id)
  } catch (failure) {
    error = codeOf(failure, timeoutMs)
  }
  const ms = Math.round(performance.now() - began)
  const { ticketId } = before
  return keepCall(scope, { kind: it.type, integrationId: it.id, ticketId, ...last, ms, ok: !error, error })
}

function idIn(asked: string): string | null {
  try {
    const { id } = JSON.parse(asked)
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}

async function callOf(scope: Scope, id: number, integrationId: number): Promise<MachineCall> {
  const call = await callById(scope, id)
  if (!call || call.integrationId !== integrationId) throw new AppError('ERR_NOT_FOUND')
  return call
}

/** These wait for somebody outside: no transaction is open meanwhile. */
const outside = { transaction: false }

export const integrationToolRoutes = [
  route(
    integrationToolsApi.test,
    async (scope, { body: { id, draft, text } }) => tried(scope, await draftOf(scope, id, draft), text),
    outside,
  ),
  route(
    integrationToolsApi.testSession,
    async (scope, { body: { id, ...given } }) => {
      if (id !== undefined) await integrations.stored(scope, id)
      const jsonContent = isMasked(given.jsonContent)
        ? await storedJson(scope, id, given.projectName)
        : given.jsonContent
      const none = { id: 0, name: '', urlN8N: '', typebotSlug: '', secret: '' }
      const answer = await tried(scope, { ...none, ...given, type: 'dialogflow', jsonContent }, 'hola')
      if (!answer.ok) throw new AppError('ERR_INTEGRATION_TEST', undefined, { reason: saidOf(answer.error) })
      return answer
    },
    outside,
  ),
  route(integrationToolsApi.secret, async (scope, { params }) => ({ secret: await renewSecret(scope, params.id) })),
  route(
    integrationToolsApi.again,
    async (scope, { params: { id, callId } }) => {
      const it = await integrations.stored(scope, id)
      return callOf(scope, await sendAgain(scope, it, await callOf(scope, callId, id)), id)
    },
    outside,
  ),
]
