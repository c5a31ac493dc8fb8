import { type RawBuilder, sql } from 'kysely'
import { minutes } from '../../kernel/clock.ts'

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
