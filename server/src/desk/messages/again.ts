import type { Scope } from '../../kernel/data/scope.ts'
import { changeMessage } from './store.ts'

/**
 * One that was refused is tried again as it is: the vendor knows its id, so it arrives once. False where there is none
 * to try.
 */
export async function sendAgain(scope: Scope, messageId: number): Promise<boolean> {
  const message = await scope.db
    .selectFrom('messages')
    .select(['state', 'isDeleted', 'whatsappId'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', messageId)
    .executeTakeFirst()
  if (message?.state !== 'failed' || message.isDeleted) return false
  await changeMessage(scope, messageId, { state: 'queued', ack: 1, error: null })
  await scope.signal('outbox', message.whatsappId)
  return true
}
