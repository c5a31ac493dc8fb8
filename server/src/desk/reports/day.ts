import type { AgentDay, HourStaffing, StaffingDay } from '@recado/contract/dashboard/report-sections'
import { type Calendar, hasHours, openRangesOf } from '@recado/contract/hours/opening'
import { sql } from 'kysely'
import { addDays } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { loadCompanyContext } from '../company-context.ts'
import {
  dayBeginsSql,
  dayEndsSql,
  duringSql,
  hasTagSql,
  isVisibleQueueSql,
  matchesFilterSql,
  type ReportQuery,
} from './report-sql.ts'

const dayMinutes = 24 * 60
const quartersPerDay = 96
/** A conversation open for longer than this counts as abandoned, not attended. */
const maxMinutesInHand = dayMinutes
/** A customer left waiting is attended at most this many days later: a weekend plus a day off. */
const maxClosedDays = 4

/** A span of time in minutes of the day by the wall clock: negative before the day, above 1440 after it. */
type Span = { from: number; until: number }
type Absence = AgentDay['absences'][number]
type DaySegment = {
  userId: number | null
  queued: number | null
  started: number | null
  finished: number | null
  bot: boolean
}

/** All conversations attended or waiting on a day, and which agents were online. */
async function readDay(scope: Scope, query: ReportQuery, day: string) {
  const { companyId } = scope
  const { zone, queueId, userId } = query
  const now = sql`${scope.now()}::timestamptz`
  const [midnight, next] = [dayBeginsSql(day, zone), dayEndsSql(day, zone)]
  const minute = (column: string) =>
    sql`(extract(epoch from (${sql.ref(column)} at time zone ${zone}) - ${day}::date::timestamp) / 60)::float`
  // A customer who wrote on Friday and was accepted on Monday waited on Friday, too.
  const around = { zone, from: addDays(day, -1), to: addDays(day, maxClosedDays) }
  const segment = sql`
    select f."userId", ${minute('f.queuedAt')} as queued, ${minute('f.startedAt')} as started,
      ${minute('f.finishedAt')} as finished, f."chatbotAt" is not null as bot
    from "ticketTracking" f where f."companyId" = ${companyId} and f."queuedAt" < ${next}
      and ${matchesFilterSql(query)} and ${hasTagSql(scope, query.tagId, sql`f."ticketId"`)}`
  const answered = sql`${duringSql(sql`f.at`, { zone, from: day, to: day })} and ${matchesFilterSql(query)}`
  return Promise.all([
    sql<DaySegment>`
      ${segment} and ${duringSql(sql`f."startedAt"`, around)} and (f."finishedAt" is null or f."finishedAt" > ${midnight})
      union all
      ${segment} and f."startedAt" is null and f."finishedAt" > ${midnight} and ${duringSql(sql`f."finishedAt"`, around)}
      union all
      ${segment} and f."startedAt" is null and f."finishedAt" is null`.execute(scope.db),
    sql<Span & { userId: number }>`
      select f."userId", ${minute('f.since')} as "from",
        (extract(epoch from (coalesce(f.until, ${now}) at time zone ${zone}) - ${day}::date::timestamp) / 60)::float as until
      from "userOnline" f where f."companyId" = ${companyId} and f.since < ${next}
        and (f.until is null or f.until > ${midnight})
        and ${userId === null ? sql`true` : sql`f."userId" = ${userId}`}
      order by f.since`.execute(scope.db),
    sql<Absence & { userId: number }>`
      select f."userId", f.availability, f.reason, ${minute('f.since')} as "from",
        (extract(epoch from (coalesce(f.until, ${now}) at time zone ${zone}) - ${day}::date::timestamp) / 60)::float as until
      from "availabilitySpans" f where f."companyId" = ${companyId} and f.since < ${next}
        and (f.until is null or f.until > ${midnight}) and f.availability <> 'available'
        and ${userId === null ? sql`true` : sql`f."userId" = ${userId}`}
      order by f.since`.execute(scope.db),
    // First replies and later replies.
    sql<{ userId: number; hour: number; n: number }>`
      select "userId", hour, count(*)::int as n from (
        select f."userId", extract(hour from f.at at time zone ${zone})::int as hour from (
          select k."userId", k."answeredAt" as at, k."queueId", k."whatsappId", k."ticketId" from "ticketTracking" k
          where k."companyId" = ${companyId} and ${duringSql(sql`k."answeredAt"`, { zone, from: day, to: day })}
          union all
          select k."userId", k.at, k."queueId", k."whatsappId", k."ticketId" from "nextAnswers" k
          where k."companyId" = ${companyId} and ${duringSql(sql`k.at`, { zone, from: day, to: day })}) f
        where ${answered} and ${hasTagSql(scope, query.tagId, sql`f."ticketId"`)} and f."userId" is not null) x
      group by 1, 2`.execute(scope.db),
    sql<{ id: number; name: string; here: boolean }>`
      select u.id, u.name, exists (
        select from "userQueues" q where q."companyId" = u."companyId" and q."userId" = u.id
          and ${isVisibleQueueSql(sql`q."queueId"`, query)} and ${queueId === null ? sql`true` : sql`q."queueId" = ${queueId}`}) as here
      from users u where u."companyId" = ${companyId} and ${userId === null ? sql`true` : sql`u.id = ${userId}`}
      order by u.name, u.id`.execute(scope.db),
  ])
}

/** The open minutes of a day by the hours of the queue or the company; null if there are no hours. */
async function loadOpenMinutes(
  scope: Scope,
  { zone, queueId, queueIds }: ReportQuery,
  day: string,
): Promise<boolean[] | null> {
  const { setting } = await loadCompanyContext(scope)
  const type = setting('scheduleType')
  const company = await scope.db
    .selectFrom('companies')
    .select(['schedules', 'holidays'])
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  const queues =
    type === 'queue'
      ? await scope.db
          .selectFrom('queues')
          .select(['id', 'schedules'])
          .where('companyId', '=', scope.companyId)
          .execute()
      : []
  const weeks =
    type === 'company'
      ? [company.schedules]
      : queues
          .filter(({ id }) => (queueId === null || id === queueId) && (queueIds?.includes(id) ?? true))
          .map(({ schedules }) => schedules)
  if (!weeks.length || weeks.some((week) => !hasHours(week))) return null
  const minutes = Array.from({ length: dayMinutes }, () => false)
  for (const week of weeks) {
    const calendar: Calendar = { week, holidays: company.holidays, zone }
    const night = openRangesOf(calendar)(addDays(day, -1)).map((r) => ({
      from: r.from - dayMinutes,
      until: r.until - dayMinutes,
    }))
    for (const { from, until } of [...openRangesOf(calendar)(day), ...night])
      minutes.fill(true, Math.max(0, from), Math.max(0, Math.min(until, dayMinutes)))
  }
  return minutes
}

/** Without hours a day lasts from the first agent online to the last; without presence data, the whole day. */
function workingMinutes(online: number[]): boolean[] {
  const [first, last] = [online.findIndex(Boolean), online.findLastIndex(Boolean)]
  return Array.from({ length: dayMinutes }, (_, minute) => first < 0 || (minute >= first && minute <= last))
}

/** The parts of `spans` that are inside `those`: a conversation does not count while its agent is offline. */
const intersectSpans = (spans: Span[], those: Span[]): Span[] =>
  spans.flatMap((span) =>
    those.flatMap(({ from, until }) => {
      const shared = { from: Math.max(span.from, from), until: Math.min(span.until, until) }
      return shared.from < shared.until ? [shared] : []
    }),
  )

/** The number of overlapping spans in every minute of the day. */
export function countPerMinute(spans: Span[]): number[] {
  const steps = new Array<number>(dayMinutes + 1).fill(0)
  for (const { from, until } of spans) {
    const [first, last] = [Math.max(0, Math.floor(from)), Math.min(dayMinutes, Math.ceil(until))]
    if (last <= first) continue
    steps[first] = (steps[first] ?? 0) + 1
    steps[last] = (steps[last] ?? 0) - 1
  }
  let here = 0
  return steps.slice(0, dayMinutes).map((step) => {
    here += step
    return here
  })
}

/** The most spans that overlapped at one moment of each quarter hour: two that follow each other are never two. */
export function maxAtOncePerQuarter(spans: Span[]): number[] {
  const minutes = dayMinutes / quartersPerDay
  const steps = spans
    .filter(({ from, until }) => from < until)
    .flatMap(({ from, until }) => [
      { at: from, by: 1, quarter: Math.floor(from / minutes) },
      { at: until, by: -1, quarter: Math.ceil(until / minutes) - 1 },
    ])
    .sort((a, b) => a.at - b.at || a.by - b.by)
  const most: number[] = []
  let here = 0
  for (const { by, quarter } of steps) {
    while (most.length < Math.min(quarter + 1, quartersPerDay)) most.push(here)
    here += by
    if (by > 0 && quarter >= 0 && quarter < quartersPerDay) most[quarter] = Math.max(most[quarter] ?? 0, here)
  }
  while (most.length < quartersPerDay) most.push(here)
  return most
}

const mean = (numbers: number[]) => (numbers.length ? numbers.reduce((sum, n) => sum + n, 0) / numbers.length : 0)
const roundToTenth = (n: number) => Math.round(n * 10) / 10

type Workload = { inHand: Map<number | null, Span[]>; waiting: Span[] }

/** When conversations were attended by an agent, and when they waited for one. */
function workloadOf(segments: DaySegment[], now: number): Workload {
  const inHand = new Map<number | null, Span[]>()
  const waiting: Span[] = []
  for (const { userId, queued, started, finished, bot } of segments) {
    if (started !== null) {
      const span = { from: started, until: Math.min(finished ?? now, started + maxMinutesInHand, now) }
      inHand.set(userId, [...(inHand.get(userId) ?? []), span])
    }
    if (queued !== null && !bot)
      waiting.push({ from: queued, until: Math.min(started ?? finished ?? now, queued + maxMinutesInHand, now) })
  }
  return { inHand, waiting }
}

/** The number of agents needed in each hour to attend every customer who was attended or waited. */
export function computeStaffNeeds(
  { inHand, waiting }: Workload,
  online: number[],
  open: boolean[],
  until: number,
): { hours: HourStaffing[]; perPerson: number } {
  const counted = (minute: number) => open[minute] === true && minute < until
  const busy = [...inHand.values()].flatMap((spans) =>
    countPerMinute(spans).filter((n, minute) => n > 0 && counted(minute)),
  )
  const perPerson = Math.max(1, mean(busy))
  const all = countPerMinute([...[...inHand.values()].flat(), ...waiting])
  const hours = Array.from({ length: 24 }, (_, hour): HourStaffing => {
    const minutes = Array.from({ length: 60 }, (_, n) => hour * 60 + n).filter((minute) => minute < until)
    const mine = minutes.filter(counted)
    const load = mean(mine.map((minute) => all[minute] ?? 0))
    return {
      ...{ hour, load: roundToTenth(load), online: roundToTenth(mean(minutes.map((minute) => online[minute] ?? 0))) },
      // A tolerance: a load just above a whole number of agents does not require another agent.
      ...{ needed: Math.ceil(load / perPerson - 0.05), open: mine.length > 0 },
    }
  })
  return { hours, perPerson: roundToTenth(perPerson) }
}

/** One day by the hour: which agents were online, how many conversations they attended, and how many agents were needed. */
export async function buildDayReport(
  scope: Scope,
  query: ReportQuery,
  given: string | undefined,
  today: string,
): Promise<StaffingDay> {
  const wanted = given ?? query.to
  const day = wanted > today ? today : wanted
  const [[{ rows: segments }, { rows: present }, { rows: absences }, { rows: answers }, { rows: people }], open, now] =
    await Promise.all([
      readDay(scope, query, day),
      loadOpenMinutes(scope, query, day),
      currentMinuteOf(scope, query, day),
    ])
  const until = day === today ? Math.min(dayMinutes, now) : dayMinutes
  const lines = workloadOf(segments, now)
  const spansOf = (userId: number) => present.filter((one) => one.userId === userId)
  for (const [userId, spans] of lines.inHand)
    if (userId !== null && spansOf(userId).length) lines.inHand.set(userId, intersectSpans(spans, spansOf(userId)))
  const agents = people
    .map(({ id, name, here }): AgentDay & { here: boolean } => {
      const clip = <S extends Span>(span: S): S => ({
        ...span,
        from: Math.max(0, Math.floor(span.from)),
        until: Math.min(dayMinutes, Math.ceil(span.until)),
      })
      return {
        ...{ id, name, here, online: spansOf(id).map(clip) },
        absences: absences.filter((one) => one.userId === id).map(clip),
        atOnce: maxAtOncePerQuarter(lines.inHand.get(id) ?? []),
        answers: Array.from(
          { length: 24 },
          (_, hour) => answers.find((one) => one.userId === id && one.hour === hour)?.n ?? 0,
        ),
      }
    })
    // A supervisor of some queues sees the agents of these queues and agents who worked in them.
    .filter(
      (one) =>
        (one.online.length > 0 && (one.here || query.queueIds === null)) ||
        one.atOnce.some(Boolean) ||
        one.answers.some(Boolean),
    )
  // A user who is online but works in no queue and attended nobody does not count.
  const working = agents.filter((one) => one.here || one.atOnce.some(Boolean))
  const online = countPerMinute(working.flatMap(({ id }) => spansOf(id)))
  return {
    ...{ day, until, ...computeStaffNeeds(lines, online, open ?? workingMinutes(online), until) },
    agents: agents.map(({ here: _, ...agent }) => agent),
  }
}

/** The current time as a minute of that day. */
async function currentMinuteOf(scope: Scope, { zone }: ReportQuery, day: string): Promise<number> {
  const { rows } = await sql<{ minute: number }>`
    select floor(extract(epoch from (${scope.now()}::timestamptz at time zone ${zone}) - ${day}::date::timestamp) / 60)::int as minute`.execute(
    scope.db,
  )
  return rows[0]?.minute ?? 0
}
