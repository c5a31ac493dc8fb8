import { ContactWrite, digits } from '@recado/contract/contacts'
import type { Target } from '../../../parts/sheet/targets.ts'
import { type Problem, problemsOf } from '../../../records/problems.ts'
import type { Mapping } from './mapping.ts'

/** Somebody in a row of the file. `line` is where a spreadsheet shows it. */
export type Person = { line: number; name: string; number: string; email: string; wrong: Wrong | null }
/** Why a row cannot be imported: a field to mend, or the line that already has the same number. */
export type Wrong = { field: Target; problem: Problem } | { sameAs: number }

/** The people of a file, each with what is wrong with it. `first` is the line of the first row. */
export function peopleOf(rows: string[][], mapping: Mapping, first: number): Person[] {
  const seen = new Map<string, number>()
  return rows.map((row, i) => {
    const cell = (target: Target) => (mapping[target] === null ? '' : (row[mapping[target]] ?? ''))
    const line = first + i
    const number = numberOf(cell('number'))
    // Without a name the number stands for it, as everywhere.
    const person = { name: cell('name') || number, number, email: cell('email') }
    const wrong = wrongOf(person, seen.get(number))
    if (!wrong) seen.set(number, line)
    return { line, ...person, wrong }
  })
}

function wrongOf(person: { name: string; number: string; email: string }, sameAs: number | undefined): Wrong | null {
  const found = problemsOf(ContactWrite, person)
  // The number first: a row without one has no other trouble worth naming.
  const field = (['number', 'name', 'email'] as const).find((one) => found[one])
  if (field) return { field, problem: found[field] as Problem }
  return sameAs === undefined ? null : { sameAs }
}

/** `5,51199E+12` is what is left of a number after a spreadsheet has rounded it: not a number any more. */
const numberOf = (cell: string): string => (/\d[eE]\+?\d/.test(cell) ? '' : digits(cell).replace(/^0+/, ''))
