/** The cells of a row, from the first column. */
export type SheetCells = unknown[]
/** Rows as they are read, each with its index from 0; missing rows in between are empty. */
export type SheetRows = AsyncGenerator<{ at: number; cells: SheetCells }[]>

/**
 * Maximum length of a cell: a longer text is no name, number or address, so the rest is cut off. Columns beyond the
 * maximum are dropped, too.
 */
export const maxCellChars = 1000
export const maxColumns = 200

export const isBlankRow = (cells: SheetCells): boolean => cells.every((cell) => cell === '' || cell === undefined)
