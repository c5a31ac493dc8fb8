import { type RawBuilder, sql } from 'kysely'
import { minutes } from '../../../kernel/clock.ts'
import { keepPrepared } from '../../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../../kernel/data/scope.ts'

/**
 * Maximum clock difference between machines, or after a clock was set back. A larger difference is an earlier error and
 * is ignored.
 */
const maxClockSkew = sql.lit('1 minute')

/**
 * Moves a ticket's last change forward even when a process with a slower clock changes the ticket: lists would show its
 * newest message as old. The step is a millisecond, the precision that browsers get: events of two processes may arrive
 * in either order, and a browser keeps the version with the later time. The journal does the same in its own statement.
 */
export const monotonicUpdatedAtSql = (now: RawBuilder<unknown>) => sql<string>`case
  when "updatedAt" > ${now} and "updatedAt" < ${now} + ${maxClockSkew}::interval
  then "updatedAt" + interval '1 millisecond' else ${now} end`

/** The time of the next message, not before the ticket's last change, whichever process wrote the earlier messages. */
export function monotonicTimestamp(updatedAt: string, now: Date): Date {
  const ahead = Date.parse(updatedAt) - now.getTime()
  return ahead > 0 && ahead < minutes(1) ? new Date(updatedAt) : now
}

/** A chat: a contact on a line. */
export type ChatKey = { contactId: number; whatsappId: number }
export const chatKeyText = ({ contactId, whatsappId }: ChatKey) => `${contactId} ${whatsappId}`
export const chatKeysSql = (all: ChatKey[]) => sql`unnest(
  ${all.map((one) => one.contactId)}::int[], ${all.map((one) => one.whatsappId)}::int[]) x ("contactId", "whatsappId")`

/**
 * The current time, or the last change of the chat's newest ticket if that is later, so that a new ticket comes after
 * the last one.
 */
export async function nextTimestampPerChat(scope: Scope, all: ChatKey[]): Promise<Date[]> {
  const { rows } = await sql<ChatKey & { updatedAt: string }>`${keepPrepared}
    select x."contactId", x."whatsappId", l."updatedAt" from ${chatKeysSql(all)} cross join lateral (
      select l."updatedAt" from tickets l where l."companyId" = ${scope.companyId} and l."contactId" = x."contactId"
        and l."whatsappId" = x."whatsappId" order by l.id desc limit 1
    ) l`.execute(scope.db)
  const last = new Map(rows.map((row) => [chatKeyText(row), row.updatedAt]))
  const now = scope.now()
  return all.map((one) => monotonicTimestamp(last.get(chatKeyText(one)) ?? now.toISOString(), now))
}
export const nextTimestampInChat = (scope: Scope, { contactId, whatsappId }: ChatKey): Promise<Date> =>
  scope.load(nextTimestampPerChat, { contactId, whatsappId })
