import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { MergedRows } from '../tables.ts'

type Merge = { id: number; keptId: number; moved: MergedRows }
type Column = keyof MergedRows['filled']

/** Removes the values that the surviving contact got in the merge, where they are unchanged. */
export async function undoFilledColumns(scope: Scope, merge: Merge): Promise<void> {
  for (const [column, fill] of Object.entries(merge.moved.filled ?? {})) {
    await undoFilledColumn(scope, merge, column as Column, fill.now)
  }
}

async function undoFilledColumn(
  scope: Scope,
  merge: Merge,
  column: Column,
  filledValue: string | number,
): Promise<void> {
  const fill = merge.moved.filled[column]
  if (!fill || fill.now !== filledValue) return
  const { companyId } = scope
  const type = sql.raw(column === 'ownerId' ? 'int' : 'text')
  const [was, now] = [sql`${fill.was}::${type}`, sql`${filledValue}::${type}`]
  // A later merge may have copied the value to another contact: undoing that merge must not bring it back.
  const later = await sql`
    update "contactMerges"
    set moved = jsonb_set(moved, array['filled', ${column}, 'was'], coalesce(to_jsonb(${was}), 'null'))
    where "companyId" = ${companyId} and "keptId" = ${merge.keptId} and id > ${merge.id} and "undoneAt" is null
      and moved -> 'filled' -> ${column} -> 'was' = to_jsonb(${now}) returning id`.execute(scope.db)
  if (!later.rows.length) {
    const c = sql.ref(column)
    await sql`update contacts set ${c} = ${was} where "companyId" = ${companyId} and id = ${merge.keptId}
      and ${c} = ${now}`.execute(scope.db)
  }
  // If the contact was itself merged into another, the value was copied there: remove it there, too.
  const above = await scope.db
    .selectFrom('contactMerges')
    .select(['id', 'keptId', 'moved'])
    .where('companyId', '=', companyId)
    .where('mergedId', '=', merge.keptId)
    .where('undoneAt', 'is', null)
    .executeTakeFirst()
  if (above) await undoFilledColumn(scope, above, column, filledValue)
}
