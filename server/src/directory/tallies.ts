import { type RawBuilder, sql } from 'kysely'
import { hideIdFromPlanner } from '../kernel/data/keep-prepared.ts'
import type { Scope } from '../kernel/data/scope.ts'

/** Counters that the database maintains (migration 0181), so that pages need not count rows. */
export type TallyKind = 'contacts' | 'groups'

/** The exact count of these kinds of records. */
export const tallyCount = (scope: Scope, kinds: TallyKind[]): RawBuilder<number> =>
  sql<number>`(select coalesce(sum(n), 0)::int from tallies
    where "companyId" = ${hideIdFromPlanner(scope.companyId)} and kind in (${sql.join(kinds.map((kind) => sql.lit(kind)))}))`

/** Tickets per tag, as a table of `tagId` and `count`; an unused tag has no row. */
export const tagTallies = (scope: Scope): RawBuilder<unknown> =>
  sql`(select "of" as "tagId", sum(n)::int as count from tallies
    where "companyId" = ${hideIdFromPlanner(scope.companyId)} and kind = 'tag' group by "of" having sum(n) > 0)`
