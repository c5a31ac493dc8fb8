import { type RawBuilder, sql } from 'kysely'

/** Clocks of two machines, or of one that was set back, are this far apart at most; what is more was wrong before. */
const apart = sql.lit('1 minute')

/**
 * When a ticket was last touched never goes back because another process, whose clock is behind, was the next to touch
 * it: lists would take the newest word of it for an old one. The journal says the same in its own statement.
 */
export const notEarlier = (now: RawBuilder<unknown>) => sql<string>`case
  when "updatedAt" > ${now} and "updatedAt" < ${now} + ${apart}::interval then "updatedAt" else ${now} end`
