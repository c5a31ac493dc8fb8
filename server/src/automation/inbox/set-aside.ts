import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'

declare module '../../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** The journal has new unfinished entries that did not come from a line. */
    journal: []
  }
}

/** Puts the dead-lettered events of a line back into the queue, in order, in case their cause is fixed. */
export async function retrySetAsideEvents(scope: Scope, whatsappId: number): Promise<number> {
  const { rows } = await sql`
    update journal set "processedAt" = null, error = null
    where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} and error is not null returning id`.execute(
    scope.db,
  )
  if (rows.length) await scope.signal('journal')
  return rows.length
}
