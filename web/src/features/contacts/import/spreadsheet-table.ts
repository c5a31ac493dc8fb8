/** A row as the server reads it from a file: header cell -> cell. */
export type SpreadsheetRow = Record<string, unknown>
export type SpreadsheetTable = { columns: string[]; rows: string[][] }

/** What the reader calls a column that has no header. */
const unnamedColumnPattern = /^__EMPTY(_\d+)?$/

/** The rows as a table of texts, with every column that any of them has, in the order they appear. */
export function toSpreadsheetTable(rows: SpreadsheetRow[]): SpreadsheetTable {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return { columns, rows: rows.map((row) => columns.map((column) => cellToText(row[column]))) }
}

/** Spreadsheets keep telephones as numbers; nothing but text and whole numbers can be a cell of ours. */
function cellToText(cell: unknown): string {
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? String(cell) : ''
  return typeof cell === 'string' ? cell.trim() : ''
}

/** A file without a header: what was taken for one is somebody with a telephone or an address. */
export const isHeaderAPerson = ({ columns }: SpreadsheetTable): boolean =>
  columns.some((head) => /@[^@.]+\./.test(head) || head.replace(/\D/g, '').length >= 8)

/** The same sheet with that somebody in its first row. */
export const headerToFirstRow = ({ columns, rows }: SpreadsheetTable): SpreadsheetTable => ({
  columns: columns.map((_, i) => `__EMPTY_${i}`),
  rows: [columns.map((head) => (unnamedColumnPattern.test(head) ? '' : head)), ...rows],
})

/** What to call a column on the screen: its header, or null where it has none. */
export const columnName = (column: string): string | null => (unnamedColumnPattern.test(column) ? null : column)
