import { type RawBuilder, sql } from 'kysely'

/** A timestamp, which is converted from the database's notation to that of the contract. */
type TimestampLeaf = { [timestampKey]: string }
const timestampKey = Symbol('moment')
export const timestampLeaf = (column: string): TimestampLeaf => ({ [timestampKey]: column })

/** A JSON column that replaces the branch if it is not null, for rare alternatives. */
type JsonOrBranch = { [jsonOrKey]: string; branch: RowShape }
const jsonOrKey = Symbol('unless')
export const jsonOrBranch = (column: string, branch: RowShape): JsonOrBranch => ({ [jsonOrKey]: column, branch })

/** The output shape of a row: each leaf is the SQL of a column; a branch whose first column is null, is null. */
export type RowShape = { [key: string]: string | TimestampLeaf | JsonOrBranch | RowShape }
type Leaf = string | TimestampLeaf
const isLeaf = (part: Leaf | JsonOrBranch | RowShape): part is Leaf => typeof part === 'string' || timestampKey in part
const isJsonOrBranch = (part: JsonOrBranch | RowShape): part is JsonOrBranch => jsonOrKey in part

/** '2026-01-31T12:00:00.1+00:00' as '2026-01-31T12:00:00.100Z'. Connections use UTC (see database.ts). */
export const toIsoTimestamp = (text: string): string =>
  `${text.slice(0, -6).padEnd(20, '.').padEnd(23, '0').slice(0, 23)}Z`

const columnsOf = (shape: RowShape): string[] =>
  Object.values(shape).flatMap((part) => {
    if (isLeaf(part)) return leafOf(part)
    return isJsonOrBranch(part) ? [part[jsonOrKey], ...columnsOf(part.branch)] : columnsOf(part)
  })
const leafOf = (leaf: Leaf): string => (typeof leaf === 'string' ? leaf : leaf[timestampKey])

type ReadCells = (cells: unknown[]) => unknown
function readerOf(shape: RowShape, first: { at: number }): ReadCells {
  const start = first.at
  const parts = Object.entries(shape).map(([key, part]): [string, ReadCells] => {
    if (!isLeaf(part) && !isJsonOrBranch(part)) return [key, readerOf(part, first)]
    const at = first.at++
    if (!isLeaf(part)) {
      const read = readerOf(part.branch, first)
      return [key, (cells) => cells[at] ?? read(cells)]
    }
    if (typeof part === 'string') return [key, (cells) => cells[at]]
    return [key, (cells) => (cells[at] === null ? null : toIsoTimestamp(cells[at] as string))]
  })
  return (cells) => {
    if (cells[start] === null) return null
    const row: Record<string, unknown> = {}
    for (const [key, read] of parts) row[key] = read(cells)
    return row
  }
}

/** Rows as the database returns them: null if there are none. */
export type JsonRows = unknown[][] | null

/**
 * Pages of nested rows. The database returns such a page as one JSON text of plain arrays, and the keys are added
 * here: building the objects in the database takes longer than finding the rows, and the driver takes longer for a
 * thousand cells than for one text.
 */
export function makeShapedRows<R>(shape: RowShape) {
  const read = readerOf(shape, { at: 0 }) as (cells: unknown[]) => R
  const cellsText = `json_build_array(${columnsOf(shape).join(', ')}) as cells`
  return {
    /** The columns as one SQL value, to be selected as `cells`. */
    cells: sql.raw(cellsText),
    cellsText,
    /** Turns a query that selects `cells` into one value: null if it finds nothing. */
    aggregate: (rows: RawBuilder<unknown>) => sql<JsonRows>`(select json_agg(x.cells) from (${rows}) x)`,
    read: (page: JsonRows | undefined): R[] => (page ?? []).map(read),
  }
}
