import { type RawBuilder, sql } from 'kysely'
import { addDays } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { type Asked, columnList, listed, partKinds, spreadKinds } from './facts.ts'

/** What a side tells of a fact. */
export const sides = { queue: 1, user: 2, line: 4 } as const
type Side = keyof typeof sides
export const columnOf = { queue: 'queueId', user: 'userId', line: 'whatsappId' } as const

// ---- which number is which in the arrays

/** What is added up of each hour of the week. */
export const hourly = ['came', 'resolved', 'waits', 'waitSeconds', 'openWaitSeconds'] as const
const hoursOfWeek = 7 * 24
/** Steps of one kind; the longest time that fits into the database has the 120th. */
const stepsOfKind = 128
const partsOfKind = 2 ** 32

const placeIn = (kinds: readonly string[], column: RawBuilder<unknown>) =>
  sql`(array_position(array[${listed(kinds)}], ${column}) - 1)`
/** The numbers, from what a fact says. `hour` is that of its day. */
export const numbered = {
  hour: (measure: RawBuilder<unknown>, day: RawBuilder<unknown>, hour: RawBuilder<unknown>) =>
    sql`(${measure} * ${sql.lit(hoursOfWeek)} + (extract(isodow from ${day})::int - 1) * 24 + ${hour})::smallint`,
  step: (kind: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
    sql`(${placeIn(spreadKinds, kind)} * ${sql.lit(stepsOfKind)} + step_of(${value}))::smallint`,
  part: (kind: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
    sql`(${placeIn(partKinds, kind)}::bigint * ${sql.lit(partsOfKind)} + ${value})`,
}
const kindAt = (kinds: readonly string[], number: RawBuilder<unknown>, each: number) =>
  sql`(array[${listed(kinds)}])[1 + (${number} / ${sql.lit(each)})::int]`

// ---- reading

/** The first of the month of a day, and of the one after it. */
const monthOf = (day: string) => `${day.slice(0, 8)}01`
const nextMonth = (day: string) => monthOf(addDays(monthOf(day), 32))

/** Whole months as months and the days around them as days. */
export function coverOf({ from, to }: Pick<Asked, 'from' | 'to'>) {
  const first = from === monthOf(from) ? from : nextMonth(from)
  const end = monthOf(addDays(to, 1))
  return first < end
    ? {
        months: { from: first, before: end },
        days: [from < first && { from, before: first }, { from: end, before: addDays(to, 1) }],
      }
    : { months: null, days: [{ from, before: addDays(to, 1) }] }
}

type Stretch = { grain: 'day' | 'month'; from: string; before: string }

function stretchesOf(asked: Asked, grain: 'day' | 'cover'): Stretch[] {
  if (grain === 'day') return [{ grain, from: asked.from, before: addDays(asked.to, 1) }]
  const { months, days } = coverOf(asked)
  return [
    ...(months ? [{ grain: 'month' as const, ...months }] : []),
    ...days.flatMap((some) => (some && some.from < some.before ? [{ grain: 'day' as const, ...some }] : [])),
  ]
}

const allSides = sides.queue + sides.user + sides.line
/** Of a tag's days there are no cells where two of the others cross: they are read from those where all three do. */
const sidesOfTagDays: number[] = [0, ...Object.values(sides), allSides]

/**
 * The cells of what is asked for, told apart by another side where `by` says so. Months where whole ones are asked for and
 * nobody needs their days.
 */
export function cellsOf(scope: Scope, asked: Asked, grain: 'day' | 'cover', by?: Side): RawBuilder<unknown> {
  const { queueId, userId, whatsappId, queueIds, tagId } = asked
  const ids = (id: number | null) => (id === null ? null : [id])
  const chosen = {
    queue: queueIds?.filter((id) => queueId === null || id === queueId) ?? ids(queueId),
    user: ids(userId),
    line: ids(whatsappId),
  }
  const named = Object.keys(sides) as Side[]
  const side = named.reduce((sum, name) => sum + (chosen[name] || by === name ? sides[name] : 0), 0)
  const table = sql.ref(tagId === null ? 'figureCells' : 'figureTagCells')
  const stretch = ({ grain, from, before }: Stretch) => {
    const isKept = tagId === null || grain === 'month' || sidesOfTagDays.includes(side)
    const conditions = named.map((name) => {
      const column = sql.ref(columnOf[name])
      const some = chosen[name]
      if (some) return sql`${column} = any(${some}::int[])`
      return by === name || !isKept ? sql`true` : sql`${column} = -1`
    })
    return sql`select * from ${table} where "companyId" = ${scope.companyId} and ${tagId === null ? sql`true` : sql`"tagId" = ${tagId}`}
      and side = ${sql.lit(isKept ? side : allSides)} and ${sql.join(conditions, sql` and `)}
      and grain = ${sql.lit(grain)} and day >= ${from}::date and day < ${before}::date`
  }
  return sql`(${sql.join(stretchesOf(asked, grain).map(stretch), sql` union all `)}) cells`
}

/** Hours, steps and parts of cells, each as a row of its own. */
export const hoursIn = (cells: RawBuilder<unknown>) => sql`
  select h.number % ${sql.lit(hoursOfWeek)} / 24 + 1 as weekday, h.number % 24 as hour,
    ${sql.join(
      hourly.map(
        (name, place) =>
          sql`case when h.number / ${sql.lit(hoursOfWeek)} = ${sql.lit(place)} then h.sum else 0 end as ${sql.ref(name)}`,
      ),
    )}
  from (select hours, "hourSums" from ${cells}) c cross join lateral unnest(c.hours, c."hourSums") h (number, sum)`
export const stepsIn = (cells: RawBuilder<unknown>, kinds: readonly string[]) => sql`
  select * from (
    select c.day, ${kindAt(spreadKinds, sql`h.number`, stepsOfKind)} as kind, h.number % ${sql.lit(stepsOfKind)} as step, h.n, h.seconds
    from (select day, steps, "stepCounts", "stepSums" from ${cells}) c
    cross join lateral unnest(c.steps, c."stepCounts", c."stepSums") h (number, n, seconds)) s
  where kind in (${listed(kinds)})`
export const partsIn = (cells: RawBuilder<unknown>, kinds: readonly string[]) => sql`
  select * from (
    select ${kindAt(partKinds, sql`h.number`, partsOfKind)} as kind, (h.number % ${sql.lit(partsOfKind)})::int as "partId", c."queueId", h.n
    from (select "queueId", parts, "partCounts" from ${cells}) c
    cross join lateral unnest(c.parts, c."partCounts") h (number, n)) s
  where kind in (${listed(kinds)})`

export const sumsIn = (cells: RawBuilder<unknown>, keys: RawBuilder<unknown>) =>
  sql`select ${keys}, ${columnList} from ${cells}`
