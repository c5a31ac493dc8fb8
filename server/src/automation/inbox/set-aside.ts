import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'

declare module '../../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** Something in the journal waits that no line tells of. */
    journal: []
  }
}

/** What a line's events failed at may be mended by now: they wait again, in their order, for the lane of their line. */
export async function retrySetAsideEvents(scope: Scope, whatsappId: number): Promise<number> {
  const { rows } = await sql`
    update journal set "processedAt" = null, error = null
    where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} and error is not null returning id`.execute(
    scope.db,
  )
  if (rows.length) await scope.signal('journal')
  return rows.length
}
