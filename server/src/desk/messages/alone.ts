import { findLine } from '../../directory/connections/connections.ts'
import { findContact } from '../../directory/contacts/people.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { enqueue, type Outgoing } from './store.ts'
import { tellThread } from './thread-news.ts'

/**
 * What we say of our own accord and in no ticket, as a campaign's message: it opens none and closes none. It leaves as
 * any other, and is read in the conversation by all who see a ticket of the chat, now or later. Returns the ids.
 */
export async function sendAlone(
  scope: Scope,
  { contactId, whatsappId }: { contactId: number; whatsappId: number },
  all: Outgoing[],
): Promise<number[]> {
  await findContact(scope, contactId)
  // Nothing else would refuse a line that is not there.
  await findLine(scope, whatsappId)
  const ids = await enqueue(scope, { ticketId: null, contactId, whatsappId }, all)
  // Not as a new message of a ticket: who hears that puts the ticket on top of their list.
  await tellThread(scope, [contactId], whatsappId)
  return ids
}
