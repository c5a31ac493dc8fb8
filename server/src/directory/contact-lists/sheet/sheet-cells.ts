/** The cells of a row, from its first column on. */
export type SheetCells = unknown[]
/** Rows as they come, each with its place from 0; those that are missing in between are empty. */
export type SheetRows = AsyncGenerator<{ at: number; cells: SheetCells }[]>

/** What is longer than this is no name, number or address: the rest of it is left out, and so are further columns. */
export const maxCellChars = 1000
export const maxColumns = 200

export const isBlankRow = (cells: SheetCells): boolean => cells.every((cell) => cell === '' || cell === undefined)
