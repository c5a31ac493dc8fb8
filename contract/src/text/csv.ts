/** Spreadsheets in Spanish and Portuguese take the comma for decimals, so the semicolon parts the columns. */
const separator = ';'
/** Without it they read UTF-8 as Western European and break every accent. */
const byteOrderMark = '\ufeff'

type Row = readonly string[]
const line = (row: Row): string => `${row.map(cell).join(separator)}\r\n`

/** Rows that follow others. */
export const toCsvLines = (rows: readonly Row[]): string => rows.map(line).join('')

/** The text of a .csv file, one line per row. */
export const toCsv = (rows: readonly Row[]): string => byteOrderMark + toCsvLines(rows)

/** A telephone with its plus is worth itself to a spreadsheet: it stays as people read it. */
const telephone = /^\+\d+$/
/** With these a spreadsheet begins to calculate, whatever the quotes around them say (and some skip blanks first). */
const formula = /^\s*[=+\-@\t\r]/

function cell(text: string): string {
  const safe = formula.test(text) && !telephone.test(text) ? `'${text}` : text
  return /[;,"\r\n\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
