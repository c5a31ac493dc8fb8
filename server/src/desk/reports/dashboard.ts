import { type AgentReport, type DashboardView, maxReportDays } from '@recado/contract/dashboard/dashboard'
import { sql } from 'kysely'
import { loadCompanyTimeZone } from '../../accounts/settings.ts'
import { addDays, days, toCalendarDay } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { ticketTalliesSql } from '../tickets/ticket-tallies.ts'
import {
  countNewContacts,
  type DailyCounts,
  type HourOfWeek,
  hasSums,
  readDailyCounts,
  readDailySums,
  readHoursOfWeek,
  readPercentiles,
  readSums,
  zeroSums,
} from './read.ts'
import {
  type DateRange,
  hasTagSql,
  isVisibleQueueSql,
  pressingGoalsSql,
  type ReportFilter,
  type ReportQuery,
} from './report-sql.ts'

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / days(1)

/** A number of days until today, or a range. The default is the month until today. */
export type DateParams = { days?: number | undefined; from?: string | undefined; to?: string | undefined }
export function resolveDates(given: DateParams, today: string): Omit<DateRange, 'zone'> {
  if (given.days) return { from: addDays(today, 1 - given.days), to: today }
  const firstOf = (day: string) => `${day.slice(0, 8)}01`
  const from = given.from ?? firstOf(given.to ?? today)
  const to = given.to ?? (from > today ? from : today)
  const [first, last] = from <= to ? [from, to] : [to, from]
  return { from: daysBetween(first, last) < maxReportDays ? first : addDays(last, 1 - maxReportDays), to: last }
}

/** Every day in the range, including days without data. */
export const listDays = ({ from, to }: Omit<DateRange, 'zone'>): string[] =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, n) => addDays(from, n))

/** The range of the same length just before this one. */
export function precedingDates({ from, to }: Omit<DateRange, 'zone'>): Omit<DateRange, 'zone'> {
  const before = addDays(from, -1)
  return { from: addDays(before, -daysBetween(from, to)), to: before }
}

export async function loadReportCalendar(scope: Scope): Promise<{ zone: string; today: string }> {
  const zone = await loadCompanyTimeZone(scope)
  return { zone, today: toCalendarDay(scope.now(), zone) }
}

type ActiveTicketCount = { status: 'open' | 'pending'; userId: number | null; n: number }

const matchesQueueAndUserSql = ({ queueId, userId, queueIds }: ReportFilter) => sql`
  ${isVisibleQueueSql(sql`t."queueId"`, { queueIds })}
  and ${queueId === null ? sql`true` : sql`t."queueId" = ${queueId}`}
  and ${userId === null ? sql`true` : sql`t."userId" = ${userId}`}`
const matchesLineAndTagSql = (scope: Scope, { whatsappId, tagId }: ReportFilter) => sql`
  ${whatsappId === null ? sql`true` : sql`t."whatsappId" = ${whatsappId}`} and ${hasTagSql(scope, tagId, sql`t.id`)}`

/** Open tickets at this moment, by agent. The stored counts know neither line nor tag. */
async function countActiveTickets(scope: Scope, filter: ReportFilter): Promise<ActiveTicketCount[]> {
  const isCounted = filter.whatsappId === null && filter.tagId === null
  const tickets = isCounted
    ? sql`${ticketTalliesSql(scope)} where true`
    : sql`(select *, 1 as n from tickets) t where t."companyId" = ${scope.companyId}
        and t.status in ('open', 'pending') and ${matchesLineAndTagSql(scope, filter)}`
  const { rows } = await sql<ActiveTicketCount>`
    select t.status, t."userId", sum(t.n)::int as n from ${tickets} and ${matchesQueueAndUserSql(filter)}
    group by 1, 2 having sum(t.n) > 0`.execute(scope.db)
  return rows
}

/** Since when the customer waits who has waited longest for an agent. */
async function findOldestWait(scope: Scope, filter: ReportFilter): Promise<string | null> {
  // Waits are read by the small index of running segments, and their tickets from the oldest on until one matches.
  const { rows } = await sql<{ queuedAt: string }>`
    select k."queuedAt" from (
      select "ticketId", "queuedAt" from "ticketTracking"
      where "companyId" = ${scope.companyId} and "finishedAt" is null and "startedAt" is null and "chatbotAt" is null
      order by "queuedAt" offset 0) k
    where k."queuedAt" is not null and exists (
      select from tickets t where t."companyId" = ${scope.companyId} and t.id = k."ticketId" and t.status = 'pending'
        and ${matchesQueueAndUserSql(filter)} and ${matchesLineAndTagSql(scope, filter)} offset 0)
    limit 1`.execute(scope.db)
  return rows[0]?.queuedAt ?? null
}

type PressingCount = { queueId: number; soonNow: number; lateNow: number }

/** Tickets per queue whose SLA is nearly or already breached at this moment. */
async function countPressingGoals(
  scope: Scope,
  query: ReportQuery,
): Promise<Map<number, Omit<PressingCount, 'queueId'>>> {
  const { userId, whatsappId, tagId } = query
  const { rows } = await sql<PressingCount>`
    select "queueId", (count(*) filter (where not late))::int as "soonNow", (count(*) filter (where late))::int as "lateNow"
    from (
      select g."queueId", g."ticketId", bool_or(g."dueAt" <= ${scope.now()}) as late
      from ${pressingGoalsSql(scope)}
        and ${isVisibleQueueSql(sql`g."queueId"`, query)} and ${userId === null ? sql`true` : sql`t."userId" = ${userId}`}
        and ${whatsappId === null ? sql`true` : sql`t."whatsappId" = ${whatsappId}`} and ${hasTagSql(scope, tagId, sql`t.id`)}
      group by g."queueId", g."ticketId") g
    group by "queueId"`.execute(scope.db)
  return new Map(rows.map(({ queueId, ...counted }) => [queueId, counted]))
}

/** Users who are active or did something in these days. */
const selectPeople = (scope: Scope, { queueIds }: Pick<ReportFilter, 'queueIds'>) =>
  scope.db
    .selectFrom('users as u')
    .select(['u.id', 'u.name', 'u.online', 'u.active'])
    .select(({ exists, selectFrom }) =>
      // A user who is in none of the visible queues is shown only with work done in them.
      exists(
        selectFrom('userQueues as q')
          .select('q.queueId')
          .where('q.companyId', '=', scope.companyId)
          .whereRef('q.userId', '=', 'u.id')
          .where('q.queueId', '=', sql<number>`any(${queueIds ?? []}::int[])`),
      ).as('near'),
    )
    .where('u.companyId', '=', scope.companyId)
    .orderBy('u.name')
    .orderBy('u.id')
    .execute()
const selectQueues = (scope: Scope) =>
  scope.db
    .selectFrom('queues')
    .select(['id', 'name', 'color', 'answerGoal', 'resolveGoal'])
    .where('companyId', '=', scope.companyId)
    .orderBy('name')
    .execute()

/** One entry per day, or per hour for a single day, including empty ones. */
const buildSeries = (
  query: Omit<DateRange, 'zone'>,
  counted: DailyCounts,
  week: HourOfWeek[],
): DashboardView['series'] =>
  query.from === query.to
    ? Array.from({ length: 24 }, (_, hour) => {
        const found = week.find((one) => one.hour === hour)
        return { day: query.from, hour, came: found?.came ?? 0, resolved: found?.resolved ?? 0 }
      })
    : listDays(query).map((day) => {
        const { came, resolved } = counted.get(day) ?? zeroSums
        return { day, hour: null, came, resolved }
      })

/** The numbers of the preceding days, for comparison. */
async function loadPrecedingPeriod(scope: Scope, query: ReportQuery, summed: boolean, contactsSummed: boolean | null) {
  const earlier = { ...query, ...precedingDates(query) }
  const { from, to } = earlier
  const none: HourOfWeek[] = []
  const [sums, contacts, counted, week] = await Promise.all([
    readSums(scope, earlier, summed),
    contactsSummed === null ? 0 : countNewContacts(scope, earlier, contactsSummed),
    from === to ? (new Map() as DailyCounts) : readDailyCounts(scope, earlier, summed),
    from === to ? readHoursOfWeek(scope, earlier, summed) : none,
  ])
  return { from, to, sums, newContacts: contacts, series: buildSeries(earlier, counted, week) }
}

export async function buildDashboard(
  scope: Scope,
  query: ReportQuery,
  today: string,
  compare: boolean,
): Promise<DashboardView> {
  const { from, to, zone } = query
  const summed = await hasSums(scope, query)
  // New contacts are counted for the whole company, so users who see only a part of it do not get this number.
  const isWhole = query.queueIds === null && !query.alone
  const contactsSummed = isWhole ? await hasSums(scope, { zone, tagId: null }) : null
  const [figures, week, spread, alive, oldestAt, contacts, staff, queues, pressed, before] = await Promise.all([
    readDailySums(scope, query, summed),
    readHoursOfWeek(scope, query, summed),
    readPercentiles(scope, query, summed),
    countActiveTickets(scope, query),
    findOldestWait(scope, query),
    contactsSummed === null ? 0 : countNewContacts(scope, query, contactsSummed),
    selectPeople(scope, query),
    selectQueues(scope),
    countPressingGoals(scope, query),
    compare ? loadPrecedingPeriod(scope, query, summed, contactsSummed) : null,
  ])
  const count = (rows: ActiveTicketCount[]) => rows.reduce((sum, { n }) => sum + n, 0)
  const open = alive.filter(({ status }) => status === 'open')
  const pending = alive.filter(({ status }) => status === 'pending')
  const attendants = staff.map(({ id, name, online, active, near }): AgentReport & { active: boolean } => ({
    ...{
      id,
      name,
      online,
      active: active && (query.queueIds === null || Boolean(near)),
      now: count(open.filter((one) => one.userId === id)),
    },
    ...(figures.users.get(id) ?? zeroSums),
  }))
  const did = (one: AgentReport) => one.resolved + one.talks + one.waits + one.rated + one.now > 0
  return {
    ...{ from, to, today, zone, before, newContacts: contacts, sums: figures.all, ...spread },
    now: { open: count(open), pending: count(pending), oldestAt },
    series: buildSeries(query, figures.days, week),
    attendants: attendants.filter((one) =>
      query.userId === null ? did(one) || (one.active && query.queueId === null) : one.id === query.userId,
    ),
    queues: queues
      .filter(({ id }) => (query.queueId === null || id === query.queueId) && (query.queueIds?.includes(id) ?? true))
      .filter(({ id }) => !query.alone || figures.queues.has(id) || pressed.has(id))
      .map((queue) => ({
        ...queue,
        ...(figures.queues.get(queue.id) ?? zeroSums),
        ...(pressed.get(queue.id) ?? { soonNow: 0, lateNow: 0 }),
      })),
    week,
  }
}
