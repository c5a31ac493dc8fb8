import type { Scope } from '../../kernel/data/scope.ts'
import { publishChangedMessages } from './store.ts'

/** The messages of a moved ticket that still wait are sent by its new line. One that is being sent stays. */
export async function moveWaitingMessages(scope: Scope, ticketId: number, fromId: number, toId: number): Promise<void> {
  const rows = await scope.db
    .updateTable('messages')
    .set({ whatsappId: toId, notBefore: null, error: null })
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .where('whatsappId', '=', fromId)
    .where('fromMe', '=', true)
    .where('state', '=', 'queued')
    .returning('id')
    .execute()
  if (!rows.length) return
  await publishChangedMessages(
    scope,
    rows.map(({ id }) => id),
  )
  await scope.signal('outbox', toId)
}
