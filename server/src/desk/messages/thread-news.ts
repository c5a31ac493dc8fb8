import { topics } from '@recado/contract/live'
import type { Scope } from '../../kernel/data/scope.ts'
import { roomsOf } from '../tickets/visibility.ts'

/** All who see any of a chat's tickets; of the chats of several, while they become one or two. */
export async function roomsOfChat(scope: Scope, contactIds: number[], whatsappId: number): Promise<string[]> {
  const seen = await scope.db
    .selectFrom('tickets')
    .select(['companyId', 'userId', 'queueId', 'status'])
    .distinct()
    .where('companyId', '=', scope.companyId)
    .where('contactId', 'in', contactIds)
    .where('whatsappId', '=', whatsappId)
    .execute()
  return [...new Set(seen.flatMap(roomsOf))]
}

/**
 * A conversation changed otherwise than message by message: old ones came, or some went. Whoever has it open, by any of
 * its tickets, reads it again.
 */
export async function tellThread(scope: Scope, contactIds: number[], whatsappId: number): Promise<void> {
  const rooms = await roomsOfChat(scope, contactIds, whatsappId)
  if (!rooms.length) return
  for (const contactId of contactIds) scope.live(topics.thread, { contactId, whatsappId }, { rooms })
}
