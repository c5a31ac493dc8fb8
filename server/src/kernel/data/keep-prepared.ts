import { sql } from 'kysely'

export const keepPreparedMark = '/* hot */'

/** Put it in front of a statement that is asked all day, with the same text each time: it stays prepared. */
export const keepPrepared = sql.raw(keepPreparedMark)

/**
 * The end of a page, written out: of a number it is not told the planner believes a tenth of all rows, finds its kept
 * plan too dear and makes a new one each time. Each page has a text of its own, so only the first few are hot.
 */
export const literalLimit = (limit: number, offset = 0) => sql.raw(`limit ${limit}${offset ? ` offset ${offset}` : ''}`)

export const keepPagePrepared = (limit: number, offset = 0) => (offset < 5 * limit ? keepPrepared : sql``)

/**
 * A number, or several, that the planner does not look at. It would see that this person has few tickets, find the plan
 * that it keeps for all too dear, and make a new one each time.
 */
export const hideIdFromPlanner = (id: number) => sql<number>`(select ${id}::int)`
export const hideIdsFromPlanner = (ids: number[]) => sql<number[]>`(select ${ids}::int[])::int[]`
