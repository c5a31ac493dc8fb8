import type { DurationPercentiles, ReportTotals } from '@recado/contract/dashboard/dashboard'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { cellsSql, columnOfDimension, hourlyMeasures, hourRowsSql, stepRowsSql, sumRowsSql } from './cells.ts'
import {
  addedColumnsSql,
  contactCountSql,
  type DateRange,
  dayOfFactSql,
  emptyReportFilter,
  factAsColumnsSql,
  factsSql,
  hourOfFactSql,
  literalListSql,
  pendingFactsSql,
  type ReportQuery,
  sumColumnList,
  sumColumnNames,
  sumColumns,
} from './report-sql.ts'

/** Whether sums exist for the requested time zone; otherwise the events themselves are counted. */
export async function hasSums(scope: Scope, { zone, tagId }: Pick<ReportQuery, 'zone' | 'tagId'>): Promise<boolean> {
  const { db, companyId } = scope
  const all = db
    .selectFrom('figureCalendars')
    .select('zone')
    .where('companyId', '=', companyId)
    .where('contacts', '=', true)
  const kept = await (tagId === null
    ? all.executeTakeFirst()
    : db
        .selectFrom('figureTagCalendars')
        .select('zone')
        .where('companyId', '=', companyId)
        .where('tagId', '=', tagId)
        .executeTakeFirst())
  return kept?.zone === zone
}

/** The counted events with their day, hour and dimensions, and one column per measure. */
const wideFactsSql = (facts: RawBuilder<unknown>, zone: string) => sql`
  select ${dayOfFactSql(zone)} as day, ${hourOfFactSql(zone)} as hour, coalesce(f."queueId", 0) as "queueId",
    coalesce(f."userId", 0) as "userId", coalesce(f."whatsappId", 0) as "whatsappId", ${factAsColumnsSql} from ${facts} f`

/** Counted events that are not in the sums: recent changes, or everything if there are no sums in this time zone. */
const unsummedFactsSql = (scope: Scope, query: ReportQuery, summed: boolean) =>
  summed ? pendingFactsSql(scope, query) : factsSql(scope, query)
const withCellsSql = (summed: boolean, cells: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  summed ? sql`${cells} union all ${rest}` : rest

type SumRow = Record<(typeof sumColumnNames)[number], number>
type DailySumRow = SumRow & { day: string | null; userId: number | null; queueId: number | null; side: number }
/** With `hours`, durations within opening hours replace the full durations. `countNewContacts` counts contacts. */
const toSums = (row: SumRow, hours = false): ReportTotals => {
  const {
    openWaitSeconds,
    openAnswerSeconds,
    openTalkSeconds,
    openNextSeconds,
    contacts: _,
    ...sums
  } = Object.fromEntries(sumColumnNames.map((name) => [name, row[name]])) as SumRow
  const open = {
    waitSeconds: openWaitSeconds,
    answerSeconds: openAnswerSeconds,
    talkSeconds: openTalkSeconds,
    nextSeconds: openNextSeconds,
  }
  return hours ? { ...sums, ...open } : sums
}
export const zeroSums = toSums(Object.fromEntries(sumColumnNames.map((name) => [name, 0])) as SumRow)

export type DailySums = {
  all: ReportTotals
  days: Map<string, ReportTotals>
  users: Map<number, ReportTotals>
  queues: Map<number, ReportTotals>
}

/** Totals, and sums by day, agent and queue. */
export async function readDailySums(scope: Scope, query: ReportQuery, summed: boolean): Promise<DailySums> {
  const [noDay, noUser, noQueue] = [sql`null::date as day`, sql`null::int as "userId"`, sql`null::int as "queueId"`]
  const by = (side: 'user' | 'queue' | undefined, grain: 'day' | 'cover', keys: RawBuilder<unknown>) =>
    sumRowsSql(cellsSql(scope, query, grain, side), keys)
  const cells = sql`
    ${by(undefined, 'day', sql`3 as side, day, ${noUser}, ${noQueue}`)}
    union all ${by('user', 'cover', sql`5 as side, ${noDay}, "userId", ${noQueue}`)}
    union all ${by('queue', 'cover', sql`6 as side, ${noDay}, ${noUser}, "queueId"`)}`
  const rest = sql`
    select s.side, case s.side when 3 then day end, case s.side when 5 then "userId" end, case s.side when 6 then "queueId" end,
      ${sumColumnList}
    from (${wideFactsSql(unsummedFactsSql(scope, query, summed), query.zone)}) w cross join (values (3), (5), (6)) s (side)`
  const { rows } = await sql<DailySumRow>`
    with r (side, day, "userId", "queueId", ${sumColumnList}) as (${withCellsSql(summed, cells, rest)})
    select side, day::text, "userId", "queueId", ${addedColumnsSql} from r group by 1, 2, 3, 4`.execute(scope.db)
  const of = <K>(side: number, key: (row: DailySumRow) => K) =>
    new Map(rows.filter((row) => row.side === side).map((row) => [key(row), toSums(row, query.hours)]))
  const days = of(3, (row) => row.day as string)
  const all = { ...zeroSums }
  for (const day of days.values()) for (const name of Object.keys(all) as (keyof ReportTotals)[]) all[name] += day[name]
  return { all, days, users: of(5, (row) => row.userId as number), queues: of(6, (row) => row.queueId as number) }
}

export async function readSums(scope: Scope, query: ReportQuery, summed: boolean): Promise<ReportTotals> {
  const cells = sql`select ${sumColumnList} from ${cellsSql(scope, query, 'cover')}`
  const rest = sql`select ${factAsColumnsSql} from ${unsummedFactsSql(scope, query, summed)} f`
  const { rows } = await sql<SumRow>`
    with r as (${withCellsSql(summed, cells, rest)}) select ${addedColumnsSql} from r`.execute(scope.db)
  return rows[0] ? toSums(rows[0], query.hours) : zeroSums
}

/** The company's new contacts in these days, whatever the other filters. */
export async function countNewContacts(scope: Scope, { from, to, zone }: DateRange, summed: boolean): Promise<number> {
  const query = { from, to, zone, ...emptyReportFilter }
  const rows = summed
    ? sql`select contacts from ${cellsSql(scope, query, 'cover')}
      union all select f.n from ${pendingFactsSql(scope, query)} f where f.kind = ${sql.lit(sumColumns.contacts.kind)}`
    : sql`select contacts from ${contactCountSql(scope, query)} c`
  const { rows: found } = await sql<{ n: number }>`
    with r as (${rows}) select coalesce(sum(contacts), 0)::int as n from r`.execute(scope.db)
  return found[0]?.n ?? 0
}

export type DailyCounts = Map<string, { came: number; resolved: number }>

/** Only the counts of the day chart, because nothing else is drawn of the comparison days. */
export async function readDailyCounts(scope: Scope, query: ReportQuery, summed: boolean): Promise<DailyCounts> {
  const cells = sql`select day, came, resolved from ${cellsSql(scope, query, 'day')}`
  const rest = sql`select day, came, resolved from (${wideFactsSql(unsummedFactsSql(scope, query, summed), query.zone)}) w`
  const { rows } = await sql<{ day: string; came: number; resolved: number }>`
    with r (day, came, resolved) as (${withCellsSql(summed, cells, rest)})
    select day::text, sum(came)::int as came, sum(resolved)::int as resolved from r group by 1`.execute(scope.db)
  return new Map(rows.map(({ day, ...counts }) => [day, counts]))
}

export type HourOfWeek = {
  weekday: number
  hour: number
  came: number
  resolved: number
  waits: number
  waitSeconds: number
}

/** The hours of a week; Monday is 1. */
export async function readHoursOfWeek(scope: Scope, query: ReportQuery, summed: boolean): Promise<HourOfWeek[]> {
  const sums = sql.join(hourlyMeasures.map((name) => sql.ref(name)))
  const rest = sql`
    select extract(isodow from day)::int, hour::int, ${sums} from (${wideFactsSql(unsummedFactsSql(scope, query, summed), query.zone)}) w`
  const { rows } = await sql<HourOfWeek>`
    with r (weekday, hour, ${sums}) as (${withCellsSql(summed, hourRowsSql(cellsSql(scope, query, 'cover')), rest)})
    select weekday::int, hour::int, sum(came)::int as came, sum(resolved)::int as resolved,
      sum(waits)::int as waits, sum(${query.hours ? sql`"openWaitSeconds"` : sql`"waitSeconds"`})::bigint as "waitSeconds"
    from r group by 1, 2 order by 1, 2`.execute(scope.db)
  return rows
}

const durationKinds = ['wait', 'talk', 'answer', 'next'] as const
type DurationKind = (typeof durationKinds)[number]
type DurationStep = { kind: string; step: number; n: number; seconds: number }
/** The name of a duration kind limited to opening hours. */
export const openHoursKind = (kind: DurationKind) => `open${kind[0]?.toUpperCase()}${kind.slice(1)}`

/** The number of events per duration step, by day or month. */
export function durationStepsSql(
  scope: Scope,
  query: ReportQuery,
  summed: boolean,
  kinds: readonly string[],
  grain: 'day' | 'cover',
): RawBuilder<unknown> {
  const rest = sql`
    select ${dayOfFactSql(query.zone)} as day, f.kind, step_of(f.value) as step, f.n, f.n::bigint * f.value as seconds
    from ${unsummedFactsSql(scope, query, summed)} f where f.kind in (${literalListSql(kinds)})`
  return withCellsSql(summed, stepRowsSql(cellsSql(scope, query, grain), kinds), rest)
}

export async function readPercentiles(
  scope: Scope,
  query: ReportQuery,
  summed: boolean,
): Promise<Record<DurationKind, DurationPercentiles>> {
  const nameOf = query.hours ? openHoursKind : (kind: DurationKind) => kind
  const { rows } = await sql<DurationStep>`
    with r as (${durationStepsSql(scope, query, summed, durationKinds.map(nameOf), 'cover')})
    select kind, step::int, sum(n)::int as n, sum(seconds)::bigint as seconds from r group by 1, 2 having sum(n) > 0
    order by 1, 2`.execute(scope.db)
  const of = (kind: DurationKind): DurationPercentiles => {
    const steps = rows.filter((row) => row.kind === nameOf(kind))
    return { median: percentileOf(steps, 0.5), ninety: percentileOf(steps, 0.9) }
  }
  return { wait: of('wait'), talk: of('talk'), answer: of('answer'), next: of('next') }
}

/** A percentile: the average duration of the step in which this share of all events is reached. */
export function percentileOf(steps: { n: number; seconds: number }[], share: number): number | null {
  const all = steps.reduce((sum, { n }) => sum + n, 0)
  let passed = 0
  for (const { n, seconds } of steps) {
    passed += n
    // Tolerance for floating point: 0.9 * 10 must count as 9.
    if (passed >= all * share - 1e-9) return Math.round(seconds / n)
  }
  return null
}

/** The numbers per line or queue. */
export async function readSumsPerDimension(
  scope: Scope,
  query: ReportQuery,
  summed: boolean,
  side: 'line' | 'queue',
): Promise<Map<number, DimensionSums>> {
  const id = sql.ref(columnOfDimension[side])
  const cells = sql`select ${id} as id, came, resolved from ${cellsSql(scope, query, 'cover', side)}`
  const rest = sql`select ${id} as id, came, resolved from (${wideFactsSql(unsummedFactsSql(scope, query, summed), query.zone)}) w`
  const { rows } = await sql<DimensionSums & { id: number }>`
    with r as (${withCellsSql(summed, cells, rest)})
    select id, sum(came)::int as came, sum(resolved)::int as resolved from r group by 1`.execute(scope.db)
  return new Map(rows.map(({ id, came, resolved }) => [id, { came, resolved }]))
}
type DimensionSums = { came: number; resolved: number }
