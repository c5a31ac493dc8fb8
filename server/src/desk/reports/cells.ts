import { type RawBuilder, sql } from 'kysely'
import { addDays } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { histogramKinds, literalListSql, partKinds, type ReportQuery, sumColumnList } from './report-sql.ts'

/** The bit of each dimension in the `side` of a cell (the stored sums of a day or month). */
export const dimensionBits = { queue: 1, user: 2, line: 4 } as const
type Dimension = keyof typeof dimensionBits
export const columnOfDimension = { queue: 'queueId', user: 'userId', line: 'whatsappId' } as const

// ---- array indexes

/** The measures that are summed per hour of the week. */
export const hourlyMeasures = ['came', 'resolved', 'waits', 'waitSeconds', 'openWaitSeconds'] as const
const hoursOfWeek = 7 * 24
/** Histogram steps per kind; the longest duration that fits into the database is step 120. */
const stepsPerKind = 128
const partsPerKind = 2 ** 32

const kindIndexSql = (kinds: readonly string[], column: RawBuilder<unknown>) =>
  sql`(array_position(array[${literalListSql(kinds)}], ${column}) - 1)`
/** The array indexes of an event in a cell. `hour` is the hour of its day. */
export const slotNumberSql = {
  hour: (measure: RawBuilder<unknown>, day: RawBuilder<unknown>, hour: RawBuilder<unknown>) =>
    sql`(${measure} * ${sql.lit(hoursOfWeek)} + (extract(isodow from ${day})::int - 1) * 24 + ${hour})::smallint`,
  step: (kind: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
    sql`(${kindIndexSql(histogramKinds, kind)} * ${sql.lit(stepsPerKind)} + step_of(${value}))::smallint`,
  part: (kind: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
    sql`(${kindIndexSql(partKinds, kind)}::bigint * ${sql.lit(partsPerKind)} + ${value})`,
}
const kindAtSql = (kinds: readonly string[], number: RawBuilder<unknown>, each: number) =>
  sql`(array[${literalListSql(kinds)}])[1 + (${number} / ${sql.lit(each)})::int]`

// ---- reading

/** The first day of a day's month, and of the next month. */
const firstOfMonth = (day: string) => `${day.slice(0, 8)}01`
const firstOfNextMonth = (day: string) => firstOfMonth(addDays(firstOfMonth(day), 32))

/** Splits a range into whole months and the days around them. */
export function splitIntoMonthsAndDays({ from, to }: Pick<ReportQuery, 'from' | 'to'>) {
  const first = from === firstOfMonth(from) ? from : firstOfNextMonth(from)
  const end = firstOfMonth(addDays(to, 1))
  return first < end
    ? {
        months: { from: first, before: end },
        days: [from < first && { from, before: first }, { from: end, before: addDays(to, 1) }],
      }
    : { months: null, days: [{ from, before: addDays(to, 1) }] }
}

type CellRange = { grain: 'day' | 'month'; from: string; before: string }

function cellRangesOf(query: ReportQuery, grain: 'day' | 'cover'): CellRange[] {
  if (grain === 'day') return [{ grain, from: query.from, before: addDays(query.to, 1) }]
  const { months, days } = splitIntoMonthsAndDays(query)
  return [
    ...(months ? [{ grain: 'month' as const, ...months }] : []),
    ...days.flatMap((some) => (some && some.from < some.before ? [{ grain: 'day' as const, ...some }] : [])),
  ]
}

const allDimensions = dimensionBits.queue + dimensionBits.user + dimensionBits.line
/**
 * The sums of a tag per day have no cells for pairs of dimensions; pairs are read from the cells with all three
 * dimensions.
 */
const dimensionsOfTagDays: number[] = [0, ...Object.values(dimensionBits), allDimensions]

/**
 * The cells of a query, split by another dimension if `by` is set. Whole months are read from month cells unless
 * their days are needed.
 */
export function cellsSql(
  scope: Scope,
  query: ReportQuery,
  grain: 'day' | 'cover',
  by?: Dimension,
): RawBuilder<unknown> {
  const { queueId, userId, whatsappId, queueIds, tagId } = query
  const ids = (id: number | null) => (id === null ? null : [id])
  const chosen = {
    queue: queueIds?.filter((id) => queueId === null || id === queueId) ?? ids(queueId),
    user: ids(userId),
    line: ids(whatsappId),
  }
  const named = Object.keys(dimensionBits) as Dimension[]
  const side = named.reduce((sum, name) => sum + (chosen[name] || by === name ? dimensionBits[name] : 0), 0)
  const table = sql.ref(tagId === null ? 'figureCells' : 'figureTagCells')
  const stretch = ({ grain, from, before }: CellRange) => {
    const isKept = tagId === null || grain === 'month' || dimensionsOfTagDays.includes(side)
    const conditions = named.map((name) => {
      const column = sql.ref(columnOfDimension[name])
      const some = chosen[name]
      if (some) return sql`${column} = any(${some}::int[])`
      return by === name || !isKept ? sql`true` : sql`${column} = -1`
    })
    return sql`select * from ${table} where "companyId" = ${scope.companyId} and ${tagId === null ? sql`true` : sql`"tagId" = ${tagId}`}
      and side = ${sql.lit(isKept ? side : allDimensions)} and ${sql.join(conditions, sql` and `)}
      and grain = ${sql.lit(grain)} and day >= ${from}::date and day < ${before}::date`
  }
  return sql`(${sql.join(cellRangesOf(query, grain).map(stretch), sql` union all `)}) cells`
}

/** Expands the hours, histogram steps and parts that a cell stores as arrays, each as a row. */
export const hourRowsSql = (cells: RawBuilder<unknown>) => sql`
  select h.number % ${sql.lit(hoursOfWeek)} / 24 + 1 as weekday, h.number % 24 as hour,
    ${sql.join(
      hourlyMeasures.map(
        (name, place) =>
          sql`case when h.number / ${sql.lit(hoursOfWeek)} = ${sql.lit(place)} then h.sum else 0 end as ${sql.ref(name)}`,
      ),
    )}
  from (select hours, "hourSums" from ${cells}) c cross join lateral unnest(c.hours, c."hourSums") h (number, sum)`
export const stepRowsSql = (cells: RawBuilder<unknown>, kinds: readonly string[]) => sql`
  select * from (
    select c.day, ${kindAtSql(histogramKinds, sql`h.number`, stepsPerKind)} as kind, h.number % ${sql.lit(stepsPerKind)} as step, h.n, h.seconds
    from (select day, steps, "stepCounts", "stepSums" from ${cells}) c
    cross join lateral unnest(c.steps, c."stepCounts", c."stepSums") h (number, n, seconds)) s
  where kind in (${literalListSql(kinds)})`
export const partRowsSql = (cells: RawBuilder<unknown>, kinds: readonly string[]) => sql`
  select * from (
    select ${kindAtSql(partKinds, sql`h.number`, partsPerKind)} as kind, (h.number % ${sql.lit(partsPerKind)})::int as "partId", c."queueId", h.n
    from (select "queueId", parts, "partCounts" from ${cells}) c
    cross join lateral unnest(c.parts, c."partCounts") h (number, n)) s
  where kind in (${literalListSql(kinds)})`

export const sumRowsSql = (cells: RawBuilder<unknown>, keys: RawBuilder<unknown>) =>
  sql`select ${keys}, ${sumColumnList} from ${cells}`
