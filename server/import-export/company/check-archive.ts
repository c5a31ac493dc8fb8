import type { ImportLimits } from '../limits.ts'
import { toPrintable } from '../plain-text.ts'
import type { ArchiveRow, OpenArchive } from './archive.ts'
import { findRowFault } from './column-rules.ts'
import { ImportExportError } from './import-export-error.ts'
import type { Manifest } from './manifest.ts'
import { IdMapping, SelfReferences } from './renumbering.ts'
import type { SchemaTable } from './schema.ts'
import {
  cyclicColumns,
  excludedTables,
  exportedColumns,
  exportedTables,
  type RenumberId,
  referencedTable,
  renumberInsideColumn,
  softReferences,
} from './table-rules.ts'

/** The content of an archive after it was checked: its one company, its users' email addresses, and its ids. */
export type CheckedArchive = { company: ArchiveRow; emails: string[]; idMapping: IdMapping; tables: SchemaTable[] }

/**
 * Refuses tables and columns that this version does not have, because their data would be lost, and those that an
 * export never contains.
 */
function tablesOfManifest(manifest: Manifest, schema: SchemaTable[]): SchemaTable[] {
  const exported = exportedTables(schema)
  const unknown: string[] = []
  const forged: string[] = []
  for (const { name, columns } of manifest.tables) {
    const table = schema.find((one) => one.name === name)
    if (Object.hasOwn(excludedTables, name)) forged.push(name)
    else if (!table) unknown.push(name)
    else
      for (const column of columns)
        if (!table.columns.some((one) => one.name === column)) unknown.push(`${name}.${column}`)
        else if (!exportedColumns(table).includes(column)) forged.push(`${name}.${column}`)
  }
  if (forged.length)
    throw new ImportExportError(
      `No export has ${forged.slice(0, 5).join(', ')}: this archive was made by somebody else.`,
    )
  if (unknown.length)
    throw new ImportExportError(`This Recado does not know ${unknown.slice(0, 5).join(', ')}: update it first.`)
  return exported.filter(({ name }) => manifest.tables.some((table) => table.name === name))
}

/** How a column refers to rows. `isForeignKey`: there is a foreign key, so the row must exist. */
export type ColumnLink = { column: string; table: string | null; isForeignKey: boolean }

export function findLinks(table: SchemaTable, columns: string[], order: SchemaTable[]): ColumnLink[] {
  return columns.map((column) => {
    if (column === table.idColumn?.column) return { column, table: table.name, isForeignKey: true }
    if (column === 'companyId') return { column, table: 'companies', isForeignKey: true }
    return {
      column,
      table: referencedTable(order, table.name, column),
      isForeignKey: !softReferences[table.name]?.[column],
    }
  })
}

/**
 * Reads the whole archive twice and writes nothing: first every row by itself and all ids, then all references to
 * rows, in columns, lists, JSON and texts.
 */
export async function checkArchive(
  archive: OpenArchive,
  schema: SchemaTable[],
  limits: ImportLimits,
): Promise<CheckedArchive> {
  const { manifest } = archive
  const order = tablesOfManifest(manifest, schema)
  const companyId = manifest.company.id
  const counted = order.filter(({ name, idColumn: by }) => by && name !== 'companies').map(({ name }) => name)
  const idMapping = new IdMapping(companyId, counted, limits.tableRows)
  const companies: ArchiveRow[] = []
  const emails = new Set<string>()
  for (const table of order) {
    const columns = columnsInManifest(manifest, table)
    const idColumn = table.idColumn?.column
    const hasCompany = columns.some(({ name }) => name === 'companyId')
    if (!hasCompany && table.name !== 'companies')
      throw new ImportExportError(`${table.name} does not say whose its rows are.`)
    for await (const batch of archive.rows(table.name))
      for (const { row, where } of batch) {
        const fault = findRowFault(table, columns, row)
        if (fault) throw new ImportExportError(`${where}: ${toPrintable(fault)}.`)
        if (hasCompany && row.companyId !== companyId)
          throw new ImportExportError(`${where}: ${table.name} of another company.`)
        if (table.name === 'companies') companies.push(row)
        else if (idColumn) addId(idMapping, table.name, row[idColumn], where)
        if (table.name === 'users') addEmail(emails, row, where)
      }
  }
  idMapping.sortIds()
  const [company] = companies
  if (companies.length !== 1 || company?.id !== companyId || company.name !== manifest.company.name)
    throw new ImportExportError('companies.jsonl has not the one company that the manifest names.')
  for (const table of order) await checkReferences(archive, table, order, idMapping)
  return { company, emails: [...emails], idMapping: idMapping, tables: order }
}

export const columnsInManifest = (manifest: Manifest, table: SchemaTable) => {
  const manifestColumns = manifest.tables.find(({ name }) => name === table.name)?.columns ?? []
  return table.columns.filter(({ name }) => manifestColumns.includes(name))
}

function addId(idMapping: IdMapping, table: string, id: unknown, where: string): void {
  if (typeof id !== 'number' || id < 1) throw new ImportExportError(`${where}: no id.`)
  idMapping.add(table, id)
}

function addEmail(emails: Set<string>, row: ArchiveRow, where: string): void {
  const email = String(row.email).toLowerCase()
  if (emails.has(email)) throw new ImportExportError(`${where}: two people with the address ${toPrintable(email)}.`)
  emails.add(email)
}

async function checkReferences(
  archive: OpenArchive,
  table: SchemaTable,
  order: SchemaTable[],
  idMapping: IdMapping,
): Promise<void> {
  const columns = columnsInManifest(archive.manifest, table).map(({ name }) => name)
  const links = findLinks(table, columns, order)
  const registerReference: RenumberId = (to, id) => idMapping.registerReference(to, id)
  const idColumn = table.idColumn?.column
  const selfReferences = new Map(
    links
      .filter(
        ({ column, table: to }) =>
          to === table.name && column !== idColumn && !cyclicColumns[table.name]?.includes(column),
      )
      .map(({ column }) => [column, new SelfReferences(idMapping.size(table.name))]),
  )
  for await (const batch of archive.rows(table.name))
    for (const { row, where } of batch)
      for (const { column, table: to, isForeignKey: declared } of links) {
        const value = row[column]
        if (value === null || value === undefined) continue
        const renumberInside = renumberInsideColumn[table.name]?.[column]
        if (renumberInside) renumberInside(value as never, registerReference, row)
        else if (to && typeof value === 'number') {
          if (!declared) idMapping.registerReference(to, value)
          else if (!idMapping.has(to, value))
            throw new ImportExportError(`${where}: ${column} refers to nothing in the archive.`)
          if (idColumn)
            selfReferences.get(column)?.add(idMapping.rank(to, Number(row[idColumn])), idMapping.rank(to, value))
        }
      }
  for (const [column, references] of selfReferences)
    if (references.hasCycle()) throw new ImportExportError(`${table.name}: ${column} leads in a circle.`)
}
