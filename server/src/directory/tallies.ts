import { type RawBuilder, sql } from 'kysely'
import { hideIdFromPlanner } from '../kernel/data/keep-prepared.ts'
import type { Scope } from '../kernel/data/scope.ts'

/** What the database counts as it changes (migration 0181): nobody counts it again for a page. */
export type TallyKind = 'contacts' | 'groups'

/** How many there are, exactly. */
export const tallyCount = (scope: Scope, kinds: TallyKind[]): RawBuilder<number> =>
  sql<number>`(select coalesce(sum(n), 0)::int from tallies
    where "companyId" = ${hideIdFromPlanner(scope.companyId)} and kind in (${sql.join(kinds.map((kind) => sql.lit(kind)))}))`

/** How many tickets wear each tag, as a table of `tagId` and `count`; of a tag that nobody wears there is no row. */
export const tagTallies = (scope: Scope): RawBuilder<unknown> =>
  sql`(select "of" as "tagId", sum(n)::int as count from tallies
    where "companyId" = ${hideIdFromPlanner(scope.companyId)} and kind = 'tag' group by "of" having sum(n) > 0)`
