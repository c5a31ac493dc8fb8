import { addOpenTime } from '@recado/contract/dashboard/open-time'
import type { Holiday, Hours } from '@recado/contract/hours/hours'
import type { Calendar } from '@recado/contract/hours/opening'
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
 * times are calculated once, when the goal begins; the timer only reads due rows (automation/timers/goals.ts).
 */
type GoalKind = 'answer' | 'resolve'
export type OpeningCalendar = Calendar
type Goal = {
  id: number
  kind: GoalKind
  minutes: number
  dueAt: string
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
/** Undefined if no goal is set and none is running, as in most companies. */
const loadGoalState = (scope: Scope, ticketId: number): Promise<GoalState | undefined> =>
  scope.load(loadGoalStates, ticketId)
async function loadGoalStates(scope: Scope, ticketIds: number[]): Promise<(GoalState | undefined)[]> {
  const { rows } = await sql<GoalState & { id: number }>`${keepPrepared}
    select t.id, t.status, t."userId", t."queueId", t."whatsappId", t.chatbot, t."isGroup", t."waitingSince",
      q."answerGoal", q."resolveGoal", q.schedules, g.living
    from tickets t left join queues q on q."companyId" = t."companyId" and q.id = t."queueId"
    cross join lateral (select count(*)::int as living from "ticketGoals" g
      where g."companyId" = t."companyId" and g."ticketId" = t.id and g."endedAt" is null) g
    where t."companyId" = ${scope.companyId} and t.id = any(${ticketIds}::int[])
      and (q."answerGoal" is not null or q."resolveGoal" is not null or g.living > 0)`.execute(scope.db)
  const found = new Map(rows.map(({ id, ...state }) => [id, state]))
  return ticketIds.map((id) => found.get(id))
}

type TicketBefore = Pick<Ticket, 'status' | 'userId' | 'queueId' | 'chatbot'>

/** Begins, continues or ends the goals of a ticket that was changed, or created (`before` is null). */
export async function updateGoals(scope: Scope, ticketId: number, before: TicketBefore | null): Promise<void> {
  const now = await loadGoalState(scope, ticketId)
  if (!now) return
  const isLiving = now.status !== 'closed' && !now.chatbot && !now.isGroup && now.queueId !== null
  const isNew = before === null || before.status === 'closed' || before.chatbot || before.queueId !== now.queueId
  if (isLiving && !isNew) return
  if (now.living) {
    // The goal counts for the agent who had the ticket until now, not for another user who closes it.
    if (now.status === 'closed') await completeGoal(scope, ticketId, 'resolve', before?.userId ?? now.userId)
    await dropGoals(scope, ticketId)
  }
  if (isLiving) await startGoals(scope, ticketId, now)
}

async function startGoals(scope: Scope, ticketId: number, state: GoalState): Promise<void> {
  // No reply goal if the ticket was assigned at once or the agent wrote first, because nobody waits.
  const waits = state.status === 'pending' || state.waitingSince !== null
  const wanted: [GoalKind, number | null][] = [
    ['answer', waits ? state.answerGoal : null],
    ['resolve', state.resolveGoal],
  ]
  if (wanted.every(([, promised]) => promised === null)) return
  const calendar = await loadQueueCalendar(scope, state)
  const now = scope.now()
  const { companyId } = scope
  const { queueId, whatsappId } = state
  const values = wanted.flatMap(([kind, promised]) => {
    const due = promised === null ? null : addOpenTime(calendar, now, minutes(promised))
    const warn = promised === null ? null : addOpenTime(calendar, now, minutes(promised) * warnAtShare)
    if (promised === null || !due || !warn) return []
    const times = { since: now, warnAt: warn, dueAt: due, nextAt: warn }
    return [{ companyId, ticketId, queueId, whatsappId, kind, minutes: promised, ...times }]
  })
  if (values.length) await scope.db.insertInto('ticketGoals').values(values).execute()
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
    select g.id, g.kind, g.minutes, g."dueAt", g."lateAt", g."queueId" from "ticketGoals" g
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
