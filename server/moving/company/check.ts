import type { Limits } from '../limits.ts'
import { printable } from '../plain-text.ts'
import type { Archive, Row } from './archive.ts'
import { Numbering, SelfReferences } from './ids.ts'
import type { Manifest } from './manifest.ts'
import { NotMoved } from './not-moved.ts'
import { carried, columnsOf, inside, left, mayCircle, type Renumber, referred, soft } from './rules.ts'
import type { Table } from './schema.ts'
import { findFault } from './shapes.ts'

/** What was found in an archive that may be written: its one company, its people's addresses, and its ids. */
export type Checked = { company: Row; emails: string[]; numbering: Numbering; order: Table[] }

/** What this database does not know cannot be kept: better nothing than less. And what an export never has is forged. */
function tablesIn(manifest: Manifest, schema: Table[]): Table[] {
  const going = carried(schema)
  const unknown: string[] = []
  const forged: string[] = []
  for (const { name, columns } of manifest.tables) {
    const table = schema.find((one) => one.name === name)
    if (Object.hasOwn(left, name)) forged.push(name)
    else if (!table) unknown.push(name)
    else
      for (const column of columns)
        if (!table.columns.some((one) => one.name === column)) unknown.push(`${name}.${column}`)
        else if (!columnsOf(table).includes(column)) forged.push(`${name}.${column}`)
  }
  if (forged.length)
    throw new NotMoved(`No export has ${forged.slice(0, 5).join(', ')}: this archive was made by somebody else.`)
  if (unknown.length)
    throw new NotMoved(`This Recado does not know ${unknown.slice(0, 5).join(', ')}: update it first.`)
  return going.filter(({ name }) => manifest.tables.some((table) => table.name === name))
}

/** How a column refers to rows. `declared`: through a reference of the database, so what it names must be there. */
export type Link = { column: string; to: string | null; declared: boolean }

export function linksOf(table: Table, columns: string[], order: Table[]): Link[] {
  return columns.map((column) => {
    if (column === table.counted?.column) return { column, to: table.name, declared: true }
    if (column === 'companyId') return { column, to: 'companies', declared: true }
    return { column, to: referred(order, table.name, column), declared: !soft[table.name]?.[column] }
  })
}

/**
 * Reads the whole archive twice and writes nothing: first every row by itself, and which ids there are; then everything
 * that refers to a row, in columns, lists, JSON and texts.
 */
export async function checkArchive(archive: Archive, schema: Table[], limits: Limits): Promise<Checked> {
  const { manifest } = archive
  const order = tablesIn(manifest, schema)
  const companyId = manifest.company.id
  const counted = order.filter(({ name, counted: by }) => by && name !== 'companies').map(({ name }) => name)
  const numbering = new Numbering(companyId, counted, limits.tableRows)
  const companies: Row[] = []
  const emails = new Set<string>()
  for (const table of order) {
    const columns = columnsFor(manifest, table)
    const own = table.counted?.column
    const hasCompany = columns.some(({ name }) => name === 'companyId')
    if (!hasCompany && table.name !== 'companies') throw new NotMoved(`${table.name} does not say whose its rows are.`)
    for await (const some of archive.rows(table.name))
      for (const { row, where } of some) {
        const fault = findFault(table, columns, row)
        if (fault) throw new NotMoved(`${where}: ${printable(fault)}.`)
        if (hasCompany && row.companyId !== companyId) throw new NotMoved(`${where}: ${table.name} of another company.`)
        if (table.name === 'companies') companies.push(row)
        else if (own) addId(numbering, table.name, row[own], where)
        if (table.name === 'users') addEmail(emails, row, where)
      }
  }
  numbering.close()
  const [company] = companies
  if (companies.length !== 1 || company?.id !== companyId || company.name !== manifest.company.name)
    throw new NotMoved('companies.jsonl has not the one company that the manifest names.')
  for (const table of order) await checkReferences(archive, table, order, numbering)
  return { company, emails: [...emails], numbering, order }
}

export const columnsFor = (manifest: Manifest, table: Table) => {
  const named = manifest.tables.find(({ name }) => name === table.name)?.columns ?? []
  return table.columns.filter(({ name }) => named.includes(name))
}

function addId(numbering: Numbering, table: string, id: unknown, where: string): void {
  if (typeof id !== 'number' || id < 1) throw new NotMoved(`${where}: no id.`)
  numbering.add(table, id)
}

function addEmail(emails: Set<string>, row: Row, where: string): void {
  const email = String(row.email).toLowerCase()
  if (emails.has(email)) throw new NotMoved(`${where}: two people with the address ${printable(email)}.`)
  emails.add(email)
}

async function checkReferences(archive: Archive, table: Table, order: Table[], numbering: Numbering): Promise<void> {
  const columns = columnsFor(archive.manifest, table).map(({ name }) => name)
  const links = linksOf(table, columns, order)
  const note: Renumber = (to, id) => numbering.note(to, id)
  const own = table.counted?.column
  const selfReferences = new Map(
    links
      .filter(({ column, to }) => to === table.name && column !== own && !mayCircle[table.name]?.includes(column))
      .map(({ column }) => [column, new SelfReferences(numbering.size(table.name))]),
  )
  for await (const some of archive.rows(table.name))
    for (const { row, where } of some)
      for (const { column, to, declared } of links) {
        const value = row[column]
        if (value === null || value === undefined) continue
        const within = inside[table.name]?.[column]
        if (within) within(value as never, note, row)
        else if (to && typeof value === 'number') {
          if (!declared) numbering.note(to, value)
          else if (!numbering.has(to, value))
            throw new NotMoved(`${where}: ${column} refers to nothing in the archive.`)
          if (own) selfReferences.get(column)?.add(numbering.rank(to, Number(row[own])), numbering.rank(to, value))
        }
      }
  for (const [column, references] of selfReferences)
    if (references.hasCircle()) throw new NotMoved(`${table.name}: ${column} leads in a circle.`)
}
