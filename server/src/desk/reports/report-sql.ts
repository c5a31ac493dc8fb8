import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'

/** A range of days, both included, by the calendar of a zone. */
export type DateRange = { from: string; to: string; zone: string }
export type ReportFilter = {
  queueId: number | null
  userId: number | null
  whatsappId: number | null
  tagId: number | null
  /** The user sees only these queues; null: all queues (visibility.ts). */
  queueIds: number[] | null
  /** The user sees only their own numbers. */
  alone?: boolean
}
export const emptyReportFilter: ReportFilter = {
  queueId: null,
  userId: null,
  whatsappId: null,
  tagId: null,
  queueIds: null,
}
/** `hours`: count only the time within opening hours for waits, replies and talks. */
export type ReportQuery = DateRange & ReportFilter & { hours?: boolean }

/** The moments at which a day begins and ends (migration 0245). */
export const dayBeginsSql = (day: string, zone: string) => sql`day_begins(${day}::date, ${zone})`
export const dayEndsSql = (day: string, zone: string) => sql`day_begins(${day}::date + 1, ${zone})`
/** Whether a moment is in these days. Written out for each column so that its index is used. */
export const duringSql = (column: RawBuilder<unknown>, { from, to, zone }: DateRange) =>
  sql`(${column} >= ${dayBeginsSql(from, zone)} and ${column} < ${dayEndsSql(to, zone)})`

export const hasTagSql = (scope: Scope, tagId: number | null, ticketId: RawBuilder<unknown>) =>
  tagId === null
    ? sql`true`
    : sql`exists (select from "ticketTags" g where g."companyId" = ${scope.companyId} and g."ticketId" = ${ticketId} and g."tagId" = ${tagId})`
/** Limits a queue column to the queues visible to the user; 0 or null means no queue. */
export const isVisibleQueueSql = (column: RawBuilder<unknown>, { queueIds }: Pick<ReportFilter, 'queueIds'>) =>
  queueIds === null ? sql`true` : sql`${column} = any(${queueIds}::int[])`
export const matchesFilterSql = ({ queueId, userId, whatsappId, queueIds }: ReportFilter) => sql`
  ${isVisibleQueueSql(sql`f."queueId"`, { queueIds })}
  and ${queueId === null ? sql`true` : sql`f."queueId" = ${queueId}`}
  and ${userId === null ? sql`true` : sql`f."userId" = ${userId}`}
  and ${whatsappId === null ? sql`true` : sql`f."whatsappId" = ${whatsappId}`}`

/** SLA goals of open tickets (`g`, `t`) that are nearly or already breached at this moment. */
export const pressingGoalsSql = (scope: Scope) => sql`
  "ticketGoals" g join tickets t on t."companyId" = g."companyId" and t.id = g."ticketId" and t."queueId" = g."queueId"
  where g."companyId" = ${scope.companyId} and g."endedAt" is null and g."warnAt" <= ${scope.now()}`

/**
 * Every counted event of these days, read directly from segments and ratings: the source of the sums, and the fallback
 * where the sums do not apply (a tag, another time zone). `leg_facts` defines the events (migration 0150).
 */
export const factsSql = (scope: Scope, query: ReportQuery) => sql`(
  select f.*, 1 as n, k."ticketId" from "ticketTracking" k cross join lateral leg_facts(k) f
  where k."companyId" = ${scope.companyId}
    and (${duringSql(sql`k."createdAt"`, query)} or ${duringSql(sql`k."startedAt"`, query)} or ${duringSql(sql`k."answeredAt"`, query)}
      or ${duringSql(sql`k."finishedAt"`, query)})
    and ${duringSql(sql`f.at`, query)} and ${matchesFilterSql(query)} and ${hasTagSql(scope, query.tagId, sql`k."ticketId"`)}
  union all
  select f.*, 1, k."ticketId" from "userRatings" k cross join lateral rating_facts(k) f
  where k."companyId" = ${scope.companyId} and ${duringSql(sql`k."createdAt"`, query)}
    and ${matchesFilterSql(query)} and ${hasTagSql(scope, query.tagId, sql`k."ticketId"`)}
  union all
  select f.*, 1, k."ticketId" from "ticketGoals" k cross join lateral goal_facts(k) f
  where k."companyId" = ${scope.companyId} and (${duringSql(sql`k."endedAt"`, query)} or ${duringSql(sql`k."lateAt"`, query)})
    and ${duringSql(sql`f.at`, query)} and ${matchesFilterSql(query)} and ${hasTagSql(scope, query.tagId, sql`k."ticketId"`)}
  union all
  select f.*, 1, k."ticketId" from "nextAnswers" k cross join lateral answer_facts(k) f
  where k."companyId" = ${scope.companyId} and ${duringSql(sql`k.at`, query)}
    and ${matchesFilterSql(query)} and ${hasTagSql(scope, query.tagId, sql`k."ticketId"`)})`

/** Every counted event about bots: their segments, and the answers to their menus. */
export const botFactsSql = (scope: Scope, query: ReportQuery) => sql`(
  select f.*, 1 as n from "ticketTracking" k cross join lateral leg_facts(k) f
  where k."companyId" = ${scope.companyId} and k."chatbotAt" is not null
    and (${duringSql(sql`k."chatbotAt"`, query)} or ${duringSql(sql`k."startedAt"`, query)} or ${duringSql(sql`k."finishedAt"`, query)})
    and ${duringSql(sql`f.at`, query)} and ${matchesFilterSql(query)} and ${hasTagSql(scope, query.tagId, sql`k."ticketId"`)}
  union all
  select f.*, 1 from "menuSteps" k cross join lateral menu_facts(k) f
  where k."companyId" = ${scope.companyId} and ${duringSql(sql`k.at`, query)}
    and ${matchesFilterSql(query)} and ${hasTagSql(scope, query.tagId, sql`k."ticketId"`)})`

/** Every counted event by tag: each segment once per tag of its ticket. */
export const tagFactsSql = (scope: Scope, query: ReportQuery) => sql`(
  select f.*, 1 as n from "ticketTracking" k
  join "ticketTags" w on w."companyId" = k."companyId" and w."ticketId" = k."ticketId"
  cross join lateral tag_facts(k, w."tagId") f
  where k."companyId" = ${scope.companyId} and (${duringSql(sql`k."createdAt"`, query)} or ${duringSql(sql`k."finishedAt"`, query)})
    and ${duringSql(sql`f.at`, query)} and ${matchesFilterSql(query)} and ${hasTagSql(scope, query.tagId, sql`k."ticketId"`)})`

/** Contacts, without contacts merged into another one. */
const knownContactsSql = (scope: Scope) =>
  sql`contacts k where k."companyId" = ${scope.companyId} and k."mergedInto" is null`
/** The number of new contacts in these days, counted directly. */
export const contactCountSql = (scope: Scope, query: DateRange) =>
  sql`(select count(*) as contacts from ${knownContactsSql(scope)} and ${duringSql(sql`k."createdAt"`, query)})`

/** All counted events of the company. */
export const allFactsSql = (scope: Scope) => sql`(
  select f.*, 1 as n from "ticketTracking" k cross join lateral leg_facts(k) f where k."companyId" = ${scope.companyId}
  union all
  select f.*, 1 from "userRatings" k cross join lateral rating_facts(k) f where k."companyId" = ${scope.companyId}
  union all
  select f.*, 1 from "ticketGoals" k cross join lateral goal_facts(k) f where k."companyId" = ${scope.companyId}
  union all
  select f.*, 1 from "nextAnswers" k cross join lateral answer_facts(k) f where k."companyId" = ${scope.companyId}
  union all
  select f.*, 1 from "menuSteps" k cross join lateral menu_facts(k) f where k."companyId" = ${scope.companyId}
  union all
  select f.*, 1 from "ticketTracking" k
  join "ticketTags" w on w."companyId" = k."companyId" and w."ticketId" = k."ticketId"
  cross join lateral tag_facts(k, w."tagId") f where k."companyId" = ${scope.companyId}
  union all
  select k."createdAt", null, null, null, 'contact', 0, 1 from ${knownContactsSql(scope)})`

/** All counted events of the tickets with a tag, with all tags of those tickets. */
export const allTagFactsSql = (scope: Scope, tagId: number) => sql`(
  select w."tagId", f.*, 1 as n from "ticketTags" w
  cross join lateral (${sql.join(
    [
      sql`"ticketTracking" k cross join lateral leg_facts(k) f`,
      sql`"ticketTracking" k join "ticketTags" o on o."companyId" = k."companyId" and o."ticketId" = k."ticketId"
        cross join lateral tag_facts(k, o."tagId") f`,
      sql`"userRatings" k cross join lateral rating_facts(k) f`,
      sql`"ticketGoals" k cross join lateral goal_facts(k) f`,
      sql`"nextAnswers" k cross join lateral answer_facts(k) f`,
      sql`"menuSteps" k cross join lateral menu_facts(k) f`,
    ].map(
      (source) => sql`
    select f.* from ${source}
    where k."companyId" = w."companyId" and k."ticketId" = w."ticketId"`,
    ),
    sql` union all `,
  )}) f
  where w."companyId" = ${scope.companyId} and w."tagId" = ${tagId})`

/** Counted events that changed since the sums were built. */
export const pendingFactsSql = (scope: Scope, query: ReportQuery) =>
  query.tagId === null
    ? sql`(
  select f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value, f.n from "figureNews" f
  where f."companyId" = ${scope.companyId} and ${duringSql(sql`f.at`, query)} and ${matchesFilterSql(query)})`
    : sql`(
  select f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value, w.n
  from "figureTagNews" w cross join lateral unnest(w.facts) f
  where w."companyId" = ${scope.companyId} and w."tagId" = ${query.tagId} and ${duringSql(sql`f.at`, query)} and ${matchesFilterSql(query)})`

export const dayOfFactSql = (zone: string) => sql`(f.at at time zone ${zone})::date`
export const hourOfFactSql = (zone: string) => sql`extract(hour from f.at at time zone ${zone})::smallint`

/** Column of the sums -> the events it counts; `sum` adds up their values. */
export const sumColumns = {
  came: { kind: 'came' },
  again: { kind: 'again' },
  resolved: { kind: 'resolved' },
  alone: { kind: 'alone' },
  transferred: { kind: 'transferred' },
  returned: { kind: 'returned' },
  waits: { kind: 'wait' },
  waitSeconds: { kind: 'wait', sum: true },
  answers: { kind: 'answer' },
  answerSeconds: { kind: 'answer', sum: true },
  talks: { kind: 'talk' },
  talkSeconds: { kind: 'talk', sum: true },
  rated: { kind: 'rate' },
  rateSum: { kind: 'rate', sum: true },
  answerKept: { kind: 'answerKept' },
  answerLate: { kind: 'answerLate' },
  resolveKept: { kind: 'resolveKept' },
  resolveLate: { kind: 'resolveLate' },
  once: { kind: 'once' },
  nexts: { kind: 'next' },
  nextSeconds: { kind: 'next', sum: true },
  openWaitSeconds: { kind: 'openWait', sum: true },
  openAnswerSeconds: { kind: 'openAnswer', sum: true },
  openTalkSeconds: { kind: 'openTalk', sum: true },
  openNextSeconds: { kind: 'openNext', sum: true },
  contacts: { kind: 'contact' },
} as const
/** Kinds of events that are counted by part; the event's value is the id of the part, a menu option or a tag. */
export const partKinds = [
  ...['botHad', 'botPassed', 'botLeft', 'menuFirst', 'menuRight', 'menuWrong', 'menuLeft'],
  ...['tagCame', 'tagResolved'],
] as const
/** Kinds whose distribution is stored: durations, and the count of each rating. */
export const histogramKinds = [
  ...['wait', 'talk', 'answer', 'next', 'openWait', 'openTalk', 'openAnswer', 'openNext', 'rate'],
] as const
export const literalListSql = (words: readonly string[]) => sql.join(words.map((word) => sql.lit(word)))
export const sumColumnNames = Object.keys(sumColumns) as (keyof typeof sumColumns)[]

const forEachColumn = (make: (name: keyof typeof sumColumns) => RawBuilder<unknown>) =>
  sql.join(sumColumnNames.map(make))
export const sumColumnList = forEachColumn((name) => sql.ref(name))
/** The amount that an event adds to a column of the sums. */
export const amountSql = (name: keyof typeof sumColumns) =>
  'sum' in sumColumns[name] ? sql`f.n::bigint * f.value` : sql`f.n`
/** The columns of the sums for one event. */
export const factAsColumnsSql = forEachColumn(
  (name) =>
    sql`case when f.kind = ${sql.lit(sumColumns[name].kind)} then ${amountSql(name)} else 0 end as ${sql.ref(name)}`,
)
export const addedColumnsSql = forEachColumn(
  (name) => sql`coalesce(sum(${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`,
)
