import { sql } from 'kysely'
import { activeLockUntil } from '../directory/connections/pacing.ts'
import type { ConnectionRow } from '../directory/connections/view.ts'
import { addMs, days } from '../kernel/clock.ts'
import type { Scope } from '../kernel/data/scope.ts'
import { replyWindowEndSql } from './reply-window.ts'

/** WhatsApp treats people who wrote within this time as no strangers: the token that their phone gave lasts that long. */
const acquaintanceMs = days(28)

/** Contacts whose reply window ended before this moment are strangers. */
export const strangerBound = (now: Date): Date => addMs(now, days(1) - acquaintanceMs)

/** Until when messages to this contact wait because WhatsApp locks the line; null: they do not wait. */
export async function findReachOutHold(
  scope: Scope,
  line: Pick<ConnectionRow, 'id' | 'lockedUntil'>,
  contactId: number,
): Promise<string | null> {
  const until = activeLockUntil(line, scope.now())
  if (!until) return null
  const { rows } = await sql<{ isStranger: boolean }>`
    select ${sql.raw(replyWindowEndSql('t'))} <= ${strangerBound(scope.now())} as "isStranger"
    from (select ${scope.companyId}::int as "companyId", ${contactId}::int as "contactId", ${line.id}::int as "whatsappId") t`.execute(
    scope.db,
  )
  return rows[0]?.isStranger ? until : null
}
