import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent } from '../line.ts'
import type { NumberChanges } from './parse-notification.ts'

/**
 * Meta uses its own message ids; our messages have ids that we chose. This replaces Meta's ids with ours in events
 * about our messages: acknowledgements, failures, quotes, reactions.
 */
export async function replaceVendorIds(
  scope: Scope,
  whatsappId: number,
  { events, sent }: Pick<NumberChanges, 'events' | 'sent'>,
): Promise<InboundEvent[]> {
  if (sent.length) await storeVendorIds(scope, whatsappId, sent)
  const mentionedIds = events.flatMap(targetIds)
  if (!mentionedIds.length) return events
  const rows = await waitForOwnIds(scope, whatsappId, mentionedIds)
  const widByWamid = new Map(rows.map((row) => [row.wamid, row.wid]))
  const wamidByWid = new Map(rows.map((row) => [row.wid, row.wamid]))
  const replacedEvents = events
    .map((event) => replaceTargetId(event, widByWamid))
    .filter((event) => !isStaleFailure(event, wamidByWid))
  await deleteFailedSends(scope, whatsappId, replacedEvents)
  return replacedEvents
}

/**
 * An event may refer to a message after Meta accepted it but before we stored Meta's id. The webhook response is delayed
 * for that time: afterwards the event would be stored under Meta's id, and its message would not be found.
 */
async function waitForOwnIds(scope: Scope, whatsappId: number, wamidByWid: string[]) {
  const maxAttempts = 50
  const receivedAt = scope.now()
  for (let attempt = 1; ; attempt++) {
    const rows = await findOwnIds(scope, whatsappId, wamidByWid)
    const names = new Set(rows.map((row) => row.wamid ?? ''))
    const unresolvedIds = wamidByWid.filter((id) => id.startsWith('wamid.') && !names.has(id))
    if (!unresolvedIds.length || attempt === maxAttempts) return rows
    // Meta's id may have been stored after it was looked up, so it is looked up once more.
    if (!(await canStillBeOurs(scope, whatsappId, unresolvedIds, receivedAt)))
      return findOwnIds(scope, whatsappId, wamidByWid)
    await pause(100)
  }
}

const findOwnIds = (scope: Scope, whatsappId: number, wamidByWid: string[]) =>
  scope.db
    .selectFrom('cloudSends')
    .select(['wid', 'wamid'])
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where((eb) => eb.or([eb('wamid', 'in', wamidByWid), eb('wid', 'in', wamidByWid)]))
    .execute()

/**
 * Whether the event may still refer to one of our messages: one has been in sending since the event arrived, and the id
 * is not that of a customer's message.
 */
async function canStillBeOurs(
  scope: Scope,
  whatsappId: number,
  wamidByWid: string[],
  receivedAt: Date,
): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select exists (
      select 1 from "cloudSends" where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId}
        and wamid is null and "askedAt" <= ${receivedAt}
    ) and ${wamidByWid.length} > (
      select count(*) from messages where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} and wid = any(${wamidByWid}::text[])
    ) as may`.execute(scope.db)
  return rows[0]?.may ?? false
}

function targetIds(event: InboundEvent): string[] {
  if (event.kind === 'message') return event.quotedId ? [event.quotedId] : []
  // An acknowledgement with our own id needs no lookup.
  if (event.kind === 'ack') return event.targetId.startsWith('wamid.') ? [event.targetId] : []
  return 'targetId' in event ? [event.targetId] : []
}

function replaceTargetId(event: InboundEvent, widByWamid: Map<string | null, string>): InboundEvent {
  if (event.kind === 'message')
    return event.quotedId ? { ...event, quotedId: widByWamid.get(event.quotedId) ?? event.quotedId } : event
  return 'targetId' in event ? { ...event, targetId: widByWamid.get(event.targetId) ?? event.targetId } : event
}

/** Whether the event is the failure of an attempt that was repeated since: then the message has not failed. */
function isStaleFailure(event: InboundEvent, wamidByWid: Map<string, string | null>): boolean {
  if (event.kind !== 'failed') return false
  const wamid = wamidByWid.get(event.targetId)
  return typeof wamid === 'string' && !event.id.startsWith(`${wamid}:`)
}

async function storeVendorIds(scope: Scope, whatsappId: number, sent: NumberChanges['sent']): Promise<void> {
  await sql`
    update "cloudSends" s set wamid = g.wamid
    from (
      select distinct on (wid) wid, wamid
      from unnest(${sent.map((one) => one.wid)}::text[], ${sent.map((one) => one.wamid)}::text[]) x (wid, wamid) order by wid
    ) g
    where s."companyId" = ${scope.companyId} and s."whatsappId" = ${whatsappId} and s.wid = g.wid and s.wamid is null`.execute(
    scope.db,
  )
}

/** Deletes the record of a failed attempt, because the message may be sent again under the same id. */
async function deleteFailedSends(scope: Scope, whatsappId: number, events: InboundEvent[]): Promise<void> {
  const failed = events.flatMap((event) => (event.kind === 'failed' ? [event.targetId] : []))
  if (!failed.length) return
  await scope.db
    .deleteFrom('cloudSends')
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where('wid', 'in', failed)
    .execute()
}
