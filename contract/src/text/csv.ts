/** Spreadsheets in Spanish and Portuguese use the comma for decimals, so columns are separated by semicolons. */
const separator = ';'
/** Without a BOM, spreadsheets read UTF-8 as Western European and break accented letters. */
const byteOrderMark = '\ufeff'

type Row = readonly string[]
const line = (row: Row): string => `${row.map(cell).join(separator)}\r\n`

/** CSV rows without the BOM, to append to other rows. */
export const toCsvLines = (rows: readonly Row[]): string => rows.map(line).join('')

/** The text of a .csv file. */
export const toCsv = (rows: readonly Row[]): string => byteOrderMark + toCsvLines(rows)

/** A phone number with a plus evaluates to itself in a spreadsheet, so it needs no escape. */
const telephone = /^\+\d+$/
/** Characters that start a formula in spreadsheets, even inside quotes (some skip leading blanks). */
const formula = /^\s*[=+\-@\t\r]/

function cell(text: string): string {
  const safe = formula.test(text) && !telephone.test(text) ? `'${text}` : text
  return /[;,"\r\n\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
