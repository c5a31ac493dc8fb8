import { sql } from 'kysely'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { Events } from '../../kernel/events.ts'

/** Few rows per transaction, because their locks make incoming messages wait. */
const batchSize = 200

/** Skills or a tag changed: records anew what tickets need. Without a tag, only waiting tickets: others are read when they wait. */
export async function refreshRoutingNeeds(
  deps: Deps,
  { companyId, tagId }: Events['routing.needs-changed'],
): Promise<void> {
  const scope = new Scope(deps, { companyId })
  const ids = await listTicketIds(scope, tagId)
  for (let from = 0; from < ids.length; from += batchSize)
    await scope.transaction((tx) => refreshBatch(tx, ids.slice(from, from + batchSize)))
}

async function listTicketIds(scope: Scope, tagId: number | undefined): Promise<number[]> {
  const tagged = scope.db
    .selectFrom('tickets as t')
    .innerJoin('ticketTags as x', (join) =>
      join.onRef('x.companyId', '=', 't.companyId').onRef('x.ticketId', '=', 't.id'),
    )
    .where('x.tagId', '=', tagId ?? 0)
    .where('t.status', '!=', 'closed')
  const waiting = scope.db.selectFrom('tickets as t').where('t.routableSince', 'is not', null)
  const rows = await (tagId === undefined ? waiting : tagged)
    .where('t.companyId', '=', scope.companyId)
    .select('t.id')
    .orderBy('t.id')
    .execute()
  return rows.map(({ id }) => id)
}

async function refreshBatch(scope: Scope, ids: number[]): Promise<void> {
  await scope.db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  await sql`
    update tickets t set "tagWeight" = n."tagWeight", "skillIds" = n."skillIds", "languageSkillId" = n."languageSkillId"
    from tickets b
    cross join lateral routing_needs(b."companyId", b.id, b."contactId", b."chosenOptionId") n
    where t."companyId" = ${scope.companyId} and t.id = any(${ids}::int[])
      and b."companyId" = t."companyId" and b.id = t.id
      and (t."tagWeight", t."skillIds", t."languageSkillId")
        is distinct from (n."tagWeight", n."skillIds", n."languageSkillId")`.execute(scope.db)
}
