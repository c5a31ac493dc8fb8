import { sql } from 'kysely'
import { addMs, days } from '../../kernel/clock.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { LineRow } from '../../lines/line.ts'
import { countPaceSetback } from './pace-days.ts'
import { type ConnectionRow, publishConnection } from './view.ts'

/** A longer lock would be a mistake of WhatsApp or of the library. */
const maxLockMs = days(400)

/**
 * Stores WhatsApp's lock of a line, or that WhatsApp has lifted it (null). Messages that wait learn it at once. A process
 * that lost the line's lease is ignored.
 */
export async function saveReachOutLock(deps: Deps, line: LineRow, until: Date | null): Promise<void> {
  await new Scope(deps, { companyId: line.companyId }).transaction(async (scope) => {
    const now = scope.now()
    const end = until && new Date(Math.min(until.getTime(), addMs(now, maxLockMs).getTime()))
    if (end && end <= now) return
    const { rows } = await sql<ConnectionRow>`
      update whatsapps set "lockedUntil" = ${end ?? now}::timestamptz,
        "lockedSince" = case when "lockedUntil" > ${now} then "lockedSince" else ${now}::timestamptz end, "updatedAt" = ${now}
      where "companyId" = ${line.companyId} and id = ${line.id}
        and (${end === null} and "lockedUntil" > ${now} or ${end !== null} and "lockedUntil" is distinct from ${end}::timestamptz)
        and exists (select from "lineLeases" l where l."companyId" = whatsapps."companyId" and l."whatsappId" = whatsapps.id
          and l.fence = ${line.fence})
      returning *`.execute(scope.db)
    const [row] = rows
    if (!row) return
    if (end && row.lockedSince && Date.parse(row.lockedSince) === now.getTime())
      await countPaceSetback(scope, line.id, 'refused')
    await publishConnection(scope, row)
    await scope.signal('outbox', line.id)
  })
}
