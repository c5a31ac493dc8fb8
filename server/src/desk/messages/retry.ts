import type { Scope } from '../../kernel/data/scope.ts'
import { changeMessage } from './store.ts'

/**
 * One that was refused is tried again as it is: the vendor knows its id, so it arrives once. False where there is none
 * to try, and where it waited for another line than this: that one may be gone, and nobody would ever send it.
 */
export async function retryMessage(scope: Scope, messageId: number, whatsappId: number): Promise<boolean> {
  const message = await scope.db
    .selectFrom('messages')
    .select(['state', 'isDeleted', 'whatsappId'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', messageId)
    .executeTakeFirst()
  if (message?.state !== 'failed' || message.isDeleted || message.whatsappId !== whatsappId) return false
  await changeMessage(scope, messageId, { state: 'queued', ack: 1, error: null })
  await scope.signal('outbox', whatsappId)
  return true
}
