import { type RawBuilder, sql } from 'kysely'
import { hideIdFromPlanner } from '../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../kernel/data/scope.ts'

/**
 * Counts of open tickets, maintained by the database (migration 0211): a table `t` with status, agent, queue, lane,
 * unread flag and snooze, like `tickets`. Each row stands for `n` tickets.
 */
export const ticketTalliesSql = ({ companyId }: Scope): RawBuilder<unknown> =>
  sql`(select "companyId", status, "userId", "queueId", "laneId", "tagWeight", unread::int as "unreadMessages",
      case when snoozed then 'epoch'::timestamptz end as "snoozedAt", n
    from "ticketTallies" where "companyId" = ${hideIdFromPlanner(companyId)}) t`

export const tallySumSql = (which: RawBuilder<unknown> = sql`true`): RawBuilder<number> =>
  sql<number>`coalesce(sum(t.n) filter (where ${which}), 0)::int`
