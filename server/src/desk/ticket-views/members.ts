import { topics } from '@recado/contract/live'
import { type TicketConditionGroup, withImpliedConditions } from '@recado/contract/views/ticket-conditions'
import { type RawBuilder, sql } from 'kysely'
import { lockInCompany } from '../../kernel/data/advisory-locks.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { conditionsSql, nextChangeSql } from './conditions-sql.ts'

/** How many tickets one transaction looks at. */
const maxTicketsPerStep = 500
const maxTicketsPerFillStep = 5000

type StoredView = { id: number; conditions: TicketConditionGroup; fillBefore: number | null; deletedAt: string | null }

/**
 * Looks at tickets that changed, at those for which time passed, and at the next part of new views. Returns whether
 * there is more to do. The lock of the company lasts until the commit, so that no older state of a ticket is written
 * after a newer one.
 */
export async function updateViewMembers(scope: Scope): Promise<boolean> {
  await lockInCompany(scope, 'ticketViews')
  const views = await listStoredViews(scope)
  const changedIds = await takeChangedTickets(scope)
  const dueIds = await findDueTickets(scope)
  const ids = [...new Set([...changedIds, ...dueIds])]
  const usable = views.filter((view) => view.deletedAt === null)
  const changedViewIds: number[] = []
  if (ids.length)
    for (const view of usable)
      if (await updateMembers(scope, view, (id) => sql`${id} = any(${ids}::int[])`)) changedViewIds.push(view.id)
  const unfinished = usable.find((view) => view.fillBefore !== null)
  if (unfinished) {
    await fillNextPart(scope, unfinished)
    changedViewIds.push(unfinished.id)
  }
  const deleted = views.find((view) => view.deletedAt !== null)
  if (deleted) await deleteNextPart(scope, deleted.id)
  if (changedViewIds.length) {
    await deleteEmptyTallies(scope, changedViewIds)
    scope.live(topics.ticketViewCounts, { action: 'update', viewIds: [...new Set(changedViewIds)] })
  }
  return (
    changedIds.length === maxTicketsPerStep ||
    dueIds.length === maxTicketsPerStep ||
    unfinished !== undefined ||
    deleted !== undefined
  )
}

const listStoredViews = (scope: Scope): Promise<StoredView[]> =>
  scope.db
    .selectFrom('ticketViews')
    .select(['id', 'conditions', 'fillBefore', 'deletedAt'])
    .where('companyId', '=', scope.companyId)
    .orderBy('id')
    .execute() as Promise<StoredView[]>

/** The changes commit with the tickets: whatever a deleted row announced can be read. */
async function takeChangedTickets(scope: Scope): Promise<number[]> {
  const { rows } = await sql<{ ticketId: number }>`
    delete from "ticketViewChanges" where "companyId" = ${scope.companyId} and id in (
      select id from "ticketViewChanges" where "companyId" = ${scope.companyId} and "lookAt" <= now() order by id limit ${maxTicketsPerStep})
    returning "ticketId"`.execute(scope.db)
  return rows.map(({ ticketId }) => ticketId)
}

async function findDueTickets(scope: Scope): Promise<number[]> {
  const { rows } = await sql<{ ticketId: number }>`
    select "ticketId" from "ticketViewMembers"
    where "companyId" = ${scope.companyId} and "recheckAt" <= ${scope.now()} limit ${maxTicketsPerStep}`.execute(
    scope.db,
  )
  return rows.map(({ ticketId }) => ticketId)
}

/**
 * Makes those of the tickets members that meet the conditions, and no others. Returns whether a row changed. `which` is a
 * condition on ids of tickets. It is also applied to the members: the planner expects few members in a new view, and
 * would compare all of them with all of the tickets.
 */
async function updateMembers(
  scope: Scope,
  view: StoredView,
  which: (id: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<boolean> {
  const now = scope.now()
  const conditions = withImpliedConditions(view.conditions)
  const results = sql`
    select t.id, t.status, t."userId", t."queueId", t."updatedMinute",
      t."userId" is not null and ${conditionsSql(conditions, { isMine: sql<boolean>`true`, now })} as "forOwn",
      ${conditionsSql(conditions, { isMine: sql<boolean>`false`, now })} as "forOthers",
      ${nextChangeSql(conditions, now)} as "recheckAt"
    from tickets t where t."companyId" = ${scope.companyId} and ${which(sql`t.id`)}`
  const { rows } = await sql<{ changed: number }>`
    with results as materialized (${results}),
    left_out as (
      delete from "ticketViewMembers" m
      where m."companyId" = ${scope.companyId} and m."viewId" = ${view.id} and ${which(sql`m."ticketId"`)}
        and m."ticketId" = any(array(
          select r.id from results r where not r."forOwn" and not r."forOthers" and r."recheckAt" is null))
      returning 1
    ),
    written as (
      insert into "ticketViewMembers" as m
        ("companyId", "viewId", "ticketId", status, "userId", "queueId", "updatedMinute", "forOwn", "forOthers", "recheckAt")
      select ${scope.companyId}::int, ${view.id}::int, r.id, r.status, r."userId", r."queueId", r."updatedMinute",
        r."forOwn", r."forOthers", r."recheckAt"
      from results r where r."forOwn" or r."forOthers" or r."recheckAt" is not null
      on conflict ("companyId", "viewId", "ticketId") do update set
        status = excluded.status, "userId" = excluded."userId", "queueId" = excluded."queueId",
        "updatedMinute" = excluded."updatedMinute", "forOwn" = excluded."forOwn", "forOthers" = excluded."forOthers",
        "recheckAt" = excluded."recheckAt"
      where (m.status, m."userId", m."queueId", m."updatedMinute", m."forOwn", m."forOthers", m."recheckAt")
        is distinct from (excluded.status, excluded."userId", excluded."queueId", excluded."updatedMinute",
          excluded."forOwn", excluded."forOthers", excluded."recheckAt")
      returning 1
    )
    select (select count(*) from left_out)::int + (select count(*) from written)::int as changed`.execute(scope.db)
  return (rows[0]?.changed ?? 0) > 0
}

/** The newest tickets come first, because they are the first on every page. */
async function fillNextPart(scope: Scope, view: StoredView): Promise<void> {
  const { rows } = await sql<{ last: number | null; n: number }>`
    select min(id) as last, count(*)::int as n from (
      select id from tickets where "companyId" = ${scope.companyId} and id < ${view.fillBefore}
      order by id desc limit ${maxTicketsPerFillStep}) t`.execute(scope.db)
  const { last = null, n = 0 } = rows[0] ?? {}
  if (last !== null) await updateMembers(scope, view, (id) => sql`${id} >= ${last} and ${id} < ${view.fillBefore}`)
  await scope.db
    .updateTable('ticketViews')
    .set({ fillBefore: n < maxTicketsPerFillStep ? null : last })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', view.id)
    .execute()
}

/** Deletes the view with its last members. */
async function deleteNextPart(scope: Scope, viewId: number): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    with gone as (
      delete from "ticketViewMembers" where "companyId" = ${scope.companyId} and "viewId" = ${viewId} and "ticketId" in (
        select "ticketId" from "ticketViewMembers"
        where "companyId" = ${scope.companyId} and "viewId" = ${viewId} limit ${maxTicketsPerFillStep})
      returning 1
    )
    select count(*)::int as n from gone`.execute(scope.db)
  if ((rows[0]?.n ?? 0) === maxTicketsPerFillStep) return
  await scope.db.deleteFrom('ticketViews').where('companyId', '=', scope.companyId).where('id', '=', viewId).execute()
}

const deleteEmptyTallies = (scope: Scope, viewIds: number[]) =>
  scope.db
    .deleteFrom('ticketViewTallies')
    .where('companyId', '=', scope.companyId)
    .where('viewId', 'in', viewIds)
    .where('n', '=', 0)
    .execute()
