import { lineDeletedReason } from '@recado/contract/messages'
import { type RawBuilder, sql } from 'kysely'
import type { Deps, Scope } from '../../kernel/data/scope.ts'
import { scheduleFileRemoval } from '../../kernel/files/media.ts'
import { strangerBound } from '../reach-out-hold.ts'
import { replyWindowEndSql } from '../reply-window.ts'
import type { ReplySnapshot, SendAs } from '../tables.ts'
import { publishThreadsChanged } from '../thread-updates.ts'
import { publishMessageWebhooks } from './webhook-events.ts'

/** A message that waits to be sent, with all data that the line needs. */
export type OutgoingMessage = {
  id: number
  wid: string
  body: string
  mediaType: string
  mediaPath: string | null
  mediaName: string | null
  isDeleted: boolean
  isEdited: boolean
  contactId: number
  number: string
  isGroup: boolean
  identities: { kind: string; value: string }[]
  quoted: { id: string; fromMe: boolean; body: string } | null
  sendAs: SendAs | null
  windowEndsAt: string | null
  /** Whether the message goes to a contact who did not write recently, on a paced line. */
  isCold: boolean
  /** Whether the contact has not written for so long that WhatsApp takes the line for a stranger. */
  isStranger: boolean
  /** Whether the message belongs to a campaign, and may be sent only in the campaign hours. */
  isBulk: boolean
  /** The trace id of the message (kernel/trace.ts). */
  trace: string | null
}

// A message that is held for an undo holds back all later messages to the same contact, so that the order stays.
// Low-priority messages are sent after all others. From here on the message is being sent, so deleting it
// means revoking it. If the process dies meanwhile, the message is claimed again under the same id, which the
// vendor recognises.
const claimNextSql = `
  with held as materialized (
    select "contactId", min(id) as id from messages
    where "companyId" = $1 and "whatsappId" = $2 and "notBefore" > $7 and state = 'queued' group by 1
  ), next as (
    update messages set state = 'sending' where id = (
      select id from messages m where "companyId" = $1 and "whatsappId" = $2 and state in ('queued', 'sending')
        and "contactId" <> all($3::int[]) and ($6::timestamptz is null or ${replyWindowEndSql('m')} > $6)
        and (not $8 or m."campaignId" is null or not m.later)
        and not exists (select from held h where h."contactId" = m."contactId" and h.id <= m.id)
      order by later, id limit 1 for update
    ) and state in ('queued', 'sending') returning *
  )
  select m.id, m.wid, m.body, m."mediaType", m."mediaPath", m."mediaName", m."isDeleted", m."isEdited", m."contactId", c.number, c."isGroup",
    m."sendAs", m.trace, case when $4 then ${replyWindowEndSql('m')} end as "windowEndsAt",
    $5 and ${replyWindowEndSql('m')} <= $7 as "isCold", $5 and ${replyWindowEndSql('m')} <= $9 as "isStranger", m."campaignId" is not null and m.later as "isBulk",
    coalesce((select json_agg(json_build_object('kind', i.kind, 'value', i.value)) from "contactIdentities" i
      where i."companyId" = c."companyId" and i."contactId" = c.id), '[]') as identities,
    case when o.id is not null then json_build_object('id', o.wid, 'fromMe', o."fromMe", 'body', o.body) end as quoted
  from next m join contacts c on c."companyId" = m."companyId" and c.id = m."contactId"
  left join messages o on o."whatsappId" = m."whatsappId" and o.wid = m."quotedWid" and o."companyId" = m."companyId"`

/**
 * `coldBefore`: messages to contacts whose reply window ended before this moment must wait now. `bulkWait`: messages of campaigns must
 * wait now.
 */
type ClaimOptions = {
  others: number[]
  hasWindow: boolean
  isPaced: boolean
  coldBefore: Date | null
  bulkWait: boolean
  now: Date
}
type LineKey = { id: number; companyId: number }

/** Claims the oldest waiting message to a contact that is not among `others`, and marks it as being sent. */
export async function claimNextMessage(
  deps: Deps,
  line: LineKey,
  asked: ClaimOptions,
): Promise<OutgoingMessage | undefined> {
  const { others, hasWindow, isPaced, coldBefore, bulkWait, now } = asked
  const given = [line.companyId, line.id, others, hasWindow, isPaced, coldBefore, now, bulkWait, strangerBound(now)]
  return (await deps.database.queryPrepared<OutgoingMessage>(line.companyId, 'outbox_next', claimNextSql, given))[0]
}

/** Puts a claimed message back, which was not handed to the vendor. */
export async function unclaimMessage(scope: Scope, id: number): Promise<void> {
  await sql`
    update messages set state = 'queued' where "companyId" = ${scope.companyId} and id = ${id} and state = 'sending'`.execute(
    scope.db,
  )
}

/** When the next message of the line stops being held for an undo. */
export async function findNextHeldUntil(scope: Scope, whatsappId: number): Promise<Date | null> {
  const { rows } = await sql<{ at: string | null }>`
    select min("notBefore") as at from messages where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId}
      and "notBefore" > ${scope.now()} and state = 'queued'`.execute(scope.db)
  return rows[0]?.at ? new Date(rows[0].at) : null
}

/** Changes until when unsent messages are held for an undo. `ids`: a query that selects them. */
export async function holdMessages(scope: Scope, ids: RawBuilder<unknown>, until: Date): Promise<void> {
  const { rows } = await sql<{ whatsappId: number }>`
    update messages set "notBefore" = ${until}
    where "companyId" = ${scope.companyId} and id in (${ids}) and state = 'queued'
    returning "whatsappId"`.execute(scope.db)
  for (const whatsappId of new Set(rows.map((row) => row.whatsappId))) await scope.signal('outbox', whatsappId)
}

/**
 * Deletes messages that are held for an undo, with the automatic messages that wait behind them. False if one of them
 * has been sent or is being sent: then nothing is deleted.
 */
export async function withdrawHeldMessages(scope: Scope, ticketId: number, heldIds: number[]): Promise<boolean> {
  if (!heldIds.length) return true
  const { rows } = await sql<{ id: number; contactId: number; whatsappId: number; isLate: boolean }>`
    select id, "contactId", "whatsappId", state in ('sending', 'sent') or "notBefore" <= ${scope.now()} as "isLate" from messages
    where "companyId" = ${scope.companyId} and "ticketId" = ${ticketId} and id >= ${Math.min(...heldIds)}
      and (id = any(${heldIds}::bigint[]) or (bot is not null and state = 'queued')) order by id for update`.execute(
    scope.db,
  )
  const held = new Set(heldIds)
  if (rows.some(({ id, isLate }) => isLate && held.has(Number(id)))) return false
  await withdrawMessages(scope, rows)
  return true
}

/** Deletes messages of one chat that have not been sent, with their files. */
export async function withdrawMessages(
  scope: Scope,
  rows: { id: number; contactId: number; whatsappId: number }[],
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  // Webhooks have already reported these messages, so they are told that the messages will not be sent.
  await sql`update messages set state = 'failed', error = 'undone' where "companyId" = ${scope.companyId} and id = any(${ids}::bigint[])`.execute(
    scope.db,
  )
  await publishMessageWebhooks(scope, 'message.state', ids)
  const files = await sql<{ mediaPath: string | null; voicePath: string | null }>`
    delete from messages where "companyId" = ${scope.companyId} and id = any(${ids}::bigint[])
    returning "mediaPath", "sendAs" #>> '{voice,path}' as "voicePath"`.execute(scope.db)
  await scheduleFileRemoval(
    scope,
    files.rows.flatMap(({ mediaPath, voicePath }) => [mediaPath, voicePath]),
  )
  await publishThreadsChanged(
    scope,
    rows.slice(0, 1).map(({ contactId, whatsappId }) => ({ contactId, whatsappId })),
  )
}

/** Sets what taking back the message restores. */
export async function setReplySnapshot(scope: Scope, id: number, undo: ReplySnapshot): Promise<void> {
  await scope.db
    .updateTable('messages')
    .set({ undo: JSON.stringify(undo) })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .execute()
}

/**
 * Puts the message back into the queue with a reason. Queued messages to contacts whose reply window ended before
 * this moment get the reason, too; with `keepsLocked` not those that wait for the end of a lock. Returns the changed ids.
 */
export async function requeueMessage(
  scope: Scope,
  whatsappId: number,
  id: number,
  { why, coldBefore, keepsLocked = false }: { why: string; coldBefore: Date; keepsLocked?: boolean },
): Promise<number[]> {
  const { rows } = await sql<{ id: string }>`
    update messages m set state = 'queued', error = ${why}
    where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} and (
      (id = ${id} and state = 'sending')
      or (state = 'queued' and error is distinct from ${why} and not (${keepsLocked} and error is not distinct from 'locked') and ${sql.raw(replyWindowEndSql('m'))} <= ${coldBefore})
    ) returning id`.execute(scope.db)
  return rows.map((one) => Number(one.id))
}

/**
 * Stores that the message was sent, or refused with a reason. If an acknowledgement came before the response, the message
 * was sent whatever the response says, and nothing is returned.
 */
export async function storeSendResult(
  scope: Scope,
  id: number,
  error: string | null,
): Promise<{ isDeleted: boolean; body: string } | undefined> {
  const { rows } = await sql<{ isDeleted: boolean; body: string; hasSteps: boolean }>`
    update messages set state = ${error ? 'failed' : 'sent'}, "ackAt" = ${scope.now()}, error = ${error}, ack = ${error ? sql`0` : sql`greatest(ack, 2)`}, undo = null
    where "companyId" = ${scope.companyId} and id = ${id} and (state = 'sending' or error = ${lineDeletedReason})
    returning "isDeleted", body, ${hasStepsSql} as "hasSteps"`.execute(scope.db)
  if (!error && rows[0]?.hasSteps) await enqueueSteps(scope, id)
  if (rows.length) await publishMessageWebhooks(scope, 'message.state', [id])
  return rows[0]
}

/** Whether steps of a macro wait for the message that the statement updates. */
export const hasStepsSql = sql<boolean>`exists (select from "macroRuns" r
  where r."companyId" = messages."companyId" and r."messageId" = messages.id and r.state = 'waiting')`

/** The message was sent, so the steps that wait for it are due (desk/macros). */
export const enqueueSteps = (scope: Scope, messageId: number): Promise<void> =>
  scope.enqueueJob('macros:run', { companyId: scope.companyId, messageId: Number(messageId) })

/** The number of waiting low-priority messages of the line. */
export async function countBulkQueued(scope: Scope, whatsappId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from messages
    where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} and later and state in ('queued', 'sending')`.execute(
    scope.db,
  )
  return rows[0]?.count ?? 0
}

/** Deletes a campaign's messages that are still waiting to be sent. Returns their ids. */
export async function withdrawQueuedOfCampaign(
  scope: Scope,
  whatsappId: number,
  campaignId: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number; contactId: number }>`
    delete from messages where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} and later
      and state = 'queued' and "campaignId" = ${campaignId} returning id, "contactId"`.execute(scope.db)
  await publishThreadsChanged(
    scope,
    rows.map(({ contactId }) => ({ contactId, whatsappId })),
  )
  return rows.map((row) => row.id)
}
