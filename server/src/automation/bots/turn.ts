import type { Step, TicketDetail } from '@recado/contract/tickets'
import { step } from '../../desk/tickets/track.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { writeAsk } from '../asking/asks.ts'
import { homeOf, type Rulebook } from '../rulebook.ts'
import type { Bot, Deed, Turn } from './bot.ts'
import { greeting } from './greeting.ts'
import { closedPeriod, hours } from './hours.ts'
import { entering, machine, onlyQueue } from './machine.ts'
import { menu } from './menu.ts'
import { perform } from './perform.ts'
import { numberIn, rating } from './rating.ts'
import { stateOf } from './state.ts'

/** In this order, and the first that does something has done it. */
export const houseBots: readonly Bot[] = [rating, hours, machine, menu, onlyQueue, greeting]

export function decide(turn: Turn, bots: readonly Bot[] = houseBots): Deed | null {
  if (turn.state.disableBot && !turn.asked) return silenced(turn)
  for (const bot of bots) {
    const deed = entering(turn, bot(turn))
    if (deed) return deed
  }
  // Nobody had anything to say: from now on it is for people, and its messages go the quick way.
  return turn.state.botLeft ? null : { bot: null, why: '', say: [], leaves: true }
}

/** This contact hears no bots; people must find the ticket all the same. */
function silenced({ line, ticket, state }: Turn): Deed | null {
  if (state.botLeft) return null
  const queueId = ticket.queueId ?? homeOf(line)
  return { bot: 'silent', why: 'bots-are-off-for-this-contact', say: [], leaves: true, queueId }
}

/**
 * The house answers by itself, in the transaction that stored the message: all of it happened or none of it. A ticket
 * that a person has is theirs alone. Returns who has it then, and where.
 */
export async function takeTurn(
  scope: Scope,
  book: Rulebook,
  ticket: TicketDetail,
  heard: Pick<Turn, 'text' | 'at' | 'cameBack' | 'asked'>,
  bots?: readonly Bot[],
): Promise<{ steps: Step[]; ticket: TicketDetail }> {
  const line = book.lines.get(ticket.whatsappId ?? 0)
  const waits = ticket.status === 'pending' && ticket.userId === null && !ticket.isGroup
  if (!line || (!waits && !heard.asked)) return { steps: [], ticket }
  const turn = { ...heard, book, line, ticket, state: await stateOf(scope, ticket.id), now: scope.now() }
  const deed = decide(turn, bots)
  if (!deed) return { steps: [], ticket }
  const after = await perform(scope, turn, { say: [], ...deed })
  if ('ask' in deed) await writeAsk(scope, ticket.id, deed)
  return { steps: deed.bot === null ? [] : [step(deed.bot, deed.why, deed.with)], ticket: after }
}

type Seen = Pick<TicketDetail, 'status' | 'isGroup' | 'queueId'> & { botLeft: boolean; awayTold: string | null }

/** Whether a text to this ticket can only be for people: then it goes the quick way. */
export function isForPeople(book: Rulebook, ticket: Seen, disableBot: boolean, text: string, now: Date): boolean {
  if (ticket.status === 'open' || ticket.isGroup) return true
  if (!ticket.botLeft) return false
  // It may be the answer to the question that came with the end of the last ticket.
  if (book.setting('userRating') === 'enabled' && numberIn(text) !== null) return false
  if (disableBot) return true
  const period = closedPeriod(book, ticket.queueId, now)
  return period === null || period === ticket.awayTold
}
