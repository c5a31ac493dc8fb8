import { type RawBuilder, sql } from 'kysely'
import { hideIdFromPlanner } from '../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../kernel/data/scope.ts'

/**
 * Counts of open tickets, maintained by the database (migration 0211): a table `t` with status, agent, queue, lane and
 * unread flag, like `tickets`. Each row stands for `n` tickets.
 */
export const ticketTalliesSql = ({ companyId }: Scope): RawBuilder<unknown> =>
  sql`(select "companyId", status, "userId", "queueId", "laneId", unread::int as "unreadMessages", n
    from "ticketTallies" where "companyId" = ${hideIdFromPlanner(companyId)}) t`

export const tallySumSql = (which: RawBuilder<unknown> = sql`true`): RawBuilder<number> =>
  sql<number>`coalesce(sum(t.n) filter (where ${which}), 0)::int`
