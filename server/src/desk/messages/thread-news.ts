import { topics } from '@recado/contract/live'
import type { Scope } from '../../kernel/scope.ts'
import { roomsOf } from '../tickets/visibility.ts'

/** All who see any of a chat's tickets. */
export async function roomsOfChat(scope: Scope, contactId: number, whatsappId: number): Promise<string[]> {
  const seen = await scope.db
    .selectFrom('tickets')
    .select(['companyId', 'userId', 'queueId', 'status'])
    .distinct()
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', contactId)
    .where('whatsappId', '=', whatsappId)
    .execute()
  return [...new Set(seen.flatMap(roomsOf))]
}

/**
 * A conversation changed otherwise than message by message: old ones came, or one went. Whoever has it open, by any of
 * its tickets, reads it again.
 */
export async function tellThread(scope: Scope, contactId: number, whatsappId: number): Promise<void> {
  const rooms = await roomsOfChat(scope, contactId, whatsappId)
  if (rooms.length) scope.live(topics.thread, { contactId, whatsappId }, { rooms })
}
