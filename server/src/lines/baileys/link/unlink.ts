import { sql } from 'kysely'
import { addMs, days } from '../../../kernel/clock.ts'
import type { Scope } from '../../../kernel/data/scope.ts'

/**
 * Requests that the phone is notified of the unlinking: the process that runs the line does it when the line stops, or
 * before it restarts. The request is stored among the keys and deleted with them; without keys there is nothing to unlink.
 */
export async function requestUnlink(scope: Scope, whatsappId: number): Promise<void> {
  await sql`
    insert into "linkedKeys" ("companyId", "whatsappId", type, id, value, "updatedAt")
    select "companyId", "whatsappId", 'leaving', '', '', ${scope.now()} from "linkedKeys"
    where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} limit 1
    on conflict do nothing`.execute(scope.db)
}

/** Whether the phone must be notified of the unlinking; also true for a deleted line. */
export async function isUnlinkRequested(scope: Scope, whatsappId: number): Promise<boolean> {
  const { rows } = await sql<{ leaves: boolean }>`
    select not exists (select from whatsapps where "companyId" = ${scope.companyId} and id = ${whatsappId})
      or exists (select from "linkedKeys" where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} and type = 'leaving')
      as leaves`.execute(scope.db)
  return rows[0]?.leaves ?? true
}

/** The number for which a pairing code was requested; empty: none. */
export async function loadPairingNumber(scope: Scope, whatsappId: number): Promise<string> {
  const row = await scope.db
    .selectFrom('whatsapps')
    .select('pairingNumber')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', whatsappId)
    .executeTakeFirst()
  return row?.pairingNumber ?? ''
}

/**
 * Deletes old entries: ids of handled messages (kept in case a message arrives again), and our messages with more than
 * text (kept in case a phone requests one again). WhatsApp keeps both, and files, a month at most. A poll without votes for
 * that long is over.
 */
export const deleteExpiredKeys = (scope: Scope, whatsappId: number): Promise<unknown> =>
  scope.db
    .deleteFrom('linkedKeys')
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where('type', 'in', ['handled', 'sent', 'poll'])
    .where('updatedAt', '<', addMs(scope.now(), -days(30)).toISOString())
    .execute()

/** Deletes every key of the line: only a new QR code or pairing code can link it again. */
export const deleteAllKeys = (scope: Scope, whatsappId: number): Promise<unknown> =>
  scope.db
    .deleteFrom('linkedKeys')
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .execute()
