import { fold } from '@recado/contract/text/fold'
import { type ColumnTarget, columnTargets } from '../../../parts/spreadsheet/column-targets.ts'
import type { SpreadsheetTable } from './spreadsheet-table.ts'

/** The column of each field; null when there is none. */
export type ColumnMapping = Record<ColumnTarget, number | null>

/** Common column headers in the three languages, without accents, blanks and case. */
const headerPatterns: Record<ColumnTarget, RegExp> = {
  name: /^(nomes?|nombres?|names?|(nome|nombre)completo|fullname|contat?os?|contactos?|contacts?|clientes?|customers?)$/,
  number:
    /^(tele?fones?|telefonos?|tel|fone|phones?|phonenumber|(numero|number)(de(telefono?|telefone|celular|whatsapp))?|celular(es)?|movil|mobile|whatsapp)$/,
  email: /^(e?mails?|correo(electronico)?|emailaddress|enderecodeemail)$/,
}

const normalizeHeader = (head: string) => fold(head).replace(/[^a-z]/g, '')

const cellChecks: Record<ColumnTarget, (cell: string) => boolean> = {
  number: (cell) => /^\+?[\d\s().-]+$/.test(cell) && cell.replace(/\D/g, '').length >= 8,
  email: (cell) => /^[^\s@]+@[^\s@.]+\.[^\s@]+$/.test(cell),
  name: (cell) => /\p{L}{2}/u.test(cell) && !cell.includes('@'),
}

/** Number of rows used to guess what a column holds. */
const sampleRowCount = 50

/** Guesses by the headers, or by the cells where a header is not recognized. */
export function guessColumnMapping({ columns, rows }: SpreadsheetTable): ColumnMapping {
  const taken = new Set<number>()
  const mapping: ColumnMapping = { name: null, number: null, email: null }
  const assignColumn = (target: ColumnTarget, column: number) => {
    if (mapping[target] !== null || column < 0 || taken.has(column)) return
    mapping[target] = column
    taken.add(column)
  }
  for (const target of columnTargets)
    assignColumn(
      target,
      columns.findIndex((head) => headerPatterns[target].test(normalizeHeader(head))),
    )
  // The name is guessed last: almost any text could be a name.
  for (const target of ['number', 'email', 'name'] as const)
    assignColumn(target, findLikeliestColumn(target, columns, rows, taken))
  return mapping
}

function findLikeliestColumn(target: ColumnTarget, columns: string[], rows: string[][], taken: Set<number>): number {
  const scores = columns.map((_, i) => {
    const cells = rows.slice(0, sampleRowCount).flatMap((row) => row[i] || [])
    if (taken.has(i) || cells.length === 0) return 0
    const share = cells.filter(cellChecks[target]).length / cells.length
    // Names differ from row to row; cities and companies repeat.
    return share > 0.5 ? share * (target === 'name' ? new Set(cells).size / cells.length : 1) : 0
  })
  const best = Math.max(0, ...scores)
  return best > 0 ? scores.indexOf(best) : -1
}

/** Assigns a field to a column and removes the field from its previous column. */
export function remapColumn(mapping: ColumnMapping, column: number, target: ColumnTarget | null): ColumnMapping {
  const cleared = Object.fromEntries(columnTargets.map((one) => [one, mapping[one] === column ? null : mapping[one]]))
  return { ...(cleared as ColumnMapping), ...(target && { [target]: column }) }
}

export const targetOfColumn = (mapping: ColumnMapping, column: number): ColumnTarget | null =>
  columnTargets.find((target) => mapping[target] === column) ?? null
