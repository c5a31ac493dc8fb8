import { sql } from 'kysely'

export const hotMark = '/* hot */'

/** Put it in front of a statement that is asked all day, with the same text each time: it stays prepared. */
export const hot = sql.raw(hotMark)

/**
 * The end of a page, written out: of a number it is not told the planner believes a tenth of all rows, finds its kept
 * plan too dear and makes a new one each time. Each page has a text of its own, so only the first few are hot.
 */
export const pageEnd = (limit: number, offset = 0) => sql.raw(`limit ${limit}${offset ? ` offset ${offset}` : ''}`)

export const hotPage = (limit: number, offset = 0) => (offset < 5 * limit ? hot : sql``)
