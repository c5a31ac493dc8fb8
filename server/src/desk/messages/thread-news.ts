import { topics } from '@recado/contract/live'
import type { Scope } from '../../kernel/scope.ts'
import { roomsOf } from '../tickets/visibility.ts'

/**
 * A conversation changed otherwise than message by message: old ones came, or one went. Whoever has it open reads it
 * again. Told to those who see it now, and to those who see the ticket in which it happened.
 */
export async function tellThread(scope: Scope, contactId: number, whatsappId: number, ticketId: number): Promise<void> {
  const tickets = await scope.db
    .selectFrom('tickets')
    .select(['id', 'companyId', 'userId', 'queueId', 'status'])
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', contactId)
    .where('whatsappId', '=', whatsappId)
    .where((eb) => eb.or([eb('id', '=', ticketId), eb('status', 'in', ['open', 'pending'])]))
    .execute()
  const rooms = [...new Set(tickets.flatMap(roomsOf))]
  if (rooms.length) scope.live(topics.thread, { contactId, whatsappId }, { rooms })
}
