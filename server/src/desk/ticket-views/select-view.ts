import { type TicketConditionGroup, withImpliedConditions } from '@recado/contract/views/ticket-conditions'
import { type RawBuilder, sql } from 'kysely'
import { hideIdFromPlanner } from '../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { indexPathsTo, type TicketSelection, type ticketOrders } from '../tickets/base/index-paths.ts'
import { canSeeTicketSql, type Viewer } from '../tickets/base/visibility.ts'
import { conditionsSql } from './conditions-sql.ts'

/** Views with at most so many members are read and sorted as a whole, whatever the order. */
export const maxMembersSorted = 3000
/** More members than the page needs are read, because some may have changed since they were recorded. */
const spareMembers = 100

/** Conditions on the tickets that a user sees, as a condition on `t`. */
export const viewFilterSql = (scope: Scope, viewer: Viewer, conditions: TicketConditionGroup): RawBuilder<boolean> =>
  sql<boolean>`t."companyId" = ${hideIdFromPlanner(scope.companyId)} and ${canSeeTicketSql(viewer)}
    and ${conditionsSql(withImpliedConditions(conditions), { isMine: isMineSql(viewer), now: scope.now() })}`

const isMineSql = (viewer: Viewer) => sql<boolean>`((t."userId" = ${hideIdFromPlanner(viewer.id)}) is true)`

/** Members of the view that this user sees, as a condition on `t`: a member or a tally. */
export const isVisibleMemberSql = (scope: Scope, viewer: Viewer, viewId: number) =>
  sql<boolean>`t."companyId" = ${hideIdFromPlanner(scope.companyId)} and t."viewId" = ${viewId}
    and ${canSeeTicketSql(viewer)} and case when ${isMineSql(viewer)} then t."forOwn" else t."forOthers" end`

export const countViewSql = (scope: Scope, viewer: Viewer, viewId: number): RawBuilder<number> =>
  sql<number>`(select coalesce(sum(t.n), 0)::int from "ticketViewTallies" t
    where ${isVisibleMemberSql(scope, viewer, viewId)})`

type ViewPage = { order: keyof typeof ticketOrders; end: number }
export type ViewToSelect = { id: number; conditions: TicketConditionGroup }

/**
 * The tickets of a view, found through its members. A large view is read along the index of its members, or for the
 * orders of open tickets along their index.
 */
export async function selectView(
  scope: Scope,
  viewer: Viewer,
  view: ViewToSelect,
  { order, end }: ViewPage,
): Promise<TicketSelection & { total: RawBuilder<number> }> {
  const filter = viewFilterSql(scope, viewer, view.conditions)
  const total = countViewSql(scope, viewer, view.id)
  const isSmall = (await countMembers(scope, view.id)) <= maxMembersSorted
  const selection = { filter, total, isPlannedByValues: true }
  if (!isSmall && (order === 'waiting' || order === 'priority'))
    return {
      ...selection,
      filter: sql`${filter} and exists (select from "ticketViewMembers" m
        where m."companyId" = t."companyId" and m."viewId" = ${view.id} and m."ticketId" = t.id)`,
      indexPaths: indexPathsTo(viewer, { statuses: ['open', 'pending'], includesOtherAgents: true }),
    }
  const first = sql`order by t."updatedMinute" ${order === 'oldest' ? sql`` : sql`desc`} limit ${end + spareMembers}`
  const members = sql`(select t."ticketId" as id from "ticketViewMembers" t
    where ${isVisibleMemberSql(scope, viewer, view.id)} ${isSmall ? sql`` : first}) as members`
  return { ...selection, indexPaths: [{ over: members, where: sql`t.id = members.id` }] }
}

export async function countMembers(scope: Scope, viewId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(n), 0)::int as n from "ticketViewTallies"
    where "companyId" = ${scope.companyId} and "viewId" = ${viewId}`.execute(scope.db)
  return rows[0]?.n ?? 0
}
