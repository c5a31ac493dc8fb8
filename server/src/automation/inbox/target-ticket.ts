import type { TicketDetail, TicketEventStep } from '@recado/contract/tickets'
import { deskContactHooks } from '../../desk/composition/contact-hooks.ts'
import { addLineTask } from '../../desk/messages/line-tasks.ts'
import { findPendingComment, findPendingRating, type PendingRating } from '../../desk/rating.ts'
import { publishThreadToReaders } from '../../desk/thread-updates.ts'
import { publishTicketChanged } from '../../desk/tickets/base/publish-ticket.ts'
import { lockTicket } from '../../desk/tickets/base/ticket-view.ts'
import { makeStep } from '../../desk/tickets/base/tracking.ts'
import { joinOrOpenTicket, type OpenedTicket } from '../../desk/tickets/open.ts'
import { type ContactEvidence, type ResolvedContact, resolveContact } from '../../directory/contacts/resolve-contact.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { LineRow } from '../../lines/line.ts'
import { parseRating } from '../bots/rating.ts'
import type { Rulebook } from '../rulebook.ts'

/** Finds or creates the sender's contact. For a new contact, the line fetches the profile picture. */
export async function resolveSender(
  scope: Scope,
  row: LineRow,
  who: Omit<ContactEvidence, 'whatsappId'>,
): Promise<ResolvedContact> {
  const person = await resolveContact(scope, { ...who, whatsappId: row.id }, deskContactHooks)
  if (person.outcome === 'new') await addLineTask(scope, row.id, { kind: 'picture', contactId: person.contact.id })
  return person
}

/** The ticket of a message. An answer to a rating question belongs to the ticket to be rated. */
export type TargetTicket =
  | OpenedTicket
  | { id: number; how: 'answers'; status: 'pending' | 'closed' }
  | { id: number; how: 'steers'; status: 'pending' | 'open' | 'closed' }

/**
 * The person's active ticket on this line, or a new ticket in the wanted queue. On a line with one queue, the ticket
 * waits in that queue without a menu. `says`: see `joinOrOpenTicket`.
 */
export async function findOrOpenTicket(
  scope: Scope,
  rulebook: Rulebook,
  row: LineRow,
  contactId: number,
  isGroup: boolean,
  {
    preferredQueueId = null,
    preview,
  }: { preferredQueueId?: number | null | undefined; preview?: string | undefined } = {},
): Promise<OpenedTicket> {
  const queueIds = rulebook.lines.get(row.id)?.queueIds ?? []
  const queueId = preferredQueueId ?? (queueIds.length === 1 ? (queueIds[0] ?? null) : null)
  const reuseMinutes = Number(rulebook.setting('autoReopenTimeout'))
  return joinOrOpenTicket(scope, { contactId, whatsappId: row.id, isGroup, queueId, reuseMinutes, preview: preview })
}

/**
 * The rating question, or the question for a comment, that this text answers. Its ticket is locked before the check: an
 * agent may be reopening it.
 */
export async function findAnsweredRating(
  scope: Scope,
  row: LineRow,
  contactId: number,
  text: string | null,
): Promise<PendingRating | null> {
  if (text === null || text.trim() === '') return null
  const find = async () =>
    (parseRating(text) === null ? null : await findPendingRating(scope, contactId, row.id)) ??
    (await findPendingComment(scope, contactId, row.id))
  const pendingRating = await find()
  if (!pendingRating) return null
  await lockTicket(scope, pendingRating.ticketId)
  const now = await find()
  return now?.ticketId === pendingRating.ticketId ? now : null
}

/** The rating question that this message leaves unanswered; null if the rating is already completed. */
export async function findSkippedRating(
  scope: Scope,
  rulebook: Rulebook,
  row: LineRow,
  contactId: number,
): Promise<PendingRating | null> {
  if (rulebook.setting('userRating') !== 'enabled') return null
  const pendingRating = await findPendingRating(scope, contactId, row.id)
  return pendingRating?.alone && !pendingRating.completed ? pendingRating : null
}

/** Publishes a ticket that is new or reopened. */
export async function publishOpenedTicket(scope: Scope, target: TargetTicket, ticket: TicketDetail): Promise<void> {
  if (target.how !== 'opened' && target.how !== 'reused') return
  publishTicketChanged(scope, target.before ?? null, ticket)
  if (target.before) await publishThreadToReaders(scope, target.before, ticket)
}

export const contactStep = ({ outcome: how, matchedBy: by, contact }: ResolvedContact): TicketEventStep =>
  makeStep('contact', how, { by, name: contact.name })

const ticketReasons = {
  joined: 'joined',
  opened: 'no-living-ticket',
  reused: 'closed-a-moment-ago',
  answers: 'answers-the-rating',
  steers: 'answers-a-campaign',
} as const
export const ticketStep = (
  { how, id, status }: TargetTicket,
  { number }: Pick<TicketDetail, 'number'>,
): TicketEventStep => makeStep('ticket', ticketReasons[how], { ticket: id, number, status })
