import type { ReplyPiece } from '../../directory/integrations/bot-reply.ts'
import { matchChoices } from '../../directory/integrations/choices.ts'
import { SessionGoneError } from '../../directory/integrations/external-call.ts'
import type { IntegrationRow } from '../../directory/integrations/integrations.ts'
import { continueTypebotChat, startTypebotChat, type TypebotMessage } from '../../directory/integrations/typebot.ts'
import { parseTypebotTurn } from '../../directory/integrations/typebot-reply.ts'
import { minutes } from '../../kernel/clock.ts'
import type { ImmediateAction } from '../bot-actions/bot.ts'
import { customerFileUrl, loadCustomerMessagesWithFiles } from './customer-messages.ts'
import type { IntegrationRequest } from './integration-request.ts'
import { toIntegrationAction } from './requests.ts'
import { type BotSession, sessionChange } from './session.ts'

/** After this many misunderstandings in a row an agent takes over. */
const maxMisunderstood = 3

const isKeyword = (customerText: string, keyword: string) =>
  keyword.trim() !== '' && customerText.slice(0, 200).trim().toLowerCase() === keyword.trim().toLowerCase()

/** Runs one turn with a Typebot. If a flow ends without a handover, the ticket goes to agents all the same. */
export async function runTypebotTurn(
  request: IntegrationRequest,
  it: IntegrationRow,
  before: BotSession | null,
): Promise<ImmediateAction> {
  const { input: about, rulebook, scope } = request
  const customerText = about.text ?? ''
  const name = { name: it.name }
  if (isKeyword(customerText, it.typebotKeywordFinish))
    return { bot: 'integration', why: 'finish-keyword', with: name, messages: [], closesTicket: true }
  const restarts = isKeyword(customerText, it.typebotKeywordRestart)
  const at = scope.now().toISOString()
  if (restarts && it.typebotRestartMessage)
    return {
      ...{ bot: 'integration', why: 'restart-keyword', with: name, allowRepeat: true },
      ...{ messages: [it.typebotRestartMessage], stateChange: sessionChange({ of: it.id, at }) },
    }
  const input = restarts || about.chose ? emptyInput : await readCustomerInput(request, before)
  const { sessionId, answer, isNew } = await exchangeWithTypebot(
    request,
    it,
    restarts ? null : activeSessionId(it, before, scope.now()),
    input,
  )
  const turn = parseTypebotTurn(answer)
  const lost = !isNew && turn.notUnderstood ? (before?.lost ?? 0) + 1 : 0
  const { choices, allowsMultiple: several } = turn
  const stateChange = sessionChange({ of: it.id, at, id: sessionId, choices, several, lost })
  const more = { stateChange: stateChange, typingMs: it.typebotDelayMessage }
  if (turn.handOver)
    return toIntegrationAction(request, it, makeReply(turn.pieces, turn.handOver), { ...more, why: 'handed-over' })
  if (lost >= maxMisunderstood)
    return toIntegrationAction(request, it, makeReply([], {}), { ...more, why: 'not-understood' })
  if (!turn.waitsForAnswer)
    return toIntegrationAction(request, it, makeReply(turn.pieces, {}), { ...more, why: 'flow-ended' })
  const pieces = lost ? withApology(it.typebotUnknownMessage || rulebook.botTexts.menu.wrong, turn.pieces) : turn.pieces
  return toIntegrationAction(request, it, makeReply(pieces), { ...more, why: 'answered' })
}

const emptyInput: TypebotMessage = { text: '', files: [] }
const makeReply = (pieces: ReplyPiece[], transfer?: { queueId?: number; userId?: number }) => ({
  pieces,
  tagIds: [],
  closesTicket: false,
  ...(transfer && { transfer }),
})
const withApology = (text: string, pieces: ReplyPiece[]): ReplyPiece[] =>
  text ? [{ kind: 'text', text }, ...pieces] : pieces

/** The customer's text, or the text of their choice, and the URLs of their files. */
async function readCustomerInput(
  { scope, ticket, input: about, signal }: IntegrationRequest,
  before: BotSession | null,
): Promise<TypebotMessage> {
  const [last] = (await loadCustomerMessagesWithFiles(scope, ticket.id, undefined, signal)).slice(-1)
  const file = last && customerFileUrl(scope, last)
  const customerText = about.text || last?.body || ''
  const picked = before?.choices.length ? matchChoices(customerText, before.choices, before.several) : null
  return { text: picked ? picked.join(', ') : customerText, files: file ? [file] : [] }
}

/** The session id if the session is still valid: after the configured minutes of silence a flow restarts. */
function activeSessionId(it: IntegrationRow, before: BotSession | null, now: Date): string | null {
  if (!before?.id) return null
  const expires = minutes(it.typebotExpires)
  return expires > 0 && now.getTime() - Date.parse(before.at) > expires ? null : before.id
}

async function exchangeWithTypebot(
  request: IntegrationRequest,
  it: IntegrationRow,
  session: string | null,
  input: TypebotMessage,
) {
  const { ticket } = request
  const at = { url: it.urlN8N, slug: it.typebotSlug }
  if (session) {
    try {
      const answer = await request.recorded((call) => continueTypebotChat(call, at, session, input))
      return { sessionId: session, answer, isNew: false }
    } catch (error) {
      // The session is gone at Typebot: restart it once.
      if (!(error instanceof SessionGoneError)) throw error
    }
  }
  const { name, number, email } = ticket.contact
  const variables = { number, pushName: name, name, email, ticketId: String(ticket.id) }
  const answer = await request.recorded((call) => startTypebotChat(call, at, input, variables))
  return { sessionId: answer.sessionId, answer, isNew: true }
}
