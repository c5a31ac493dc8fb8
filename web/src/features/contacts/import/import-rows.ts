import { ContactWrite, extractDigits } from '@recado/contract/contacts'
import type { ColumnTarget } from '../../../parts/spreadsheet/column-targets.ts'
import { type FieldProblemDetail, findFieldProblems } from '../../../records/field-problems.ts'
import type { ColumnMapping } from './column-mapping.ts'

/** A person in a row of the file. `line` is the row number in a spreadsheet. */
export type ImportRow = { line: number; name: string; number: string; email: string; wrong: ImportRowProblem | null }
/** Why a row cannot be imported: a field to correct, or the row with the same number. */
export type ImportRowProblem = { field: ColumnTarget; problem: FieldProblemDetail } | { sameAs: number }

/** The people of a file with their problems. `first` is the row number of the first person. */
export function parseImportRows(rows: string[][], mapping: ColumnMapping, first: number): ImportRow[] {
  const seen = new Map<string, number>()
  return rows.map((row, i) => {
    const cell = (target: ColumnTarget) => (mapping[target] === null ? '' : (row[mapping[target]] ?? ''))
    const line = first + i
    const number = parsePhoneCell(cell('number'))
    // Without a name the number is used as the name, as everywhere in the app.
    const person = { name: cell('name') || number, number, email: cell('email') }
    const wrong = findRowProblem(person, seen.get(number))
    if (!wrong) seen.set(number, line)
    return { line, ...person, wrong }
  })
}

function findRowProblem(
  person: { name: string; number: string; email: string },
  sameAs: number | undefined,
): ImportRowProblem | null {
  const found = findFieldProblems(ContactWrite, person)
  // Check the number first: for a row without a number, other problems do not matter.
  const field = (['number', 'name', 'email'] as const).find((one) => found[one])
  if (field) return { field, problem: found[field] as FieldProblemDetail }
  return sameAs === undefined ? null : { sameAs }
}

/** `5,51199E+12` is a number that a spreadsheet has rounded: the original is lost. */
const parsePhoneCell = (cell: string): string =>
  /\d[eE]\+?\d/.test(cell) ? '' : extractDigits(cell).replace(/^0+/, '')
