import { mayIncludeClosed } from '@recado/contract/views/ticket-conditions'
import { sql } from 'kysely'
import { hideIdFromPlanner } from '../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import {
  countMembers,
  countViewSql,
  isVisibleMemberSql,
  maxMembersSorted,
  selectView,
  type ViewToSelect,
  viewFilterSql,
} from '../ticket-views/select-view.ts'
import { ticketOrders } from './base/index-paths.ts'
import { canSeeTicketSql, type Viewer } from './base/visibility.ts'
import { listCardsAmong, listTicketCards, type TicketCard } from './cards.ts'

/** More members than the page needs are read, because some may have changed. If these are too few, more are read. */
const spareCandidates = 20

type ViewPage = { order: keyof typeof ticketOrders; limit: number; offset: number }
/** `isComplete`: whether all tickets were looked at since the conditions last changed. */
type ViewToList = ViewToSelect & { isComplete: boolean }

/**
 * A page of a view. The members decide what it has, so that the statements are the same for all views and need no
 * planning of their conditions. Only members that changed since they were recorded are compared with the conditions.
 */
export async function listViewPage(
  scope: Scope,
  viewer: Viewer,
  view: ViewToList,
  { order: chosenOrder, limit, offset }: ViewPage,
): Promise<{ cards: TicketCard[]; count: number }> {
  const end = offset + limit
  const isLarge = !isByChange(chosenOrder) && (await countMembers(scope, view.id)) > maxMembersSorted
  // The indexes for the other orders have no closed tickets.
  const order = isLarge && mayIncludeClosed(view.conditions) ? 'newest' : chosenOrder
  if (isLarge && !isByChange(order)) {
    const selection = await selectView(scope, viewer, view, { order, end })
    return listTicketCards(scope, { ...selection, order: ticketOrders[order], limit, offset, maxCount: 0 })
  }
  const filter = sql<boolean>`t."companyId" = ${hideIdFromPlanner(scope.companyId)} and ${canSeeTicketSql(viewer)}`
  const page = { filter, order: ticketOrders[order], limit, offset }
  const first = isByChange(order) ? end + spareCandidates : maxMembersSorted
  const candidates = await findCandidates(scope, viewer, view, order, first)
  const cards = await listCardsAmong(scope, candidates.ids, page)
  // Many members changed at once: the page is searched among more of them.
  const isShort = cards.length < limit && candidates.hasMore && first < maxMembersSorted
  if (!isShort) return { cards, count: candidates.count }
  const more = await findCandidates(scope, viewer, view, order, maxMembersSorted)
  return { cards: await listCardsAmong(scope, more.ids, page), count: more.count }
}

const isByChange = (order: ViewPage['order']): boolean => order === 'newest' || order === 'oldest'

type Candidates = { ids: number[]; hasMore: boolean; count: number }

/** The first members of the view that this user sees, without those that no longer meet the conditions. */
async function findCandidates(
  scope: Scope,
  viewer: Viewer,
  view: ViewToList,
  order: ViewPage['order'],
  limit: number,
): Promise<Candidates> {
  const { rows } = await sql<{ ids: number[]; changedIds: number[]; count: number }>`
    with members as materialized (
      select t."ticketId" as id, ${!view.isComplete}::boolean or (t."recheckAt" <= ${scope.now()}) is true as "isDue"
      from "ticketViewMembers" t where ${isVisibleMemberSql(scope, viewer, view.id)}
      order by t."updatedMinute" ${order === 'oldest' ? sql`` : sql`desc`} fetch first ${sql.lit(limit)} rows with ties
    )
    select coalesce((select array_agg(id) from members), '{}') as ids,
      array(select m.id from members m where m."isDue" or exists (
        select from "ticketViewChanges" h
        where h."companyId" = ${scope.companyId}::int and h."ticketId" = m.id)) as "changedIds",
      ${countViewSql(scope, viewer, view.id)} as count`.execute(scope.db)
  const { ids = [], changedIds = [], count = 0 } = rows[0] ?? {}
  const kept = new Set(changedIds.length ? await selectMatching(scope, viewer, view, changedIds) : [])
  const changed = new Set(changedIds)
  return { ids: ids.filter((id) => !changed.has(id) || kept.has(id)), hasMore: ids.length >= limit, count }
}

async function selectMatching(scope: Scope, viewer: Viewer, view: ViewToList, ids: number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from tickets t
    where t.id = any(${ids}::int[]) and ${viewFilterSql(scope, viewer, view.conditions)}`.execute(scope.db)
  return rows.map(({ id }) => id)
}
