import { type RawBuilder, sql } from 'kysely'

/** A moment, which leaves the database in its own notation and the house in that of the contract. */
type Moment = { [isMoment]: string }
const isMoment = Symbol('moment')
export const moment = (column: string): Moment => ({ [isMoment]: column })

/** What a column of JSON says; where it says nothing, the branch. For what is seldom elsewhere. */
type Unless = { [isUnless]: string; branch: Shape }
const isUnless = Symbol('unless')
export const unless = (column: string, branch: Shape): Unless => ({ [isUnless]: column, branch })

/** A row as its reader will see it: each leaf is the SQL of a column; a branch whose first column is null, is null. */
export type Shape = { [key: string]: string | Moment | Unless | Shape }
type Leaf = string | Moment
const isLeaf = (part: Leaf | Unless | Shape): part is Leaf => typeof part === 'string' || isMoment in part
const isEither = (part: Unless | Shape): part is Unless => isUnless in part

/** '2026-01-31T12:00:00.1+00:00' as '2026-01-31T12:00:00.100Z'. Connections speak in UTC (see database.ts). */
export const asMoment = (text: string): string => `${text.slice(0, -6).padEnd(20, '.').padEnd(23, '0').slice(0, 23)}Z`

const columnsOf = (shape: Shape): string[] =>
  Object.values(shape).flatMap((part) => {
    if (isLeaf(part)) return leafOf(part)
    return isEither(part) ? [part[isUnless], ...columnsOf(part.branch)] : columnsOf(part)
  })
const leafOf = (leaf: Leaf): string => (typeof leaf === 'string' ? leaf : leaf[isMoment])

type Read = (cells: unknown[]) => unknown
function readerOf(shape: Shape, first: { at: number }): Read {
  const start = first.at
  const parts = Object.entries(shape).map(([key, part]): [string, Read] => {
    if (!isLeaf(part) && !isEither(part)) return [key, readerOf(part, first)]
    const at = first.at++
    if (!isLeaf(part)) {
      const read = readerOf(part.branch, first)
      return [key, (cells) => cells[at] ?? read(cells)]
    }
    if (typeof part === 'string') return [key, (cells) => cells[at]]
    return [key, (cells) => (cells[at] === null ? null : asMoment(cells[at] as string))]
  })
  return (cells) => {
    if (cells[start] === null) return null
    const row: Record<string, unknown> = {}
    for (const [key, read] of parts) row[key] = read(cells)
    return row
  }
}

/** Rows as the database hands them over: null if there are none. */
export type Cells = unknown[][] | null

/**
 * Pages of rows that have rows in them. The database hands such a page over as one JSON text of plain lists, and the
 * keys are put to it here: building the objects there takes it longer than finding the rows, and the driver takes
 * longer over a thousand cells than over one text.
 */
export function shaped<R>(shape: Shape) {
  const read = readerOf(shape, { at: 0 }) as (cells: unknown[]) => R
  const cellsText = `json_build_array(${columnsOf(shape).join(', ')}) as cells`
  return {
    /** To be selected, as the column `cells`. */
    cells: sql.raw(cellsText),
    cellsText,
    /** A query that selects `cells`, as one value: null if it finds nothing. */
    all: (rows: RawBuilder<unknown>) => sql<Cells>`(select json_agg(x.cells) from (${rows}) x)`,
    read: (page: Cells | undefined): R[] => (page ?? []).map(read),
  }
}
