import { type RawBuilder, sql } from 'kysely'
import { hideIdFromPlanner } from '../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../kernel/data/scope.ts'

/**
 * How many living tickets stand where, as the database keeps it (migration 0211): a table `t` that can be asked by
 * status, person, queue, lane and whether anything is unread, as `tickets` can. Each of its rows stands for `n` of them.
 */
export const ticketTalliesSql = ({ companyId }: Scope): RawBuilder<unknown> =>
  sql`(select "companyId", status, "userId", "queueId", "laneId", unread::int as "unreadMessages", n
    from "ticketTallies" where "companyId" = ${hideIdFromPlanner(companyId)}) t`

export const tallySumSql = (which: RawBuilder<unknown> = sql`true`): RawBuilder<number> =>
  sql<number>`coalesce(sum(t.n) filter (where ${which}), 0)::int`
