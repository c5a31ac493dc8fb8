import type { BotReply } from '../../directory/integrations/bot-reply.ts'
import { matchChoices } from '../../directory/integrations/choices.ts'
import { detectIntent, type DialogflowInput as Said } from '../../directory/integrations/dialogflow.ts'
import { parseDialogflowTurn } from '../../directory/integrations/dialogflow-reply.ts'
import { openIntegrationJson } from '../../directory/integrations/integration-secrets.ts'
import type { IntegrationRow } from '../../directory/integrations/integrations.ts'
import type { ImmediateAction } from '../bot-actions/bot.ts'
import { loadCustomerMessagesWithFiles, readFileBytes } from './customer-messages.ts'
import type { IntegrationRequest } from './integration-request.ts'
import { toIntegrationAction } from './requests.ts'
import { type BotSession, sessionChange } from './session.ts'

/** After this many misunderstandings in a row an agent takes over. */
const maxMisunderstood = 2
/** Limits of DialogFlow for recordings and texts. */
const maxAudioBytes = 10 * 1024 * 1024
const maxTextLength = 256

/** One turn with a DialogFlow agent; its session is named after the ticket. */
export async function runDialogflowTurn(
  request: IntegrationRequest,
  it: IntegrationRow,
  before: BotSession | null,
): Promise<ImmediateAction> {
  const { scope, rulebook } = request
  const input = await readCustomerInput(request, before)
  const turn = input && (await detectRecordedIntent(request, it, input))
  const lost = !turn || turn.notUnderstood ? (before?.lost ?? 0) + 1 : 0
  const choices = turn?.pieces.flatMap((piece) => (piece.kind === 'text' ? (piece.choices ?? []) : [])) ?? []
  const stateChange = sessionChange({ of: it.id, at: scope.now().toISOString(), choices, lost })
  const reply: BotReply = turn || { pieces: [], tagIds: [], closesTicket: false }
  if (lost >= maxMisunderstood)
    return toIntegrationAction(
      request,
      it,
      { ...reply, closesTicket: false, transfer: reply.transfer ?? {} },
      { stateChange: stateChange, why: 'not-understood' },
    )
  if (turn?.isOver)
    return toIntegrationAction(
      request,
      it,
      { ...reply, transfer: reply.transfer ?? {} },
      { stateChange: stateChange, why: 'agent-ended' },
    )
  const pieces =
    lost && !reply.pieces.length ? [{ kind: 'text' as const, text: rulebook.botTexts.menu.wrong }] : reply.pieces
  const why = reply.transfer ? 'handed-over' : 'answered'
  return toIntegrationAction(request, it, { ...reply, pieces }, { stateChange: stateChange, why })
}

async function detectRecordedIntent({ scope, recorded, ticket }: IntegrationRequest, it: IntegrationRow, input: Said) {
  const { clock, dialogflowUrl } = scope.deps
  const { projectName, language } = it
  const account = { projectName, language, jsonContent: openIntegrationJson(scope, it) }
  return recorded(async (call) =>
    parseDialogflowTurn(await detectIntent(call, dialogflowUrl, account, ticket.uuid, input, clock)),
  )
}

/** The customer's text or recording; null if the DialogFlow agent could use neither. */
async function readCustomerInput(
  { scope, ticket, input: about, signal }: IntegrationRequest,
  before: BotSession | null,
): Promise<Said | null> {
  // A menu choice is not a question to the agent yet.
  if (about.chose) return { event: 'WELCOME' }
  const [last] = (await loadCustomerMessagesWithFiles(scope, ticket.id, undefined, signal)).slice(-1)
  if (!about.text?.trim() && last?.mediaType === 'audio' && last.mediaPath && last.mediaState === 'ready') {
    const audio = await readFileBytes(scope, last.mediaPath)
    return audio.length && audio.length <= maxAudioBytes ? { audio } : null
  }
  const words = about.text || last?.body || ''
  const picked = before?.choices.length ? matchChoices(words, before.choices, false) : null
  const text = [...(picked?.[0] ?? words).trim().slice(0, 2 * maxTextLength)].slice(0, maxTextLength).join('')
  return text ? { text } : null
}
