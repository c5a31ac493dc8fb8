import { findLine } from '../../directory/connections/find-line.ts'
import { lockContacts } from '../../directory/contacts/contact-store.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { publishThreadsChanged } from '../thread-updates.ts'
import { enqueueMessages, type OutgoingContent } from './store.ts'

/**
 * Sends a message without a ticket, such as a campaign message: it opens and closes no ticket. It is sent like any other
 * message and visible to all who see a ticket of the chat, now or later. Returns the ids.
 */
export async function sendWithoutTicket(
  scope: Scope,
  { contactId, whatsappId }: { contactId: number; whatsappId: number },
  all: OutgoingContent[],
): Promise<number[]> {
  const ids = await sendManyWithoutTicket(
    scope,
    whatsappId,
    all.map((one) => ({ contactId, content: one })),
  )
  return ids.map((id) => {
    if (id === null) throw new AppError('ERR_NO_CONTACT_FOUND')
    return id
  })
}

/**
 * Sends to many people over one line, with as many statements as for one person. Returns the ids in the given order;
 * null: the contact does not exist.
 */
export async function sendManyWithoutTicket(
  scope: Scope,
  whatsappId: number,
  all: { contactId: number; content: OutgoingContent }[],
): Promise<(number | null)[]> {
  if (!all.length) return []
  // A line that does not exist must be refused here, because no later step checks it.
  await findLine(scope, whatsappId)
  const there = new Set(
    (await lockContacts(scope, [...new Set(all.map((deliverable) => deliverable.contactId))])).map(({ id }) => id),
  )
  const deliverable = all.filter(({ contactId }) => there.has(contactId))
  const ids = await enqueueMessages(
    scope,
    deliverable.map(({ contactId, content }) => ({ target: { ticketId: null, contactId, whatsappId }, content })),
  )
  // It is not published as a new message of a ticket, because clients would move that ticket to the top of the list.
  await publishThreadsChanged(
    scope,
    [...there].map((contactId) => ({ contactId, whatsappId })),
  )
  const idOf = new Map(deliverable.map((one, n) => [one, ids[n] as number]))
  return all.map((one) => idOf.get(one) ?? null)
}
