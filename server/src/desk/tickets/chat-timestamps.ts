import { type RawBuilder, sql } from 'kysely'
import { minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'

/** Clocks of two machines, or of one that was set back, are this far apart at most; what is more was wrong before. */
const maxClockSkew = sql.lit('1 minute')

/**
 * When a ticket was last touched never goes back because another process, whose clock is behind, was the next to touch
 * it: lists would take the newest word of it for an old one. The journal says the same in its own statement.
 */
export const monotonicUpdatedAtSql = (now: RawBuilder<unknown>) => sql<string>`case
  when "updatedAt" > ${now} and "updatedAt" < ${now} + ${maxClockSkew}::interval then "updatedAt" else ${now} end`

/** The same for what is said in it next: it stands behind what was said before, whichever process said that. */
export function monotonicTimestamp(updatedAt: string, now: Date): Date {
  const ahead = Date.parse(updatedAt) - now.getTime()
  return ahead > 0 && ahead < minutes(1) ? new Date(updatedAt) : now
}

/** A person on a line. */
export type ChatKey = { contactId: number; whatsappId: number }
export const chatKeyText = ({ contactId, whatsappId }: ChatKey) => `${contactId} ${whatsappId}`
export const chatKeysSql = (all: ChatKey[]) => sql`unnest(
  ${all.map((one) => one.contactId)}::int[], ${all.map((one) => one.whatsappId)}::int[]) x ("contactId", "whatsappId")`

/** Now, but not before the newest ticket of each chat was last touched: one that begins stands behind the one before. */
export async function nextTimestampPerChat(scope: Scope, all: ChatKey[]): Promise<Date[]> {
  const { rows } = await sql<ChatKey & { updatedAt: string }>`
    select x."contactId", x."whatsappId", l."updatedAt" from ${chatKeysSql(all)} cross join lateral (
      select l."updatedAt" from tickets l where l."companyId" = ${scope.companyId} and l."contactId" = x."contactId"
        and l."whatsappId" = x."whatsappId" order by l.id desc limit 1
    ) l`.execute(scope.db)
  const last = new Map(rows.map((row) => [chatKeyText(row), row.updatedAt]))
  const now = scope.now()
  return all.map((one) => monotonicTimestamp(last.get(chatKeyText(one)) ?? now.toISOString(), now))
}
export const nextTimestampInChat = (scope: Scope, { contactId, whatsappId }: ChatKey): Promise<Date> =>
  scope.ask(nextTimestampPerChat, { contactId, whatsappId })
