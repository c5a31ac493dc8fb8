import { type Selectable, sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { addLineTask } from './line-tasks.ts'
import { enqueueSteps, hasStepsSql } from './outgoing.ts'
import { publishChangedMessages } from './store.ts'
import { publishMessageWebhooks } from './webhook-events.ts'

/** The acknowledgement level of our own message. */
type DeliveryStatus = { targetId: string; ack: 2 | 3 | 4 | 5 }
type UpdatedMessage = Pick<
  Selectable<DB['messages']>,
  'id' | 'contactId' | 'wid' | 'body' | 'isDeleted' | 'isEdited'
> & {
  before: string
  hasSteps: boolean
}

/**
 * Acknowledgements only move forward. An acknowledgement also proves that the message was sent, whatever its state. It
 * does not clear an error of a sent message, such as a missing file or a refused edit.
 */
export async function applyDeliveryStatus(scope: Scope, whatsappId: number, acks: DeliveryStatus[]): Promise<void> {
  const { rows } = await sql<UpdatedMessage>`
    with told as (
      select wid, max(ack) as ack
      from unnest(${acks.map((a) => a.targetId)}::text[], ${acks.map((a) => a.ack)}::smallint[]) a (wid, ack) group by wid
    ), before as (
      select m.id, m.state, t.ack from told t join messages m on m.wid = t.wid
      where m."companyId" = ${scope.companyId} and m."whatsappId" = ${whatsappId} and m."fromMe" and m.ack < t.ack
      order by m.id for update of m
    )
    update messages set ack = b.ack, "ackAt" = ${scope.now()}, state = 'sent', error = case when b.state = 'sent' then messages.error end
    from before b where messages."companyId" = ${scope.companyId} and messages.id = b.id
    returning messages.id, messages."contactId", messages.wid, messages.body, messages."isDeleted", messages."isEdited",
      b.state as before, b.state <> 'sent' and ${hasStepsSql} as "hasSteps"`.execute(scope.db)
  for (const { id, hasSteps } of rows) if (hasSteps) await enqueueSteps(scope, id)
  for (const one of rows) if (one.before !== 'sent') await correctAfterDelivery(scope, whatsappId, one)
  const ids = rows.map((r) => r.id)
  await publishMessageWebhooks(scope, 'message.state', ids)
  await publishChangedMessages(scope, ids)
}

/**
 * The message was deleted or edited while its send result was unknown. The phone may show the earlier text, so the
 * change is sent again.
 */
async function correctAfterDelivery(scope: Scope, whatsappId: number, ticked: UpdatedMessage): Promise<void> {
  const { contactId, wid, body, isDeleted, isEdited } = ticked
  if (isDeleted) await addLineTask(scope, whatsappId, { kind: 'revoke', contactId, wid })
  else if (isEdited)
    await addLineTask(scope, whatsappId, { kind: 'edit', contactId, wid, body, was: { body, isEdited } })
}

/** The vendor reports that an accepted message was not delivered. A message already delivered stays delivered. */
export async function markNotDelivered(
  scope: Scope,
  whatsappId: number,
  { targetId, reason }: { targetId: string; reason: string },
): Promise<{ id: number; ticketId: number | null } | undefined> {
  const { rows } = await sql<{ id: number; ticketId: number | null }>`
    update messages set state = 'failed', ack = 0, "ackAt" = ${scope.now()}, error = ${reason}
    where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} and wid = ${targetId} and "fromMe"
      and state in ('sending', 'sent') and ack < 3
    returning id, "ticketId"`.execute(scope.db)
  const ids = rows.map((r) => r.id)
  await publishMessageWebhooks(scope, 'message.state', ids)
  await publishChangedMessages(scope, ids)
  return rows[0]
}
