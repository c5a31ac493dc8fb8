import { sql } from 'kysely'

export const keepPreparedMark = '/* hot */'

/** Prefix for a frequent statement with constant text: the statement stays prepared on each connection. */
export const keepPrepared = sql.raw(keepPreparedMark)

/**
 * Limit and offset of a page as literals. For a parameter the planner assumes a tenth of all rows, finds its cached plan
 * too expensive and makes a new one each time. Each page has its own statement text, so only the first few stay prepared.
 */
export const literalLimit = (limit: number, offset = 0) => sql.raw(`limit ${limit}${offset ? ` offset ${offset}` : ''}`)

export const keepPagePrepared = (limit: number, offset = 0) => (offset < 5 * limit ? keepPrepared : sql``)

/**
 * One or more numbers hidden from the planner. Otherwise it would see that this user has few tickets, find the
 * cached generic plan too expensive, and make a new one each time.
 */
export const hideIdFromPlanner = (id: number) => sql<number>`(select ${id}::int)`
export const hideIdsFromPlanner = (ids: number[]) => sql<number[]>`(select ${ids}::int[])::int[]`
