import { sql } from 'kysely'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { LineRow } from '../../lines/line.ts'
import { type ConnectionRow, publishConnection } from './view.ts'

/**
 * Stores since when a line gets many messages that it cannot decrypt, or that it does not any more (null). A process that
 * lost the line's lease is ignored.
 */
export async function saveUnreadableSince(deps: Deps, line: LineRow, since: Date | null): Promise<void> {
  await new Scope(deps, { companyId: line.companyId }).transaction(async (scope) => {
    const { rows } = await sql<ConnectionRow>`
      update whatsapps set "unreadableSince" = ${since}::timestamptz, "updatedAt" = ${scope.now()}
      where "companyId" = ${line.companyId} and id = ${line.id} and "unreadableSince" is distinct from ${since}::timestamptz
        and exists (select from "lineLeases" l where l."companyId" = whatsapps."companyId" and l."whatsappId" = whatsapps.id
          and l.fence = ${line.fence})
      returning *`.execute(scope.db)
    if (rows[0]) await publishConnection(scope, rows[0])
  })
}
