import { chosen } from '../../directory/machines/choosing.ts'
import { detectIntent, type Heard as Said } from '../../directory/machines/dialogflow.ts'
import { agentTurn } from '../../directory/machines/dialogflow-words.ts'
import type { IntegrationRow } from '../../directory/machines/integrations.ts'
import { jsonOf } from '../../directory/machines/opened.ts'
import type { Reply } from '../../directory/machines/reply.ts'
import type { Act } from '../bots/bot.ts'
import { bytesOf, heardWhole } from './heard.ts'
import { kept, type Session } from './session.ts'
import type { Talk } from './talking.ts'
import { actOf } from './wishes.ts'

/** Not understood so often in a row, and a person has it. */
const mostLost = 2
/** DialogFlow takes no longer recordings, nor longer texts. */
const mostAudio = 10 * 1024 * 1024
const mostText = 256

/** One turn with a DialogFlow agent; the conversation there has the ticket's own name. */
export async function agent(talk: Talk, it: IntegrationRow, before: Session | null): Promise<Act> {
  const { scope, book } = talk
  const said = await saidIn(talk, before)
  const turn = said && (await ask(talk, it, said))
  const lost = !turn || turn.lost ? (before?.lost ?? 0) + 1 : 0
  const choices = turn?.pieces.flatMap((piece) => (piece.kind === 'text' ? (piece.choices ?? []) : [])) ?? []
  const marks = kept({ of: it.id, at: scope.now().toISOString(), choices, lost })
  const wish: Reply = turn || { pieces: [], tagIds: [], ends: false }
  if (lost >= mostLost)
    return actOf(talk, it, { ...wish, ends: false, transfer: wish.transfer ?? {} }, { marks, why: 'not-understood' })
  if (turn?.over) return actOf(talk, it, { ...wish, transfer: wish.transfer ?? {} }, { marks, why: 'agent-ended' })
  const pieces = lost && !wish.pieces.length ? [{ kind: 'text' as const, text: book.wording.menu.wrong }] : wish.pieces
  const why = wish.transfer ? 'handed-over' : 'answered'
  return actOf(talk, it, { ...wish, pieces }, { marks, why })
}

async function ask({ scope, recorded, ticket }: Talk, it: IntegrationRow, said: Said) {
  const { clock, dialogflowUrl } = scope.means
  const { projectName, language } = it
  const account = { projectName, language, jsonContent: jsonOf(scope, it) }
  return recorded(async (call) => agentTurn(await detectIntent(call, dialogflowUrl, account, ticket.uuid, said, clock)))
}

/** Words or a recording; null: nothing that an agent could make something of. */
async function saidIn({ scope, ticket, about, signal }: Talk, before: Session | null): Promise<Said | null> {
  // What they chose from a menu was no question yet.
  if (about.chose) return { event: 'WELCOME' }
  const [last] = (await heardWhole(scope, ticket.id, undefined, signal)).slice(-1)
  if (!about.text?.trim() && last?.mediaType === 'audio' && last.mediaPath && last.mediaState === 'ready') {
    const audio = await bytesOf(scope, last.mediaPath)
    return audio.length && audio.length <= mostAudio ? { audio } : null
  }
  const words = about.text || last?.body || ''
  const picked = before?.choices.length ? chosen(words, before.choices, false) : null
  const text = [...(picked?.[0] ?? words).trim().slice(0, 2 * mostText)].slice(0, mostText).join('')
  return text ? { text } : null
}
