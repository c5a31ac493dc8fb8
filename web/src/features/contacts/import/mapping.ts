import { fold } from '@recado/contract/words/fold'
import { type Target, targets } from '../../../parts/sheet/targets.ts'
import type { Sheet } from './sheet.ts'

/** Which column holds what; null where none does. */
export type Mapping = Record<Target, number | null>

/** How people head their columns, in the three languages, without accents, blanks and case. */
const heads: Record<Target, RegExp> = {
  name: /^(nomes?|nombres?|names?|(nome|nombre)completo|fullname|contat?os?|contactos?|contacts?|clientes?|customers?)$/,
  number:
    /^(tele?fones?|telefonos?|tel|fone|phones?|phonenumber|(numero|number)(de(telefono?|telefone|celular|whatsapp))?|celular(es)?|movil|mobile|whatsapp)$/,
  email: /^(e?mails?|correo(electronico)?|emailaddress|enderecodeemail)$/,
}

const plain = (head: string) => fold(head).replace(/[^a-z]/g, '')

const looks: Record<Target, (cell: string) => boolean> = {
  number: (cell) => /^\+?[\d\s().-]+$/.test(cell) && cell.replace(/\D/g, '').length >= 8,
  email: (cell) => /^[^\s@]+@[^\s@.]+\.[^\s@]+$/.test(cell),
  name: (cell) => /\p{L}{2}/u.test(cell) && !cell.includes('@'),
}

/** So many rows tell what a column holds. */
const sample = 50

/** By what stands above the columns; where that says nothing, by what stands in them. */
export function guessMapping({ columns, rows }: Sheet): Mapping {
  const taken = new Set<number>()
  const mapping: Mapping = { name: null, number: null, email: null }
  const give = (target: Target, column: number) => {
    if (mapping[target] !== null || column < 0 || taken.has(column)) return
    mapping[target] = column
    taken.add(column)
  }
  for (const target of targets)
    give(
      target,
      columns.findIndex((head) => heads[target].test(plain(head))),
    )
  // The name last: almost anything could be one.
  for (const target of ['number', 'email', 'name'] as const) give(target, likeliest(target, columns, rows, taken))
  return mapping
}

function likeliest(target: Target, columns: string[], rows: string[][], taken: Set<number>): number {
  const scores = columns.map((_, i) => {
    const cells = rows.slice(0, sample).flatMap((row) => row[i] || [])
    if (taken.has(i) || cells.length === 0) return 0
    const share = cells.filter(looks[target]).length / cells.length
    // Names differ from row to row; cities and companies come again.
    return share > 0.5 ? share * (target === 'name' ? new Set(cells).size / cells.length : 1) : 0
  })
  const best = Math.max(0, ...scores)
  return best > 0 ? scores.indexOf(best) : -1
}

/** Gives a column its meaning; whichever had that meaning before loses it. */
export function remap(mapping: Mapping, column: number, target: Target | null): Mapping {
  const cleared = Object.fromEntries(targets.map((one) => [one, mapping[one] === column ? null : mapping[one]]))
  return { ...(cleared as Mapping), ...(target && { [target]: column }) }
}

export const targetOf = (mapping: Mapping, column: number): Target | null =>
  targets.find((target) => mapping[target] === column) ?? null
