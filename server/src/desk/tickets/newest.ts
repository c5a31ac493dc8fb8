import { type RawBuilder, sql } from 'kysely'
import { minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'

/** Clocks of two machines, or of one that was set back, are this far apart at most; what is more was wrong before. */
const apart = sql.lit('1 minute')

/**
 * When a ticket was last touched never goes back because another process, whose clock is behind, was the next to touch
 * it: lists would take the newest word of it for an old one. The journal says the same in its own statement.
 */
export const notEarlier = (now: RawBuilder<unknown>) => sql<string>`case
  when "updatedAt" > ${now} and "updatedAt" < ${now} + ${apart}::interval then "updatedAt" else ${now} end`

/** The same for what is said in it next: it stands behind what was said before, whichever process said that. */
export function notBefore(updatedAt: string, now: Date): Date {
  const ahead = Date.parse(updatedAt) - now.getTime()
  return ahead > 0 && ahead < minutes(1) ? new Date(updatedAt) : now
}

/** A person on a line. */
export type OfChat = { contactId: number; whatsappId: number }
export const keyOf = ({ contactId, whatsappId }: OfChat) => `${contactId} ${whatsappId}`
export const chats = (all: OfChat[]) => sql`unnest(
  ${all.map((one) => one.contactId)}::int[], ${all.map((one) => one.whatsappId)}::int[]) x ("contactId", "whatsappId")`

/** Now, but not before the newest ticket of each chat was last touched: one that begins stands behind the one before. */
export async function nextInEach(scope: Scope, all: OfChat[]): Promise<Date[]> {
  const { rows } = await sql<OfChat & { updatedAt: string }>`
    select x."contactId", x."whatsappId", l."updatedAt" from ${chats(all)} cross join lateral (
      select l."updatedAt" from tickets l where l."companyId" = ${scope.companyId} and l."contactId" = x."contactId"
        and l."whatsappId" = x."whatsappId" order by l.id desc limit 1
    ) l`.execute(scope.db)
  const last = new Map(rows.map((row) => [keyOf(row), row.updatedAt]))
  const now = scope.now()
  return all.map((one) => notBefore(last.get(keyOf(one)) ?? now.toISOString(), now))
}
export const nextIn = (scope: Scope, { contactId, whatsappId }: OfChat): Promise<Date> =>
  scope.ask(nextInEach, { contactId, whatsappId })
