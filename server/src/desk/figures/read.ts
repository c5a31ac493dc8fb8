import type { Spread, Sums } from '@recado/contract/dashboard/dashboard'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import {
  type Asked,
  added,
  asColumns,
  columnList,
  dayOf,
  factsOf,
  hourOf,
  inSight,
  listed,
  names,
  newsOf,
} from './facts.ts'

/** Whether the sums are made in the zone that is asked for; otherwise the facts themselves are read. */
export async function areSummed(scope: Scope, zone: string): Promise<boolean> {
  const kept = await scope.db
    .selectFrom('figureZones')
    .select('zone')
    .where('companyId', '=', scope.companyId)
    .executeTakeFirst()
  return kept?.zone === zone
}

const sidesOf = ({ queueId, userId, whatsappId, queueIds }: Asked) => sql`
  ${inSight(sql`"queueId"`, { queueIds })}
  and ${queueId === null ? sql`true` : sql`"queueId" = ${queueId}`}
  and ${userId === null ? sql`true` : sql`"userId" = ${userId}`}
  and ${whatsappId === null ? sql`true` : sql`"whatsappId" = ${whatsappId}`}`

/** Day, hour and place of some facts, with a column for each that is counted. */
const wide = (facts: RawBuilder<unknown>, zone: string) => sql`
  select ${dayOf(zone)} as day, ${hourOf(zone)} as hour, coalesce(f."queueId", 0) as "queueId",
    coalesce(f."userId", 0) as "userId", coalesce(f."whatsappId", 0) as "whatsappId", ${asColumns} from ${facts} f`

/** By the day, or by the hour. Whose an hour was is not summed, and nothing is by its tag: those are read from the facts. */
function rowsOf(scope: Scope, asked: Asked, summed: boolean, grain: 'day' | 'hour'): RawBuilder<unknown> {
  const kept = summed && asked.tagId === null && (grain === 'day' || asked.userId === null)
  if (!kept) return wide(factsOf(scope, asked), asked.zone)
  return sql`
    select day, hour, "queueId", "userId", "whatsappId", ${columnList} from figures
    where "companyId" = ${scope.companyId} and ${grain === 'day' ? sql`hour = -1` : sql`hour >= 0`}
      and day between ${asked.from}::date and ${asked.to}::date and ${sidesOf(asked)}
    union all ${wide(newsOf(scope, asked), asked.zone)}`
}

type Summed = Record<(typeof names)[number], number>
type Row = Summed & { day: string | null; userId: number | null; queueId: number | null; side: number }
/** Where the opening hours count alone, theirs stand in the place of all. */
const sumsOf = (row: Summed, hours = false): Sums => {
  const { openWaitSeconds, openAnswerSeconds, openTalkSeconds, openNextSeconds, ...sums } = Object.fromEntries(
    names.map((name) => [name, row[name]]),
  ) as Summed
  const open = {
    waitSeconds: openWaitSeconds,
    answerSeconds: openAnswerSeconds,
    talkSeconds: openTalkSeconds,
    nextSeconds: openNextSeconds,
  }
  return hours ? { ...sums, ...open } : sums
}
export const nothing = sumsOf(Object.fromEntries(names.map((name) => [name, 0])) as Summed)

export type DayFigures = {
  all: Sums
  days: Map<string, Sums>
  users: Map<number, Sums>
  queues: Map<number, Sums>
}

/** All of it, and each day, person and queue: read once. */
export async function readDays(scope: Scope, asked: Asked, summed: boolean): Promise<DayFigures> {
  const { rows } = await sql<Row>`
    with r as (${rowsOf(scope, asked, summed, 'day')})
    select grouping(day, "userId", "queueId") as side, day::text, "userId", "queueId", ${added}
    from r group by grouping sets ((), (day), ("userId"), ("queueId"))`.execute(scope.db)
  // A bit for each of the three by which a row is not grouped.
  const of = <K>(side: number, key: (row: Row) => K) =>
    new Map(rows.filter((row) => row.side === side).map((row) => [key(row), sumsOf(row, asked.hours)]))
  return {
    all: of(7, () => 0).get(0) ?? nothing,
    days: of(3, (row) => row.day as string),
    users: of(5, (row) => row.userId as number),
    queues: of(6, (row) => row.queueId as number),
  }
}

export async function readSums(scope: Scope, asked: Asked, summed: boolean): Promise<Sums> {
  const { rows } = await sql<Summed>`
    with r as (${rowsOf(scope, asked, summed, 'day')}) select ${added} from r`.execute(scope.db)
  return rows[0] ? sumsOf(rows[0], asked.hours) : nothing
}

export type HourOfWeek = {
  weekday: number
  hour: number
  came: number
  resolved: number
  waits: number
  waitSeconds: number
}

/** The hours of a week, Monday being 1. */
export async function readWeek(scope: Scope, asked: Asked, summed: boolean): Promise<HourOfWeek[]> {
  const { rows } = await sql<HourOfWeek>`
    with r as (${rowsOf(scope, asked, summed, 'hour')})
    select extract(isodow from day)::int as weekday, hour::int, sum(came)::int as came, sum(resolved)::int as resolved,
      sum(waits)::int as waits, sum(${asked.hours ? sql`"openWaitSeconds"` : sql`"waitSeconds"`})::bigint as "waitSeconds"
    from r group by 1, 2 order by 1, 2`.execute(scope.db)
  return rows
}

const measures = ['wait', 'talk', 'answer', 'next'] as const
type Measured = (typeof measures)[number]
type Step = { kind: string; step: number; n: number; seconds: number }
/** The name of a length where the opening hours count alone. */
export const openOf = (kind: Measured) => `open${kind[0]?.toUpperCase()}${kind.slice(1)}`

/** Where one side alone is asked for, lengths are kept; else they are read from the facts. */
export function stepsOf(scope: Scope, asked: Asked, summed: boolean, kinds: readonly string[]): RawBuilder<unknown> {
  const { queueId, userId, whatsappId, tagId, queueIds } = asked
  const measured = (facts: RawBuilder<unknown>) => sql`
    select ${dayOf(asked.zone)} as day, f.kind, step_of(f.value) as step, f.n, f.n::bigint * f.value as seconds from ${facts} f
    where f.kind in (${listed(kinds)})`
  const ids = (id: number | null) => (id === null ? null : [id])
  const sides = [
    ['queue', queueIds?.filter((id) => queueId === null || id === queueId) ?? ids(queueId)],
    ['user', ids(userId)],
    ['line', ids(whatsappId)],
  ] as const
  const chosen = sides.filter(([, some]) => some !== null)
  if (!summed || tagId !== null || chosen.length > 1) return measured(factsOf(scope, asked))
  const [side, some] = chosen[0] ?? (['all', [0]] as const)
  return sql`
    select day, kind, step, n, seconds from "figureSpread"
    where "companyId" = ${scope.companyId} and side = ${side} and kind in (${listed(kinds)})
      and day between ${asked.from}::date and ${asked.to}::date and "sideId" = any(${some}::int[])
    union all ${measured(newsOf(scope, asked))}`
}

export async function readSpread(scope: Scope, asked: Asked, summed: boolean): Promise<Record<Measured, Spread>> {
  const nameOf = asked.hours ? openOf : (kind: Measured) => kind
  const { rows } = await sql<Step>`
    with r as (${stepsOf(scope, asked, summed, measures.map(nameOf))})
    select kind, step::int, sum(n)::int as n, sum(seconds)::bigint as seconds from r group by 1, 2 having sum(n) > 0
    order by 1, 2`.execute(scope.db)
  const of = (kind: Measured): Spread => {
    const steps = rows.filter((row) => row.kind === nameOf(kind))
    return { median: reach(steps, 0.5), ninety: reach(steps, 0.9) }
  }
  return { wait: of('wait'), talk: of('talk'), answer: of('answer'), next: of('next') }
}

/** So long took no more than this share of them: the average of the step in which that share is reached. */
export function reach(steps: { n: number; seconds: number }[], share: number): number | null {
  const all = steps.reduce((sum, { n }) => sum + n, 0)
  let passed = 0
  for (const { n, seconds } of steps) {
    passed += n
    // A hair less: nine tenths of ten are nine, whatever a float thinks.
    if (passed >= all * share - 1e-9) return Math.round(seconds / n)
  }
  return null
}

/** What each line had. */
export async function readLines(scope: Scope, asked: Asked, summed: boolean): Promise<Map<number, LineSums>> {
  const { rows } = await sql<LineSums & { whatsappId: number }>`
    with r as (${rowsOf(scope, asked, summed, 'day')})
    select "whatsappId", sum(came)::int as came, sum(resolved)::int as resolved from r group by 1`.execute(scope.db)
  return new Map(rows.map(({ whatsappId, came, resolved }) => [whatsappId, { came, resolved }]))
}
type LineSums = { came: number; resolved: number }
