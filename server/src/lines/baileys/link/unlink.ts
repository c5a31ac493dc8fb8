import { sql } from 'kysely'
import { addMs, days } from '../../../kernel/clock.ts'
import type { Scope } from '../../../kernel/data/scope.ts'

/**
 * The phone is to be told that this desk leaves: whoever runs the line does it as it stops, or before it starts anew. It
 * stands among the keys, and goes with them; where there are none nobody has to be told.
 */
export async function requestUnlink(scope: Scope, whatsappId: number): Promise<void> {
  await sql`
    insert into "linkedKeys" ("companyId", "whatsappId", type, id, value, "updatedAt")
    select "companyId", "whatsappId", 'leaving', '', '', ${scope.now()} from "linkedKeys"
    where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} limit 1
    on conflict do nothing`.execute(scope.db)
}

/** Whether to leave: a line that was deleted has left too. */
export async function isUnlinkRequested(scope: Scope, whatsappId: number): Promise<boolean> {
  const { rows } = await sql<{ leaves: boolean }>`
    select not exists (select from whatsapps where "companyId" = ${scope.companyId} and id = ${whatsappId})
      or exists (select from "linkedKeys" where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} and type = 'leaving')
      as leaves`.execute(scope.db)
  return rows[0]?.leaves ?? true
}

/** The number a code was asked for; empty: none was. */
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
 * A message without words for the desk is remembered by its id, in case it comes again, and one of ours that is more than
 * words, in case somebody asks for it again: WhatsApp keeps both, and files, a month at most. A poll that nobody has voted
 * in for so long is over.
 */
export const deleteExpiredKeys = (scope: Scope, whatsappId: number): Promise<unknown> =>
  scope.db
    .deleteFrom('linkedKeys')
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where('type', 'in', ['handled', 'sent', 'poll'])
    .where('updatedAt', '<', addMs(scope.now(), -days(30)).toISOString())
    .execute()

/** Every key of the line, gone: only a new QR or code brings it back. */
export const deleteAllKeys = (scope: Scope, whatsappId: number): Promise<unknown> =>
  scope.db
    .deleteFrom('linkedKeys')
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .execute()
