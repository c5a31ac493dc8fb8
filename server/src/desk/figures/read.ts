import type { Spread, Sums } from '@recado/contract/dashboard/dashboard'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { cellsOf, columnOf, hourly, hoursIn, stepsIn, sumsIn } from './cells.ts'
import {
  type Asked,
  added,
  asColumns,
  columnList,
  columns,
  contactsOf,
  type Days,
  dayOf,
  everything,
  factsOf,
  hourOf,
  listed,
  names,
  newsOf,
} from './facts.ts'

/** Whether the sums are made in the zone that is asked for; otherwise the facts themselves are read. */
export async function areSummed(scope: Scope, { zone, tagId }: Pick<Asked, 'zone' | 'tagId'>): Promise<boolean> {
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

/** Day, hour and place of some facts, with a column for each that is counted. */
const wide = (facts: RawBuilder<unknown>, zone: string) => sql`
  select ${dayOf(zone)} as day, ${hourOf(zone)} as hour, coalesce(f."queueId", 0) as "queueId",
    coalesce(f."userId", 0) as "userId", coalesce(f."whatsappId", 0) as "whatsappId", ${asColumns} from ${facts} f`

/** What the cells do not have: news, or all of it where there are none in this zone. */
const restOf = (scope: Scope, asked: Asked, summed: boolean) => (summed ? newsOf(scope, asked) : factsOf(scope, asked))
const keptOr = (summed: boolean, cells: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  summed ? sql`${cells} union all ${rest}` : rest

type Summed = Record<(typeof names)[number], number>
type Row = Summed & { day: string | null; userId: number | null; queueId: number | null; side: number }
/** Where the opening hours count alone, theirs stand in the place of all. Contacts are nobody's (`readContacts`). */
const sumsOf = (row: Summed, hours = false): Sums => {
  const {
    openWaitSeconds,
    openAnswerSeconds,
    openTalkSeconds,
    openNextSeconds,
    contacts: _,
    ...sums
  } = Object.fromEntries(names.map((name) => [name, row[name]])) as Summed
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

/** All of it, and each day, person and queue. */
export async function readDays(scope: Scope, asked: Asked, summed: boolean): Promise<DayFigures> {
  const [noDay, noUser, noQueue] = [sql`null::date as day`, sql`null::int as "userId"`, sql`null::int as "queueId"`]
  const by = (side: 'user' | 'queue' | undefined, grain: 'day' | 'cover', keys: RawBuilder<unknown>) =>
    sumsIn(cellsOf(scope, asked, grain, side), keys)
  const cells = sql`
    ${by(undefined, 'day', sql`3 as side, day, ${noUser}, ${noQueue}`)}
    union all ${by('user', 'cover', sql`5 as side, ${noDay}, "userId", ${noQueue}`)}
    union all ${by('queue', 'cover', sql`6 as side, ${noDay}, ${noUser}, "queueId"`)}`
  const rest = sql`
    select s.side, case s.side when 3 then day end, case s.side when 5 then "userId" end, case s.side when 6 then "queueId" end,
      ${columnList}
    from (${wide(restOf(scope, asked, summed), asked.zone)}) w cross join (values (3), (5), (6)) s (side)`
  const { rows } = await sql<Row>`
    with r (side, day, "userId", "queueId", ${columnList}) as (${keptOr(summed, cells, rest)})
    select side, day::text, "userId", "queueId", ${added} from r group by 1, 2, 3, 4`.execute(scope.db)
  const of = <K>(side: number, key: (row: Row) => K) =>
    new Map(rows.filter((row) => row.side === side).map((row) => [key(row), sumsOf(row, asked.hours)]))
  const days = of(3, (row) => row.day as string)
  const all = { ...nothing }
  for (const day of days.values()) for (const name of Object.keys(all) as (keyof Sums)[]) all[name] += day[name]
  return { all, days, users: of(5, (row) => row.userId as number), queues: of(6, (row) => row.queueId as number) }
}

export async function readSums(scope: Scope, asked: Asked, summed: boolean): Promise<Sums> {
  const cells = sql`select ${columnList} from ${cellsOf(scope, asked, 'cover')}`
  const rest = sql`select ${asColumns} from ${restOf(scope, asked, summed)} f`
  const { rows } = await sql<Summed>`
    with r as (${keptOr(summed, cells, rest)}) select ${added} from r`.execute(scope.db)
  return rows[0] ? sumsOf(rows[0], asked.hours) : nothing
}

/** How many contacts became known in these days: the company's, whatever else is asked for. */
export async function readContacts(scope: Scope, { from, to, zone }: Days, summed: boolean): Promise<number> {
  const asked = { from, to, zone, ...everything }
  const rows = summed
    ? sql`select contacts from ${cellsOf(scope, asked, 'cover')}
      union all select f.n from ${newsOf(scope, asked)} f where f.kind = ${sql.lit(columns.contacts.kind)}`
    : sql`select contacts from ${contactsOf(scope, asked)} c`
  const { rows: found } = await sql<{ n: number }>`
    with r as (${rows}) select coalesce(sum(contacts), 0)::int as n from r`.execute(scope.db)
  return found[0]?.n ?? 0
}

export type DayCounts = Map<string, { came: number; resolved: number }>

/** What the line of days shows, and no more: of the days before, that is all that is drawn of them. */
export async function readCounts(scope: Scope, asked: Asked, summed: boolean): Promise<DayCounts> {
  const cells = sql`select day, came, resolved from ${cellsOf(scope, asked, 'day')}`
  const rest = sql`select day, came, resolved from (${wide(restOf(scope, asked, summed), asked.zone)}) w`
  const { rows } = await sql<{ day: string; came: number; resolved: number }>`
    with r (day, came, resolved) as (${keptOr(summed, cells, rest)})
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

/** The hours of a week, Monday being 1. */
export async function readWeek(scope: Scope, asked: Asked, summed: boolean): Promise<HourOfWeek[]> {
  const sums = sql.join(hourly.map((name) => sql.ref(name)))
  const rest = sql`
    select extract(isodow from day)::int, hour::int, ${sums} from (${wide(restOf(scope, asked, summed), asked.zone)}) w`
  const { rows } = await sql<HourOfWeek>`
    with r (weekday, hour, ${sums}) as (${keptOr(summed, hoursIn(cellsOf(scope, asked, 'cover')), rest)})
    select weekday::int, hour::int, sum(came)::int as came, sum(resolved)::int as resolved,
      sum(waits)::int as waits, sum(${asked.hours ? sql`"openWaitSeconds"` : sql`"waitSeconds"`})::bigint as "waitSeconds"
    from r group by 1, 2 order by 1, 2`.execute(scope.db)
  return rows
}

const measures = ['wait', 'talk', 'answer', 'next'] as const
type Measured = (typeof measures)[number]
type Step = { kind: string; step: number; n: number; seconds: number }
/** The name of a length where the opening hours count alone. */
export const openOf = (kind: Measured) => `open${kind[0]?.toUpperCase()}${kind.slice(1)}`

/** How many took about so long, on which day or in which month. */
export function stepsOf(
  scope: Scope,
  asked: Asked,
  summed: boolean,
  kinds: readonly string[],
  grain: 'day' | 'cover',
): RawBuilder<unknown> {
  const rest = sql`
    select ${dayOf(asked.zone)} as day, f.kind, step_of(f.value) as step, f.n, f.n::bigint * f.value as seconds
    from ${restOf(scope, asked, summed)} f where f.kind in (${listed(kinds)})`
  return keptOr(summed, stepsIn(cellsOf(scope, asked, grain), kinds), rest)
}

export async function readSpread(scope: Scope, asked: Asked, summed: boolean): Promise<Record<Measured, Spread>> {
  const nameOf = asked.hours ? openOf : (kind: Measured) => kind
  const { rows } = await sql<Step>`
    with r as (${stepsOf(scope, asked, summed, measures.map(nameOf), 'cover')})
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

/** What each line or queue had. */
export async function readPlaces(
  scope: Scope,
  asked: Asked,
  summed: boolean,
  side: 'line' | 'queue',
): Promise<Map<number, PlaceSums>> {
  const id = sql.ref(columnOf[side])
  const cells = sql`select ${id} as id, came, resolved from ${cellsOf(scope, asked, 'cover', side)}`
  const rest = sql`select ${id} as id, came, resolved from (${wide(restOf(scope, asked, summed), asked.zone)}) w`
  const { rows } = await sql<PlaceSums & { id: number }>`
    with r as (${keptOr(summed, cells, rest)})
    select id, sum(came)::int as came, sum(resolved)::int as resolved from r group by 1`.execute(scope.db)
  return new Map(rows.map(({ id, came, resolved }) => [id, { came, resolved }]))
}
type PlaceSums = { came: number; resolved: number }
