import type { Scope } from '../../kernel/data/scope.ts'
import { changeMessage } from './store.ts'

/**
 * Sends a refused message again unchanged: the vendor knows its id, so it arrives once. False if there is no message to
 * retry, or if it belonged to another line: that line may be deleted, and the message would never be sent.
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
