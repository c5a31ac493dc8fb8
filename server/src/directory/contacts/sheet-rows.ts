import { ContactWrite } from '@recado/contract/contacts'
import type { FieldProblem } from '@recado/contract/errors'
import { fold } from '@recado/contract/text/fold'
import { listFieldProblems } from '../../kernel/http/validation.ts'
import { normalizePhoneNumber } from './identity.ts'

/** A row of a spreadsheet: header cell -> cell. */
export type SheetRow = Record<string, unknown>
export type ImportedPerson = { name: string; number: string; email: string }
/** A person for the address book. `owner`: the e-mail address of the user who looks after them. */
export type ImportedContact = ImportedPerson & { owner?: string }
/** `row`: the index of the sent row, from 1. */
export type RowRefusal = { contactName: string; row: number; error: { message: FieldProblem | string; field: string } }

/** Common column headers in the three languages, without accents, spaces and case. */
const knownHeaders = {
  name: [
    'nome',
    'nombre',
    'name',
    'nomecompleto',
    'nombrecompleto',
    'fullname',
    'contato',
    'contacto',
    'contact',
    'cliente',
    'customer',
  ],
  number: [
    'telefone',
    'telefono',
    'phone',
    'phonenumber',
    'numero',
    'number',
    'celular',
    'movil',
    'mobile',
    'whatsapp',
    'fone',
    'tel',
  ],
  email: ['email', 'mail', 'correo', 'correoelectronico', 'emailaddress'],
}

/** Only the address book has owners; contact lists have none. */
const ownerHeaders = ['owner', 'dueno', 'duena', 'dono', 'dona', 'propietario', 'proprietario']

/** The best matching header for each field; null where no header matches. */
export function guessColumns(given: string[]): Record<keyof typeof knownHeaders, string | null> {
  const find = (names: string[]) =>
    names
      .map((name) => given.find((header) => normalizeHeader(header) === name))
      .find((found) => found !== undefined) ?? null
  return { name: find(knownHeaders.name), number: find(knownHeaders.number), email: find(knownHeaders.email) }
}

/** The person in a row, or its error. */
export function readSheetRow(row: SheetRow, line: number): { person: ImportedContact } | { refusal: RowRefusal } {
  const cells = new Map(Object.entries(row).map(([header, cell]) => [normalizeHeader(header), cellText(cell)]))
  const cell = (names: string[]) => names.map((n) => cells.get(n)).find(Boolean) ?? ''
  const read = parsePerson(
    { name: cell(knownHeaders.name), number: cell(knownHeaders.number), email: cell(knownHeaders.email) },
    line,
  )
  const owner = cell(ownerHeaders).toLowerCase()
  return 'person' in read && owner ? { person: { ...read.person, owner } } : read
}

/** Reads a person from known cells. Without a name the number is used, as everywhere. */
export function parsePerson(
  cells: Record<keyof ImportedPerson, unknown>,
  line: number,
): { person: ImportedPerson } | { refusal: RowRefusal } {
  const number = normalizePhoneNumber(cleanNumberCell(cellText(cells.number)))
  const name = cellText(cells.name) || number
  const parsed = ContactWrite.safeParse({ name, number, email: cellText(cells.email) }, { reportInput: true })
  if (parsed.success) return { person: { name: parsed.data.name, number, email: parsed.data.email } }
  const found = listFieldProblems(parsed.error)
  // An error of the number is reported first: for a row without a valid number no other error matters.
  const field = found.number ? 'number' : (Object.keys(found)[0] ?? '')
  return {
    refusal: { contactName: name || `#${line}`, row: line, error: { message: found[field] ?? 'Invalid', field } },
  }
}

const normalizeHeader = (header: string) => fold(header).replace(/[^a-z]/g, '')

/** Spreadsheets store phone numbers as numbers; otherwise only text cells count. */
export function cellText(cell: unknown): string {
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? String(cell) : ''
  return typeof cell === 'string' ? cell.toWellFormed().trim() : ''
}

/**
 * `5,51199E+12` is a number that a spreadsheet has rounded, so its digits are lost. `5491155550000.0` is a number that a
 * spreadsheet took for a decimal: the `.0` is removed.
 */
const cleanNumberCell = (cell: string) => (/\d[eE]\+?\d/.test(cell) ? '' : cell.replace(/^(\d{8,})[.,]0$/, '$1'))
