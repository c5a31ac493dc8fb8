/** The cells of a row, from its first column on. */
export type Cells = unknown[]
/** Rows as they come, each with its place from 0; those that are missing in between are empty. */
export type Rows = AsyncGenerator<{ at: number; cells: Cells }[]>

/** What is longer than this is no name, number or address: the rest of it is left out, and so are further columns. */
export const longestCell = 1000
export const mostColumns = 200

export const isBlank = (cells: Cells): boolean => cells.every((cell) => cell === '' || cell === undefined)
