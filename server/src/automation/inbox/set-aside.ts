import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'

declare module '../../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** The journal has entries that no line announces. */
    journal: []
  }
}

/** Requeues dead-lettered events of a line, in order, in case their cause is fixed. */
export async function retrySetAsideEvents(scope: Scope, whatsappId: number): Promise<number> {
  const { rows } = await sql`
    update journal set "processedAt" = null, error = null
    where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} and error is not null returning id`.execute(
    scope.db,
  )
  if (rows.length) await scope.signal('journal')
  return rows.length
}
