import { SessionGone } from '../../directory/machines/call-out.ts'
import { chosen } from '../../directory/machines/choosing.ts'
import type { IntegrationRow } from '../../directory/machines/integrations.ts'
import type { Piece } from '../../directory/machines/reply.ts'
import { continueChat, startChat, type Told } from '../../directory/machines/typebot.ts'
import { flowTurn } from '../../directory/machines/typebot-words.ts'
import { minutes } from '../../kernel/clock.ts'
import type { Act } from '../bots/bot.ts'
import { fileOf, heardWhole } from './heard.ts'
import { kept, type Session } from './session.ts'
import type { Talk } from './talking.ts'
import { actOf } from './wishes.ts'

/** Not understood so often in a row, and a person has it. */
const mostLost = 3

const isWord = (said: string, keyword: string) =>
  keyword.trim() !== '' && said.slice(0, 200).trim().toLowerCase() === keyword.trim().toLowerCase()

/** One turn with a Typebot. A flow that is over without having handed over leaves the customer to people. */
export async function flow(talk: Talk, it: IntegrationRow, before: Session | null): Promise<Act> {
  const { about, book, scope } = talk
  const said = about.text ?? ''
  const name = { name: it.name }
  if (isWord(said, it.typebotKeywordFinish))
    return { bot: 'integration', why: 'finish-keyword', with: name, say: [], ends: true }
  const restarts = isWord(said, it.typebotKeywordRestart)
  const at = scope.now().toISOString()
  if (restarts && it.typebotRestartMessage)
    return {
      ...{ bot: 'integration', why: 'restart-keyword', with: name, again: true },
      ...{ say: [it.typebotRestartMessage], marks: kept({ of: it.id, at }) },
    }
  const told = restarts || about.chose ? nothing : await toldOf(talk, before)
  const { sessionId, answer, isNew } = await exchange(talk, it, restarts ? null : living(it, before, scope.now()), told)
  const turn = flowTurn(answer)
  const lost = !isNew && turn.lost ? (before?.lost ?? 0) + 1 : 0
  const { choices, several } = turn
  const marks = kept({ of: it.id, at, id: sessionId, choices, several, lost })
  const more = { marks, typeMs: it.typebotDelayMessage }
  if (turn.handOver) return actOf(talk, it, reply(turn.pieces, turn.handOver), { ...more, why: 'handed-over' })
  if (lost >= mostLost) return actOf(talk, it, reply([], {}), { ...more, why: 'not-understood' })
  if (!turn.asks) return actOf(talk, it, reply(turn.pieces, {}), { ...more, why: 'flow-ended' })
  const pieces = lost ? sorry(it.typebotUnknownMessage || book.wording.menu.wrong, turn.pieces) : turn.pieces
  return actOf(talk, it, reply(pieces), { ...more, why: 'answered' })
}

const nothing: Told = { text: '', files: [] }
const reply = (pieces: Piece[], transfer?: { queueId?: number; userId?: number }) => ({
  pieces,
  tagIds: [],
  ends: false,
  ...(transfer && { transfer }),
})
const sorry = (text: string, pieces: Piece[]): Piece[] => (text ? [{ kind: 'text', text }, ...pieces] : pieces)

/** Their words, where they chose those of the choice, and the addresses of their files. */
async function toldOf({ scope, ticket, about, signal }: Talk, before: Session | null): Promise<Told> {
  const [last] = (await heardWhole(scope, ticket.id, undefined, signal)).slice(-1)
  const file = last && fileOf(scope, last)
  const said = about.text || last?.body || ''
  const picked = before?.choices.length ? chosen(said, before.choices, before.several) : null
  return { text: picked ? picked.join(', ') : said, files: file ? [file] : [] }
}

/** The session that still counts: after so many minutes without a word a flow begins anew. */
function living(it: IntegrationRow, before: Session | null, now: Date): string | null {
  if (!before?.id) return null
  const expires = minutes(it.typebotExpires)
  return expires > 0 && now.getTime() - Date.parse(before.at) > expires ? null : before.id
}

async function exchange(talk: Talk, it: IntegrationRow, session: string | null, told: Told) {
  const { ticket } = talk
  const at = { url: it.urlN8N, slug: it.typebotSlug }
  if (session) {
    try {
      const answer = await talk.recorded((call) => continueChat(call, at, session, told))
      return { sessionId: session, answer, isNew: false }
    } catch (error) {
      // It forgot the conversation: once it may begin anew.
      if (!(error instanceof SessionGone)) throw error
    }
  }
  const { name, number, email } = ticket.contact
  const variables = { number, pushName: name, name, email, ticketId: String(ticket.id) }
  const answer = await talk.recorded((call) => startChat(call, at, told, variables))
  return { sessionId: answer.sessionId, answer, isNew: true }
}
