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

/** Offset of timestamps without a zone: single-company Whaticket stores them in MySQL, in Brazilian time. */
const offsetByKind: Record<FamilyKind, UtcOffset> = { ticketz: '+00:00', whaticket: '-03:00' }

/** One importer for Whaticket, services built on it, and ticketz: they share their tables, with more or fewer columns. */
export const makeFamilyImporter =
  (kind: FamilyKind): Importer =>
  async (deps, options, progress) => {
    const report = new ImportReport(`${kind} ${options.path}`, options.dryRun)
    const offset: UtcOffset = options.offset ?? offsetByKind[kind]
    const spool = await openSpool(options.scratchDir, { messages: (row) => parseMomentMs(row.createdAt, offset) ?? 0 })
    try {
      progress.begin('reading, in bytes', (await stat(options.path)).size)
      const hash = createHash('sha256')
      const read = (chunk: string | Buffer) => {
        hash.update(chunk)
        progress.add(chunk.length)
      }
      for await (const batch of readDumpRows(options.path, wantedColumns, read, options.limits))
        await spool.addBatch(batch)
      const dump = hash.digest('hex')
      await spool.close()
      progress.end()
      if (!spool.count('users') || !spool.count('settings'))
        throw new DumpError(
          `${options.path} has no users or no settings: it is no dump of ${kind}, or not a whole one.`,
        )
      assertWithinLimits(spool, options.limits)
      const source = await identifySource(kind, spool)
      const run = new ImportRun({
        deps: deps,
        options: options,
        progress,
        report,
        spool,
        kind,
        source,
        offset,
        dumpHash: dump,
      })
      await importAll(run)
      for (const [table, name] of Object.entries(ignoredTables))
        if (spool.count(table)) report.addNote(`Stay behind: ${spool.count(table).toLocaleString('en')} ${name}.`)
      return report
    } finally {
      await spool.remove()
    }
  }

/** Tables that are read into memory as a whole, and their maximum rows: no desk has more rows of these. */
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

/** Imports referenced tables before the tables that reference them. */
async function importAll(run: ImportRun): Promise<void> {
  await importCompanies(run)
  await run.loadImportedIds()
  await importSettings(run)
  await importQueues(run)
  await importMenuOptions(run)
  await importLines(run)
  await importUsers(run)
  await importQueueMembers(run)
  await importTags(run)
  await importQuickReplies(run)
  await importContacts(run)
  await importContactFields(run)
  const importedTickets = await importTickets(run)
  await importSegments(run, importedTickets)
  await importRatings(run, importedTickets)
  await importTicketTags(run, importedTickets)
  await importNotes(run, importedTickets)
  await importMessages(run, importedTickets)
  await finishTickets(run)
  await importSchedules(run)
  await importContactLists(run)
  await importCampaigns(run)
}

/**
 * Identifies an installation in a later dump by the creation times of its first company, first user and first settings:
 * these never change, and no two installations share them.
 */
async function identifySource(kind: FamilyKind, spool: Spool): Promise<string> {
  const identifyingTables = ['companies', 'users'] satisfies FamilyTableName[]
  const fingerprints: string[] = []
  for (const table of identifyingTables) {
    let first: DumpRow | null = null
    for await (const rows of spool.batches(table, 2000))
      for (const row of rows) if (!first || Number(row.id) < Number(first.id)) first = row
    fingerprints.push(first ? `${first.id} ${first.createdAt}` : '')
  }
  return `${kind}-${createHash('sha256').update(fingerprints.join('\n')).digest('hex').slice(0, 16)}`
}
