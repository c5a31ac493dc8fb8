/** A row as parsed by the server: header cell -> cell. */
export type SpreadsheetRow = Record<string, unknown>
export type SpreadsheetTable = { columns: string[]; rows: string[][] }

/** The parser's name for a column without a header. */
const unnamedColumnPattern = /^__EMPTY(_\d+)?$/

/** The rows as a table of texts with the columns of all rows, in order of appearance. */
export function toSpreadsheetTable(rows: SpreadsheetRow[]): SpreadsheetTable {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return { columns, rows: rows.map((row) => columns.map((column) => cellToText(row[column]))) }
}

/** Spreadsheets store phone numbers as numbers; only text and whole numbers are used as cells. */
function cellToText(cell: unknown): string {
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? String(cell) : ''
  return typeof cell === 'string' ? cell.trim() : ''
}

/** Detects a file without a header: its first row is a person with a phone number or an email. */
export const isHeaderAPerson = ({ columns }: SpreadsheetTable): boolean =>
  columns.some((head) => /@[^@.]+\./.test(head) || head.replace(/\D/g, '').length >= 8)

/** The same sheet with the header as its first row. */
export const headerToFirstRow = ({ columns, rows }: SpreadsheetTable): SpreadsheetTable => ({
  columns: columns.map((_, i) => `__EMPTY_${i}`),
  rows: [columns.map((head) => (unnamedColumnPattern.test(head) ? '' : head)), ...rows],
})

/** The label of a column: its header, or null when it has none. */
export const columnName = (column: string): string | null => (unnamedColumnPattern.test(column) ? null : column)
