import type { TicketDetail } from '@recado/contract/tickets'
import { keepMenuStep } from '../../desk/figures/menu-steps.ts'
import { askAgain, dropQuestion, keepRating, sayCompletion } from '../../desk/rating.ts'
import { say } from '../../desk/say.ts'
import { byMachine, byMenu, change, mark, resolve, transfer } from '../../desk/tickets/lifecycle.ts'
import { noBots } from '../../desk/tickets/silence.ts'
import { retag } from '../../desk/tickets/tags.ts'
import { nextLeg, track } from '../../desk/tickets/track.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Act, Answer, Turn } from './bot.ts'

type At = Pick<Turn, 'ticket' | 'asked'>

/** Does what was decided. The ticket first, then the words: they name its new queue. */
export async function perform(scope: Scope, turn: At, deed: Act): Promise<TicketDetail> {
  if (deed.rating) await answered(scope, turn, deed.rating)
  if (deed.rating) return turn.ticket
  if (deed.heard) await keepMenuStep(scope, turn.ticket, deed.heard, deed.heard.right ? 'right' : 'wrong')
  const ticket = await marked(scope, turn.ticket, deed)
  if (deed.tagIds?.length) await tagged(scope, ticket, deed.tagIds)
  for (const [n, one] of deed.say.entries()) {
    const choices = n === deed.say.length - 1 ? (deed.choices ?? null) : null
    const { text, ...more } = typeof one === 'string' ? { text: one } : one
    await say(scope, ticket, deed.as ?? deed.bot ?? 'bot', text, { choices, again: deed.again, ...more })
  }
  return deed.ends ? resolve(scope, ticket, deed.bot === 'menu' ? byMenu : byMachine) : ticket
}

/** What is none of this company's, or was deleted meanwhile, is left out. */
async function tagged(scope: Scope, ticket: TicketDetail, tagIds: number[]): Promise<void> {
  const known = await scope.db
    .selectFrom('tags')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', tagIds)
    .execute()
  if (known.length) await retag(scope, ticket, { add: known.map(({ id }) => id) }, { why: 'by-machine' })
}

async function marked(scope: Scope, ticket: TicketDetail, deed: Act): Promise<TicketDetail> {
  const { queueId = ticket.queueId, marks = {}, leaves } = deed
  if (deed.userId) return transfer(scope, ticket, { queueId, userId: deed.userId }, 'by-machine')
  const values = { ...marks, queueId, ...(leaves && noBots) }
  const begins = marks.chatbot === true && !ticket.chatbot
  const seen = queueId !== ticket.queueId || begins || (leaves && ticket.chatbot)
  if (!seen) {
    await mark(scope, ticket.id, values)
    return ticket
  }
  const after = await change(scope, ticket, values)
  // From here on the bot is heard, or a person is waited for. Where no bot had it, the customer waits since they came.
  if (leaves && ticket.chatbot) await nextLeg(scope, after, 'bot', { queuedAt: scope.now() })
  else await track(scope, after, begins ? { chatbotAt: scope.now() } : {})
  return after
}

async function answered(scope: Scope, { asked, ticket }: At, answer: Answer): Promise<void> {
  if (!asked) return
  if (answer.kind === 'ask-again') return askAgain(scope, ticket)
  if (answer.kind === 'rated') await keepRating(scope, asked, answer.rate)
  else await dropQuestion(scope, ticket.id)
  // Who wrote again in between is waiting for somebody: no goodbye then.
  if (asked.alone && !asked.completed) await sayCompletion(scope, ticket)
}
