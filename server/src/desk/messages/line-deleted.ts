import { lineDeletedReason } from '@recado/contract/messages'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { notifyUnsent } from '../tickets/base/notices.ts'
import { publishChangedMessages } from './store.ts'
import { publishMessageWebhooks } from './webhook-events.ts'

/** The number of messages per event to a browser. */
const maxMessagesPerEvent = 200

/**
 * The line was deleted: waiting messages and pending downloads fail with the reason. The outbox corrects a message that is
 * being sent at this moment. The authors are notified in the same transaction, because after a crash no message would be
 * waiting and nobody would be notified.
 */
export async function failMessagesOfDeletedLine(scope: Scope, whatsappId: number): Promise<void> {
  const ids = await scope.transaction(async (tx) => {
    const { rows } = await sql<{ id: string; isOurs: boolean }>`
    update messages set error = ${lineDeletedReason},
      ack = case when state in ('queued', 'sending') then 0 else ack end,
      state = case when state in ('queued', 'sending') then 'failed' else state end,
      "mediaState" = case when "mediaState" = 'pending' then 'failed' else "mediaState" end
    where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId}
      and (state in ('queued', 'sending') or "mediaState" = 'pending') returning id, "fromMe" as "isOurs"`.execute(
      tx.db,
    )
    const ours = rows.filter((row) => row.isOurs).map((row) => row.id)
    await publishMessageWebhooks(tx, 'message.state', ours)
    const all = rows.map((row) => Number(row.id))
    await notifyUnsent(tx, all)
    return all
  })
  for (let from = 0; from < ids.length; from += maxMessagesPerEvent)
    await scope.transaction((tx) => publishChangedMessages(tx, ids.slice(from, from + maxMessagesPerEvent)))
}
