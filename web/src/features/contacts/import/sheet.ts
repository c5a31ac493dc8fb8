/** A row as the server reads it from a file: header cell -> cell. */
export type SheetRow = Record<string, unknown>
export type Sheet = { columns: string[]; rows: string[][] }

/** What the reader calls a column that has no header. */
const unnamed = /^__EMPTY(_\d+)?$/

/** The rows as a table of texts, with every column that any of them has, in the order they appear. */
export function sheetOf(rows: SheetRow[]): Sheet {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return { columns, rows: rows.map((row) => columns.map((column) => written(row[column]))) }
}

/** Spreadsheets keep telephones as numbers; nothing but text and whole numbers can be a cell of ours. */
function written(cell: unknown): string {
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? String(cell) : ''
  return typeof cell === 'string' ? cell.trim() : ''
}

/** A file without a header: what was taken for one is somebody with a telephone or an address. */
export const headIsPerson = ({ columns }: Sheet): boolean =>
  columns.some((head) => /@[^@.]+\./.test(head) || head.replace(/\D/g, '').length >= 8)

/** The same sheet with that somebody in its first row. */
export const withHeadAsRow = ({ columns, rows }: Sheet): Sheet => ({
  columns: columns.map((_, i) => `__EMPTY_${i}`),
  rows: [columns.map((head) => (unnamed.test(head) ? '' : head)), ...rows],
})

/** What to call a column on the screen: its header, or null where it has none. */
export const nameOfColumn = (column: string): string | null => (unnamed.test(column) ? null : column)
