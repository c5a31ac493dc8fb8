import type { Step, TicketDetail } from '@recado/contract/tickets'
import { addErrand } from '../../desk/messages/errands.ts'
import { tellReaders } from '../../desk/messages/thread-news.ts'
import { type Asked, askedOf } from '../../desk/rating.ts'
import { atDesk } from '../../desk/tickets/at-desk.ts'
import { joinOrOpen, type Opened } from '../../desk/tickets/open.ts'
import { tellChanged } from '../../desk/tickets/tell.ts'
import { step } from '../../desk/tickets/track.ts'
import { holdTicket } from '../../desk/tickets/view.ts'
import { type Resolved, resolveContact, type Who } from '../../directory/contacts/resolve.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { LineRow } from '../../lines/line.ts'
import { numberIn } from '../bots/rating.ts'
import type { Rulebook } from '../rulebook.ts'

/** Who writes. Of somebody new the line is asked for a picture. */
export async function personOf(scope: Scope, row: LineRow, who: Omit<Who, 'whatsappId'>): Promise<Resolved> {
  const person = await resolveContact(scope, { ...who, whatsappId: row.id }, atDesk)
  if (person.how === 'new') await addErrand(scope, row.id, { kind: 'picture', contactId: person.contact.id })
  return person
}

/** Where a message belongs. One that answers the rating question belongs to the ticket that was asked about. */
export type Place =
  | Opened
  | { id: number; how: 'answers'; status: 'pending' | 'closed' }
  | { id: number; how: 'steers'; status: 'pending' | 'open' | 'closed' }

/**
 * The person's living ticket on this line, or a new one, in the queue that is wanted. A line with one queue has no choice
 * to offer: it waits there. `says`: see `joinOrOpen`.
 */
export async function placeFor(
  scope: Scope,
  book: Rulebook,
  row: LineRow,
  contactId: number,
  isGroup: boolean,
  { wanted = null, says }: { wanted?: number | null | undefined; says?: string | undefined } = {},
): Promise<Opened> {
  const queueIds = book.lines.get(row.id)?.queueIds ?? []
  const queueId = wanted ?? (queueIds.length === 1 ? (queueIds[0] ?? null) : null)
  const reuseMinutes = Number(book.setting('autoReopenTimeout'))
  return joinOrOpen(scope, { contactId, whatsappId: row.id, isGroup, queueId, reuseMinutes, says })
}

/** The question that this text answers. Its ticket is held before we look again: its agent may be taking it back. */
export async function questionFor(
  scope: Scope,
  row: LineRow,
  contactId: number,
  text: string | null,
): Promise<Asked | null> {
  const asked = text === null || numberIn(text) === null ? null : await askedOf(scope, contactId, row.id)
  if (!asked) return null
  await holdTicket(scope, asked.ticketId)
  const now = await askedOf(scope, contactId, row.id)
  return now?.ticketId === asked.ticketId ? now : null
}

/** The question that is left without an answer by what they wrote instead; null where its last word was said. */
export async function unansweredBy(
  scope: Scope,
  book: Rulebook,
  row: LineRow,
  contactId: number,
): Promise<Asked | null> {
  if (book.setting('userRating') !== 'enabled') return null
  const asked = await askedOf(scope, contactId, row.id)
  return asked?.alone && !asked.completed ? asked : null
}

/** A ticket that is new, or came back, is news by itself. */
export async function tellPlace(scope: Scope, opened: Place, ticket: TicketDetail): Promise<void> {
  if (opened.how !== 'opened' && opened.how !== 'reused') return
  tellChanged(scope, opened.before ?? null, ticket)
  if (opened.before) await tellReaders(scope, opened.before, ticket)
}

export const personStep = ({ how, by, contact }: Resolved): Step => step('contact', how, { by, name: contact.name })

const whyHere = {
  joined: 'joined',
  opened: 'no-living-ticket',
  reused: 'closed-a-moment-ago',
  answers: 'answers-the-rating',
  steers: 'answers-a-campaign',
} as const
export const placeStep = ({ how, id, status }: Place, { number }: Pick<TicketDetail, 'number'>): Step =>
  step('ticket', whyHere[how], { ticket: id, number, status })
