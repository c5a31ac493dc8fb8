import type { dashboardApi, ReportFact, ReportFactKind } from '@recado/contract/dashboard/dashboard'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { recordsPerPage } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { canSeeTicketSql, currentViewer } from '../tickets/base/visibility.ts'
import { openHoursKind } from './read.ts'
import {
  duringSql,
  hasTagSql,
  isVisibleQueueSql,
  literalListSql,
  pressingGoalsSql,
  type ReportQuery,
} from './report-sql.ts'

type DrillDownQuery = z.output<typeof dashboardApi.behind.query>

/** Kinds of numbers that describe the present; all others count past events, each with its time. */
type CurrentKind = 'open' | 'pending' | 'soonNow' | 'lateNow'
type PastKind = Exclude<ReportFactKind, CurrentKind>
const isCurrentKind = (kind: ReportFactKind): kind is CurrentKind =>
  ['open', 'pending', 'soonNow', 'lateNow'].includes(kind)

/** The table that counted events come from, and the indexed column that holds their time. */
const segmentFacts = sql`"ticketTracking" k cross join lateral leg_facts(k) f`
const ratingFacts = sql`"userRatings" k cross join lateral rating_facts(k) f`
const nextAnswerFacts = sql`"nextAnswers" k cross join lateral answer_facts(k) f`
const goalFacts = sql`"ticketGoals" k cross join lateral goal_facts(k) f`
const menuFacts = sql`"menuSteps" k cross join lateral menu_facts(k) f`
const closingFacts = sql`(
    select *, case when "closingReasonId" is not null then 'closedFor' else 'closedItself' end as closing from "ticketTracking"
    where "endedBy" = 'resolved' and ("closingReasonId" is not null or "closedItself")
  ) k cross join lateral (
    select k."finishedAt" as at, k."queueId", k."userId", k."whatsappId", k.closing as kind, 0 as value) f`
/**
 * Per kind of number: the source of its events and their time columns, of which the first that is set applies. Current
 * kinds have no days.
 */
type FactSource = [RawBuilder<unknown>, string, string?]
const sourceByKind: Record<PastKind, FactSource> = {
  came: [segmentFacts, 'createdAt'],
  again: [segmentFacts, 'createdAt'],
  wait: [segmentFacts, 'startedAt'],
  answer: [segmentFacts, 'answeredAt'],
  talk: [segmentFacts, 'finishedAt'],
  resolved: [segmentFacts, 'finishedAt'],
  alone: [segmentFacts, 'finishedAt'],
  transferred: [segmentFacts, 'finishedAt'],
  returned: [segmentFacts, 'finishedAt'],
  once: [segmentFacts, 'finishedAt'],
  botHad: [segmentFacts, 'chatbotAt'],
  botPassed: [segmentFacts, 'startedAt', 'finishedAt'],
  botLeft: [segmentFacts, 'finishedAt'],
  menuFirst: [menuFacts, 'at'],
  menuAsked: [menuFacts, 'at'],
  menuWrong: [menuFacts, 'at'],
  menuLeft: [menuFacts, 'at'],
  closedFor: [closingFacts, 'finishedAt'],
  closedItself: [closingFacts, 'finishedAt'],
  next: [nextAnswerFacts, 'at'],
  rate: [ratingFacts, 'createdAt'],
  answerKept: [goalFacts, 'endedAt'],
  resolveKept: [goalFacts, 'endedAt'],
  answerLate: [goalFacts, 'lateAt'],
  resolveLate: [goalFacts, 'lateAt'],
}

/** Open tickets with the start of their wait or attendance, and tickets whose SLA is nearly or already breached. */
const currentTicketsSql = (scope: Scope, kind: CurrentKind): RawBuilder<unknown> => {
  const rows =
    kind === 'open' || kind === 'pending'
      ? sql`
        select t.id, t."companyId", t.id as "ticketId", coalesce(l."startedAt", l."queuedAt", t."updatedAt") as "sinceAt", t.status as kind,
          t."queueId", t."userId", t."whatsappId"
        from tickets t
        left join "ticketTracking" l on l."companyId" = t."companyId" and l."ticketId" = t.id and l."finishedAt" is null
        where t."companyId" = ${scope.companyId} and t.status = ${sql.lit(kind)}`
      : sql`
        select g."ticketId" as id, g."companyId", g."ticketId", min(g."dueAt") as "sinceAt",
          case when bool_or(g."dueAt" <= ${scope.now()}) then 'lateNow' else 'soonNow' end as kind, g."queueId", t."userId", t."whatsappId"
        from ${pressingGoalsSql(scope)} group by g."ticketId", g."companyId", g."queueId", t."userId", t."whatsappId"`
  return sql`(${rows}) k cross join lateral (
    select k."sinceAt" as at, k."queueId", k."userId", k."whatsappId", k.kind,
      greatest(0, extract(epoch from ${scope.now()}::timestamptz - k."sinceAt"))::int as value) f`
}

const isDurationKind = (kind: ReportFactKind): kind is 'wait' | 'answer' | 'talk' | 'next' =>
  kind === 'wait' || kind === 'answer' || kind === 'talk' || kind === 'next'
/** The names of the counted events for a requested kind of number. */
const factKindsOf = (kind: ReportFactKind, hours: boolean | undefined): string[] =>
  kind === 'menuAsked' ? ['menuRight', 'menuWrong'] : [isDurationKind(kind) && hours ? openHoursKind(kind) : kind]

type DrillDownRow = {
  id: number
  at: string
  value: number
  ticketId: number
  number: number
  uuid: string
  contactId: number
  contact: string
  queueId: number | null
  queue: string | null
  color: string | null
  userId: number | null
  user: string | null
}

/** The tickets behind a number, newest first: one page, and whether there are more. */
export async function listTicketsBehindNumber(scope: Scope, query: ReportQuery, params: DrillDownQuery) {
  const { kind, hour, weekday, noQueue, optionId, atTop, reasonId, pageNumber } = params
  const [source, column, or]: FactSource = isCurrentKind(kind)
    ? [currentTicketsSql(scope, kind), 'sinceAt']
    : sourceByKind[kind]
  const first = sql`k.${sql.ref(column)}`
  const second = or && sql`k.${sql.ref(or)}`
  const time = second ? sql`coalesce(${first}, ${second})` : first
  // Each column has its own condition, so that its index is used.
  const inDays = second
    ? sql`(${duringSql(first, query)} or ${duringSql(second, query)}) and ${duringSql(time, query)}`
    : duringSql(time, query)
  const local = sql`(f.at at time zone ${query.zone})`
  const { queueId, userId, whatsappId, tagId } = query
  const viewer = currentViewer(scope)
  const { rows } = await sql<DrillDownRow>`
    select k.id, f.at, f.value, t.id as "ticketId", t.number, t.uuid, c.id as "contactId", c.name as contact,
      q.id as "queueId", q.name as queue, q.color, u.id as "userId", u.name as "user"
    from ${source}
    join tickets t on t."companyId" = k."companyId" and t.id = k."ticketId"
    join contacts c on c."companyId" = t."companyId" and c.id = t."contactId"
    left join queues q on q."companyId" = k."companyId" and q.id = f."queueId"
    left join users u on u."companyId" = k."companyId" and u.id = f."userId"
    where k."companyId" = ${scope.companyId} and ${isCurrentKind(kind) ? sql`true` : inDays} and f.kind in (${literalListSql(factKindsOf(kind, query.hours))})
      and ${isVisibleQueueSql(sql`f."queueId"`, query)} and ${viewer ? canSeeTicketSql(viewer) : sql`false`}
      and ${queueId === null ? sql`true` : sql`f."queueId" = ${queueId}`} and ${noQueue ? sql`f."queueId" is null` : sql`true`}
      and ${optionId ? sql`f.value = ${optionId}` : atTop ? sql`f.value = 0` : sql`true`}
      and ${kind === 'closedFor' && reasonId ? sql`k."closingReasonId" = ${reasonId}` : sql`true`}
      and ${userId === null ? sql`true` : sql`f."userId" = ${userId}`}
      and ${whatsappId === null ? sql`true` : sql`f."whatsappId" = ${whatsappId}`}
      and ${hasTagSql(scope, tagId, sql`k."ticketId"`)}
      and ${hour === undefined ? sql`true` : sql`extract(hour from ${local}) = ${hour}`}
      and ${weekday === undefined ? sql`true` : sql`extract(isodow from ${local}) = ${weekday}`}
    order by ${time} desc, k.id desc
    limit ${sql.lit(recordsPerPage + 1)} offset ${(pageNumber - 1) * recordsPerPage}`.execute(scope.db)
  const tickets = rows.slice(0, recordsPerPage).map(
    (row): ReportFact => ({
      key: `${kind} ${row.id}`,
      at: row.at,
      value: row.value,
      ticket: { id: row.ticketId, number: row.number, uuid: row.uuid },
      contact: { id: row.contactId, name: row.contact },
      queue: row.queueId === null ? null : { id: row.queueId, name: row.queue ?? '', color: row.color ?? '' },
      user: row.userId === null ? null : { id: row.userId, name: row.user ?? '' },
    }),
  )
  const hasMore = rows.length > recordsPerPage
  // The exact total is not counted, because the page that opens this list already shows it.
  return { tickets, count: (pageNumber - 1) * recordsPerPage + tickets.length, hasMore }
}
