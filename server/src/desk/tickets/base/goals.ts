import { addOpenTime } from '@recado/contract/dashboard/open-time'
import type { Holiday, Hours } from '@recado/contract/hours/hours'
import type { Calendar } from '@recado/contract/hours/opening'
import { ticketPriorities } from '@recado/contract/ticket-statuses'
import type { Ticket } from '@recado/contract/tickets'
import { type RawBuilder, sql } from 'kysely'
import { loadSettings, readSettingValue } from '../../../accounts/settings.ts'
import { minutes } from '../../../kernel/clock.ts'
import { keepPrepared } from '../../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../../kernel/data/scope.ts'
import { publishReportsChanged } from '../../report-changes.ts'
import type { UndoRecord } from '../../tables.ts'
import { deleteGoalNotices, notifyGoalDue } from './notices.ts'
import { makeStep, recordTicketEvent } from './tracking.ts'
import { publishGoalMissedWebhook } from './webhook-events.ts'

/**
 * SLA goals of queues (docs/reports.md, goals). A goal begins when an agent is needed in a queue and ends with the first
 * reply or with closing. It stays with the ticket while the ticket is in that queue: another queue sets its own goals. Due
 * times are calculated when the goal begins and when the ticket's priority changes; the timer only reads due rows
 * (automation/timers/goals.ts).
 */
type GoalKind = 'answer' | 'resolve'
export type OpeningCalendar = Calendar
type Goal = {
  id: number
  kind: GoalKind
  minutes: number
  since: string
  warnAt: string
  dueAt: string
  /** When the timer warns or, at the due time, counts the goal as missed. */
  nextAt: string | null
  lateAt: string | null
  queueId: number | null
}

/** The share of the time after which a warning is sent. */
const warnAtShare = 0.8

type GoalState = Pick<
  Ticket,
  'status' | 'userId' | 'queueId' | 'whatsappId' | 'chatbot' | 'isGroup' | 'waitingSince'
> & {
  answerGoal: number | null
  resolveGoal: number | null
  schedules: Hours[] | null
  living: number
}
/** The queue's goal for a ticket `t` of this priority. */
const promisedSql = (kind: GoalKind) =>
  sql.raw(
    `coalesce(case t.priority ${ticketPriorities
      .map((name, n) =>
        name === 'normal' ? '' : `when ${n} then q."${kind}Goal${name[0]?.toUpperCase()}${name.slice(1)}"`,
      )
      .join(' ')} end, q."${kind}Goal")`,
  )

/** Undefined if no goal is set and none is running, as in most companies. */
const loadGoalState = (scope: Scope, ticketId: number): Promise<GoalState | undefined> =>
  scope.load(loadGoalStates, ticketId)
async function loadGoalStates(scope: Scope, ticketIds: number[]): Promise<(GoalState | undefined)[]> {
  const { rows } = await sql<GoalState & { id: number }>`${keepPrepared}
    select t.id, t.status, t."userId", t."queueId", t."whatsappId", t.chatbot, t."isGroup", t."waitingSince",
      ${promisedSql('answer')} as "answerGoal", ${promisedSql('resolve')} as "resolveGoal", q.schedules, g.living
    from tickets t left join queues q on q."companyId" = t."companyId" and q.id = t."queueId"
    cross join lateral (select count(*)::int as living from "ticketGoals" g
      where g."companyId" = t."companyId" and g."ticketId" = t.id and g."endedAt" is null) g
    where t."companyId" = ${scope.companyId} and t.id = any(${ticketIds}::int[])
      and (${promisedSql('answer')} is not null or ${promisedSql('resolve')} is not null or g.living > 0)`.execute(
    scope.db,
  )
  const found = new Map(rows.map(({ id, ...state }) => [id, state]))
  return ticketIds.map((id) => found.get(id))
}

/** Whether goals run: an agent is needed in the queue, or has the ticket. */
const needsAgent = ({ status, chatbot, isGroup, queueId }: GoalState): boolean =>
  status !== 'closed' && !chatbot && !isGroup && queueId !== null

type TicketBefore = Pick<Ticket, 'status' | 'userId' | 'queueId' | 'chatbot'>

/** Begins, continues or ends the goals of a ticket that was changed, or created (`before` is null). */
export async function updateGoals(scope: Scope, ticketId: number, before: TicketBefore | null): Promise<void> {
  const now = await loadGoalState(scope, ticketId)
  if (!now) return
  const isLiving = needsAgent(now)
  const isNew = before === null || before.status === 'closed' || before.chatbot || before.queueId !== now.queueId
  if (isLiving && !isNew) return
  if (now.living) {
    // The goal counts for the agent who had the ticket until now, not for another user who closes it.
    if (now.status === 'closed') await completeGoal(scope, ticketId, 'resolve', before?.userId ?? now.userId)
    await dropGoals(scope, ticketId)
  }
  if (isLiving) await startGoals(scope, ticketId, now)
}

type GoalPromise = { kind: GoalKind; minutes: number }
const listPromises = (state: GoalState): GoalPromise[] => {
  // No reply goal if the ticket was assigned at once or the agent wrote first, because nobody waits.
  const waits = state.status === 'pending' || state.waitingSince !== null
  return [
    ...(waits && state.answerGoal !== null ? [{ kind: 'answer' as const, minutes: state.answerGoal }] : []),
    ...(state.resolveGoal !== null ? [{ kind: 'resolve' as const, minutes: state.resolveGoal }] : []),
  ]
}

async function startGoals(
  scope: Scope,
  ticketId: number,
  state: GoalState,
  promises = listPromises(state),
): Promise<void> {
  if (!promises.length) return
  const calendar = await loadQueueCalendar(scope, state)
  const since = scope.now()
  const { companyId } = scope
  const { queueId, whatsappId } = state
  const values = promises.flatMap((promise) => {
    const times = calculateGoalTimes(calendar, since, promise.minutes)
    if (!times) return []
    return [{ companyId, ticketId, queueId, whatsappId, ...promise, since, ...times, nextAt: times.warnAt }]
  })
  if (values.length) await scope.db.insertInto('ticketGoals').values(values).execute()
}

/** Null: the queue is never open for that long. */
function calculateGoalTimes(
  calendar: OpeningCalendar | null,
  since: Date,
  promised: number,
): { warnAt: Date; dueAt: Date } | null {
  const dueAt = addOpenTime(calendar, since, minutes(promised))
  const warnAt = addOpenTime(calendar, since, minutes(promised) * warnAtShare)
  return dueAt && warnAt && { warnAt, dueAt }
}

/**
 * The priority of a locked ticket has changed. A running goal gets the minutes of the new priority, counted from when the
 * goal began, so it may be due at once. A missed goal stays missed. A goal that only the new priority has begins now.
 */
export async function updateGoalsForPriority(scope: Scope, ticketId: number): Promise<void> {
  const state = await loadGoalState(scope, ticketId)
  if (!state || !needsAgent(state)) return
  const promises = { answer: state.answerGoal, resolve: state.resolveGoal }
  const running = await findGoals(scope, ticketId, sql`g."lateAt" is null`)
  const changed = running.filter(({ kind, minutes }) => promises[kind] !== minutes)
  const newKinds = await findKindsWithoutGoal(scope, ticketId)
  const begun = listPromises(state).filter(({ kind }) => newKinds.has(kind))
  if (!changed.length && !begun.length) return
  const calendar = await loadQueueCalendar(scope, state)
  for (const goal of changed) await changeGoalMinutes(scope, goal, promises[goal.kind], calendar)
  await startGoals(scope, ticketId, state, begun)
  const isWarned = await findGoals(scope, ticketId, sql`(g."nextAt" is null or g."warnAt" <= ${scope.now()})`)
  if (!isWarned.length) await deleteGoalNotices(scope, ticketId)
  publishReportsChanged(scope)
}

/** The kinds of goals that the ticket has not had in its queue since it was opened. */
async function findKindsWithoutGoal(scope: Scope, ticketId: number): Promise<Set<GoalKind>> {
  const { rows } = await sql<{ kind: GoalKind }>`
    select k.kind from tickets t cross join unnest(${['answer', 'resolve']}::text[]) k (kind)
    where t."companyId" = ${scope.companyId} and t.id = ${ticketId} and not exists (
      select from "ticketGoals" g
      where g."companyId" = t."companyId" and g."ticketId" = t.id and g."queueId" = t."queueId" and g.kind = k.kind
        and g.since >= coalesce((select max(s."finishedAt") from "ticketTracking" s
          where s."companyId" = t."companyId" and s."ticketId" = t.id and s."endedBy" = 'resolved'), '-infinity'))`.execute(
    scope.db,
  )
  return new Set(rows.map(({ kind }) => kind))
}

/** `promised` is null if the new priority has no such goal. */
async function changeGoalMinutes(
  scope: Scope,
  goal: Goal,
  promised: number | null,
  calendar: OpeningCalendar | null,
): Promise<void> {
  const times = promised === null ? null : calculateGoalTimes(calendar, new Date(goal.since), promised)
  const which = sql`g."companyId" = ${scope.companyId} and g.id = ${goal.id}`
  if (!times) {
    await sql`delete from "ticketGoals" g where ${which}`.execute(scope.db)
    return
  }
  const now = scope.now().getTime()
  const wasWarned = goal.nextAt !== null && Date.parse(goal.nextAt) > Date.parse(goal.warnAt)
  const isOver = times.dueAt.getTime() <= now || (wasWarned && times.warnAt.getTime() <= now)
  await sql`
    update "ticketGoals" g set minutes = ${promised}::int, "warnAt" = ${times.warnAt}, "dueAt" = ${times.dueAt},
      "nextAt" = ${isOver ? times.dueAt : times.warnAt}
    where ${which}`.execute(scope.db)
}

/** The opening hours that apply: the company's, the queue's, or none, by the same rule as for the bots. */
export async function loadQueueCalendar(
  scope: Scope,
  { schedules }: Pick<GoalState, 'schedules'>,
): Promise<OpeningCalendar | null> {
  const settings = (await loadSettings(scope, [scope.companyId])).get(scope.companyId)
  const type = readSettingValue(settings, 'scheduleType')
  if (type !== 'company' && type !== 'queue') return null
  const company: { schedules: Hours[]; holidays: Holiday[] } = await scope.db
    .selectFrom('companies')
    .select(['schedules', 'holidays'])
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  const week = type === 'queue' ? (schedules ?? []) : company.schedules
  return { week, holidays: company.holidays, zone: readSettingValue(settings, 'timezone') }
}

const runningGoalsSql = (scope: Scope, ticketId: number) =>
  sql`g."companyId" = ${scope.companyId} and g."ticketId" = ${ticketId} and g."endedAt" is null`
async function findGoals(scope: Scope, ticketId: number, which: RawBuilder<unknown>): Promise<Goal[]> {
  const { rows } = await sql<Goal>`
    select g.id, g.kind, g.minutes, g.since, g."warnAt", g."dueAt", g."nextAt", g."lateAt", g."queueId" from "ticketGoals" g
    where ${runningGoalsSql(scope, ticketId)} and ${which} order by g.id`.execute(scope.db)
  return rows
}

/**
 * Ends a goal when an agent replied in the ticket or closed it. A goal past its due time is missed even if the timer
 * has not run.
 */
async function completeGoal(scope: Scope, ticketId: number, kind: GoalKind, userId: number | null): Promise<boolean> {
  const [goal] = await findGoals(scope, ticketId, sql`g.kind = ${kind}`)
  if (!goal) return false
  const isLate = goal.lateAt === null && Date.parse(goal.dueAt) < scope.now().getTime()
  if (isLate) await markGoalMissed(scope, ticketId, goal, userId)
  await sql`
    update "ticketGoals" g set "endedAt" = ${scope.now()}, "nextAt" = null,
      "userId" = case when g."lateAt" is null then ${userId}::int else g."userId" end
    where g."companyId" = ${scope.companyId} and g.id = ${goal.id}`.execute(scope.db)
  await deleteGoalNotices(scope, ticketId)
  publishReportsChanged(scope)
  return true
}

/** An agent replied in these tickets. Returns the tickets that had a reply goal. */
export async function markGoalsAnswered(scope: Scope, ticketIds: number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number; userId: number | null }>`
    select t.id, t."userId" from "ticketGoals" g join tickets t on t."companyId" = g."companyId" and t.id = g."ticketId"
    where g."companyId" = ${scope.companyId} and g."ticketId" = any(${ticketIds}::int[]) and g.kind = 'answer'
      and g."endedAt" is null order by t.id`.execute(scope.db)
  for (const { id, userId } of rows) await completeGoal(scope, id, 'answer', userId ?? scope.person?.id ?? null)
  return rows.map(({ id }) => id)
}

/** The newest goal of ticket `t` and its running goals, for `restoreGoals`. */
export const goalSnapshotSql = sql.raw(`jsonb_build_object(
  'lastId', coalesce((select max(g.id) from "ticketGoals" g where g."companyId" = t."companyId" and g."ticketId" = t.id), 0),
  'running', coalesce((select jsonb_agg(to_jsonb(g)) from "ticketGoals" g where g."companyId" = t."companyId" and g."ticketId" = t.id and g."endedAt" is null), '[]'))`)

/** Restores the goals of an undone action: newer ones are deleted, and those that were running run again. */
export async function restoreGoals(
  scope: Scope,
  ticketId: number,
  { lastId, running }: UndoRecord['goals'],
): Promise<void> {
  const ids = running.map(({ id }) => id)
  const { numDeletedRows } = await scope.db
    .deleteFrom('ticketGoals')
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .where((eb) => eb.or([eb('id', '>', lastId), eb('id', '=', sql<number>`any(${ids}::int[])`)]))
    .executeTakeFirstOrThrow()
  if (running.length)
    await sql`
      insert into "ticketGoals" overriding system value
      select * from jsonb_populate_recordset(null::"ticketGoals", ${JSON.stringify(running)}::jsonb)`.execute(scope.db)
  if (numDeletedRows || running.length) publishReportsChanged(scope)
}

/** Removes the running goals. Breached goals stay. */
async function dropGoals(scope: Scope, ticketId: number): Promise<void> {
  await sql`delete from "ticketGoals" g where ${runningGoalsSql(scope, ticketId)} and g."lateAt" is null`.execute(
    scope.db,
  )
  await sql`update "ticketGoals" g set "endedAt" = ${scope.now()} where ${runningGoalsSql(scope, ticketId)}`.execute(
    scope.db,
  )
  await deleteGoalNotices(scope, ticketId)
}

/** Counts a goal whose due time has passed as missed, journals it and publishes it to webhooks. */
async function markGoalMissed(scope: Scope, ticketId: number, goal: Goal, userId: number | null): Promise<void> {
  await sql`
    update "ticketGoals" g set "lateAt" = g."dueAt", "nextAt" = null, "userId" = ${userId}::int
    where g."companyId" = ${scope.companyId} and g.id = ${goal.id}`.execute(scope.db)
  await recordTicketEvent(scope, ticketId, 'goal', makeStep('goal-missed', goal.kind, { minutes: goal.minutes }))
  await publishGoalMissedWebhook(scope, goal.id)
  publishReportsChanged(scope)
}

/** The due goals of this ticket, which is locked. */
export const findDueGoals = (scope: Scope, ticketId: number): Promise<Goal[]> =>
  findGoals(scope, ticketId, sql`g."nextAt" <= ${scope.now()}`)

export async function handleDueGoals(scope: Scope, ticket: Pick<Ticket, 'id' | 'userId' | 'queueId'>, due: Goal[]) {
  for (const goal of due) {
    // The ticket's queue was deleted, and its goal with it.
    if (goal.queueId === null) await dropGoals(scope, ticket.id)
    else if (Date.parse(goal.dueAt) <= scope.now().getTime())
      await markGoalMissed(scope, ticket.id, goal, ticket.userId)
    else {
      await sql`
        update "ticketGoals" g set "nextAt" = g."dueAt"
        where g."companyId" = ${scope.companyId} and g.id = ${goal.id}`.execute(scope.db)
      await notifyGoalDue(scope, ticket)
      publishReportsChanged(scope)
    }
  }
}
