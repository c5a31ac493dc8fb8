import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { DumpError, type DumpRow, readDumpRows } from '../dump/read-dump.ts'
import { openSpool, type Spool } from '../dump/spool.ts'
import type { Importer } from '../importer.ts'
import type { ImportLimits } from '../limits.ts'
import { ImportReport } from '../report.ts'
import { importCompanies, importQueueMembers, importSettings, importUsers } from './accounts.ts'
import { importCampaigns, importContactLists, importSchedules } from './campaigns-and-schedules.ts'
import { parseMomentMs, type UtcOffset } from './cells.ts'
import { importContactFields, importContacts } from './contacts.ts'
import { importLines, importMenuOptions, importQueues, importQuickReplies, importTags } from './directory.ts'
import { ImportRun } from './import-run.ts'
import { importMessages } from './messages.ts'
import { type FamilyTableName, ignoredTables, wantedColumns } from './schema.ts'
import {
  finishTickets,
  importNotes,
  importRatings,
  importSegments,
  importTickets,
  importTicketTags,
} from './tickets.ts'

export type FamilyKind = 'ticketz' | 'whaticket'

/** Offset of timestamps without a zone: the single-company version keeps them in MySQL, in Brazilian time. */
const offsetByKind: Record<FamilyKind, UtcOffset> = { ticketz: '+00:00', whaticket: '-03:00' }

/** One importer for the family: Whaticket, services built on it, and ticketz share their tables, with more or fewer columns. */
export const makeFamilyImporter =
  (kind: FamilyKind): Importer =>
  async (means, order, progress) => {
    const report = new ImportReport(`${kind} ${order.path}`, order.dryRun)
    const offset: UtcOffset = order.offset ?? offsetByKind[kind]
    const spool = await openSpool(order.scratchDir, { messages: (row) => parseMomentMs(row.createdAt, offset) ?? 0 })
    try {
      progress.begin('reading, in bytes', (await stat(order.path)).size)
      const sum = createHash('sha256')
      const read = (chunk: string | Buffer) => {
        sum.update(chunk)
        progress.add(chunk.length)
      }
      for await (const batch of readDumpRows(order.path, wantedColumns, read, order.limits)) await spool.addBatch(batch)
      const dump = sum.digest('hex')
      await spool.close()
      progress.end()
      if (!spool.count('users') || !spool.count('settings'))
        throw new DumpError(`${order.path} has no users or no settings: it is no dump of ${kind}, or not a whole one.`)
      assertWithinLimits(spool, order.limits)
      const source = await identifySource(kind, spool)
      const move = new ImportRun({
        deps: means,
        options: order,
        progress,
        report,
        spool,
        kind,
        source,
        offset,
        dumpHash: dump,
      })
      await importAll(move)
      for (const [table, name] of Object.entries(ignoredTables))
        if (spool.count(table)) report.addNote(`Stay behind: ${spool.count(table).toLocaleString('en')} ${name}.`)
      return report
    } finally {
      await spool.remove()
    }
  }

/** Tables that are read into memory whole: no desk has more rows of these. */
const maxWholeTableRows = 50_000
const tablesReadWhole = [
  'plans',
  'queues',
  'queueoptions',
  'whatsapps',
  'tags',
  'contactlists',
  'campaigns',
] satisfies FamilyTableName[]

function assertWithinLimits(spool: Spool, limits: ImportLimits): void {
  for (const table of tablesReadWhole)
    if (spool.count(table) > maxWholeTableRows)
      throw new DumpError(`The dump has more than ${maxWholeTableRows} rows of ${table}.`)
  if (spool.count('companies') > limits.companies)
    throw new DumpError(`The dump has more than ${limits.companies} companies (--limit companies=…).`)
}

/** Referenced tables come before the tables that reference them. */
async function importAll(move: ImportRun): Promise<void> {
  await importCompanies(move)
  await move.loadImportedIds()
  await importSettings(move)
  await importQueues(move)
  await importMenuOptions(move)
  await importLines(move)
  await importUsers(move)
  await importQueueMembers(move)
  await importTags(move)
  await importQuickReplies(move)
  await importContacts(move)
  await importContactFields(move)
  const slots = await importTickets(move)
  await importSegments(move, slots)
  await importRatings(move, slots)
  await importTicketTags(move, slots)
  await importNotes(move, slots)
  await importMessages(move, slots)
  await finishTickets(move)
  await importSchedules(move)
  await importContactLists(move)
  await importCampaigns(move)
}

/**
 * Identifies an installation in a later dump: the creation times of its first company, first user and first settings.
 * They never change, and no two installations share them.
 */
async function identifySource(kind: FamilyKind, spool: Spool): Promise<string> {
  const firsts = ['companies', 'users'] satisfies FamilyTableName[]
  const marks: string[] = []
  for (const table of firsts) {
    let first: DumpRow | null = null
    for await (const rows of spool.batches(table, 2000))
      for (const row of rows) if (!first || Number(row.id) < Number(first.id)) first = row
    marks.push(first ? `${first.id} ${first.createdAt}` : '')
  }
  return `${kind}-${createHash('sha256').update(marks.join('\n')).digest('hex').slice(0, 16)}`
}
