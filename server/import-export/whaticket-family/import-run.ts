import { sql } from 'kysely'
import { type Deps, Scope } from '../../src/kernel/data/scope.ts'
import type { DB } from '../../src/kernel/data/tables.ts'
import type { DumpRow } from '../dump/read-dump.ts'
import type { Spool } from '../dump/spool.ts'
import type { ImportOrder } from '../importer.ts'
import { type InsertValues, insertRows } from '../insert.ts'
import type { ProgressReporter } from '../progress.ts'
import type { ImportReport } from '../report.ts'
import { intCell, parseMomentMs, type UtcOffset } from './cells.ts'
import type { FamilyTableName } from './schema.ts'
import '../tables.ts'

/** Kinds of rows that other rows reference: the mapping from old to new ids is kept in memory, two numbers per row. */
const tableByParent = {
  user: 'users',
  queue: 'queues',
  option: 'queueOptions',
  line: 'whatsapps',
  tag: 'tags',
  contact: 'contacts',
  list: 'contactLists',
  listItem: 'contactListItems',
  campaign: 'campaigns',
} as const
export type ParentKind = keyof typeof tableByParent
const isParent = (kind: string): kind is ParentKind => Object.hasOwn(tableByParent, kind)

/** The target company of a company in the source. In a dry run its id may be negative, because it does not exist. */
export type TargetCompany = { oldId: number; id: number; scope: Scope; isNew: boolean }
export type ImportEntry<T extends keyof DB> = { oldId: string | number; row: InsertValues<T> }

/** The state of a run that every step needs. */
export class ImportRun {
  readonly deps: Deps
  readonly options: ImportOrder
  readonly progress: ProgressReporter
  readonly report: ImportReport
  readonly spool: Spool
  readonly kind: 'ticketz' | 'whaticket'
  readonly source: string
  /** The checksum of the dump's file. */
  readonly dumpHash: string
  readonly offset: UtcOffset
  readonly platformScope: Scope
  readonly targetCompanies = new Map<number, TargetCompany>()
  /** Whether the dump has several companies. If not, all rows belong to one company. */
  readonly hasCompanies: boolean
  /** Imported ids by kind and company: an id of the dump refers only to a row of its own company. */
  readonly #known = new Map<string, Map<number, number>>()
  #imagined = 0

  constructor(
    parts: Pick<
      ImportRun,
      'deps' | 'options' | 'progress' | 'report' | 'spool' | 'kind' | 'source' | 'offset' | 'dumpHash'
    >,
  ) {
    this.deps = parts.deps
    this.options = parts.options
    this.progress = parts.progress
    this.report = parts.report
    this.spool = parts.spool
    this.kind = parts.kind
    this.source = parts.source
    this.dumpHash = parts.dumpHash
    this.offset = parts.offset
    this.platformScope = new Scope(parts.deps, { companyId: 0, wide: true })
    this.hasCompanies = parts.spool.count('companies') > 0
  }

  get dryRun(): boolean {
    return this.options.dryRun
  }

  now(): string {
    return this.deps.clock.now().toISOString()
  }

  /** Companies imported by earlier runs, by their id in the source. 0 means that the company was deleted since then. */
  async loadImportedCompanies(): Promise<Map<number, number>> {
    const { rows } = await sql<{ oldId: string; id: number }>`
      select m."oldId", case when t.id is null then 0 else m."newId" end as id
      from "movedRows" m left join companies t on t.id = m."newId"
      where m.source = ${this.source} and m.kind = 'company'`.execute(this.platformScope.db)
    return new Map(rows.map(({ oldId, id }) => [Number(oldId), id]))
  }

  /** Loads the ids imported by earlier runs. 0 means that the row was deleted since then: it is not imported again. */
  async loadImportedIds(): Promise<void> {
    for (const home of this.targetCompanies.values()) {
      if (home.id < 0 || home.isNew) continue
      for (const [kind, table] of Object.entries(tableByParent)) {
        const { rows } = await sql<{ oldId: string; id: number }>`
          select m."oldId", case when t.id is null then 0 else m."newId" end as id
          from "movedRows" m left join ${sql.table(table)} t on t."companyId" = m."companyId" and t.id = m."newId"
          where m."companyId" = ${home.id} and m.source = ${this.source} and m.kind = ${kind}`.execute(home.scope.db)
        const newIds = this.#of(kind as ParentKind, home)
        for (const { oldId, id } of rows) newIds.set(Number(oldId), id)
      }
    }
  }

  #of(kind: ParentKind, home: TargetCompany): Map<number, number> {
    const key = `${kind} ${home.oldId}`
    const found = this.#known.get(key)
    if (found) return found
    const made = new Map<number, number>()
    this.#known.set(key, made)
    return made
  }

  /** The imported id. Undefined: never imported. 0: imported, and deleted since then. */
  findImported(home: TargetCompany, kind: ParentKind, oldId: number | null): number | undefined {
    return oldId === null ? undefined : this.#of(kind, home).get(oldId)
  }

  /** The new id, or null. */
  newIdOf(home: TargetCompany, kind: ParentKind, oldId: number | null): number | null {
    return this.findImported(home, kind, oldId) || null
  }

  /** Maps another source id to an existing row, when two rows of the source become one. */
  mapId(home: TargetCompany, kind: ParentKind, oldId: number, id: number): void {
    this.#of(kind, home).set(oldId, id)
  }

  nextDryRunId(): number {
    return --this.#imagined
  }

  timestampCell(row: DumpRow, key: string): string | null {
    const ms = parseMomentMs(row[key], this.offset)
    return ms === null ? null : new Date(ms).toISOString()
  }

  /** The company of a row, if the row itself names it. */
  companyOf(row: DumpRow): TargetCompany | undefined {
    return this.targetCompanies.get(this.hasCompanies ? (intCell(row, 'companyId') ?? -1) : 0)
  }

  /** Skips a row whose parent was not imported. The skip is not reported if only one company was requested. */
  skipOrphan(kind: string, reason: string, id: unknown): void {
    if (this.options.company === null) this.report.countSkipped(kind, reason, id)
    else this.report.tallyOf(kind).found--
  }

  /** Filters the rows that no earlier run imported. */
  async filterNew<E extends { oldId: string | number }>(home: TargetCompany, kind: string, entries: E[]): Promise<E[]> {
    if (!entries.length || home.id < 0) return entries
    const { rows } = await sql<{ oldId: string }>`
      select "oldId" from "movedRows" where "companyId" = ${home.id} and source = ${this.source} and kind = ${kind}
        and "oldId" = any(${entries.map(({ oldId }) => String(oldId))}::text[])`.execute(home.scope.db)
    const importedIds = new Set(rows.map(({ oldId }) => oldId))
    this.report.tallyOf(kindNames[kind] ?? kind).there += importedIds.size
    return entries.filter(({ oldId }) => !importedIds.has(String(oldId)))
  }

  /**
   * Writes rows and their old ids in one transaction. If the database refuses a row, each row is tried alone, and the
   * refused rows are reported. `also` runs in the same transaction.
   */
  async writeEntries<T extends keyof DB, E extends ImportEntry<T>>(
    home: TargetCompany,
    kind: string,
    table: T,
    entries: E[],
    options: {
      returningColumn?: 'id' | null
      alsoWrite?: (scope: Scope, written: { entry: E; id: number }[]) => Promise<void>
    } = {},
  ): Promise<E[]> {
    if (!entries.length) return []
    const name = kindNames[kind] ?? kind
    if (this.dryRun) {
      for (const { oldId } of entries) this.#remember(home, kind, oldId, this.nextDryRunId())
      this.report.tallyOf(name).written += entries.length
      return entries
    }
    const { returningColumn = 'id', alsoWrite } = options
    const writeTogether = async (batch: E[]) => {
      const ids = await home.scope.transaction(async (tx) => {
        const rows = batch.map(({ row }) => ({ ...row, companyId: home.id }))
        const written = await insertRows(tx.db, table, rows as InsertValues<T>[], returningColumn)
        await insertRows(
          tx.db,
          'movedRows',
          batch.map(({ oldId }, i) => {
            return { companyId: home.id, source: this.source, kind, oldId: String(oldId), newId: written[i] ?? null }
          }),
          null,
        )
        await alsoWrite?.(
          tx,
          batch.map((entry, i) => ({ entry, id: written[i] ?? 0 })),
        )
        return written
      })
      for (const [i, { oldId }] of batch.entries()) this.#remember(home, kind, oldId, ids[i] ?? 0)
      this.report.tallyOf(name).written += batch.length
      return batch
    }
    try {
      return await writeTogether(entries)
    } catch (error) {
      if (!isConstraintError(error)) throw error
    }
    const done: E[] = []
    for (const entry of entries)
      try {
        done.push(...(await writeTogether([entry])))
      } catch (error) {
        if (!isConstraintError(error)) throw error
        this.report.countSkipped(name, describeRefusal(error), entry.oldId)
      }
    return done
  }

  #remember(home: TargetCompany, kind: string, oldId: string | number, id: number): void {
    if (isParent(kind)) this.#of(kind, home).set(Number(oldId), id)
  }

  /** Reads all rows of a table in batches, with progress; `work` gets the rows grouped by company. */
  async forEachBatch<R>(
    table: FamilyTableName,
    name: string,
    read: (row: DumpRow) => { home: TargetCompany; entry: R } | null,
    work: (home: TargetCompany, entries: R[]) => Promise<void>,
    size = 2000,
  ): Promise<void> {
    const { spool, progress, report } = this
    if (!spool.has(table)) return
    const tally = report.tallyOf(name)
    progress.begin(name, spool.count(table))
    for (let i = 0; i < spool.broken(table); i++) report.countSkipped(name, 'cannot be read', 'broken')
    tally.found += spool.broken(table)
    for await (const rows of spool.batches(table, size)) {
      const entriesByCompany = new Map<TargetCompany, R[]>()
      for (const row of rows) {
        tally.found++
        const found = read(row)
        if (!found) continue
        const batch = entriesByCompany.get(found.home)
        if (batch) batch.push(found.entry)
        else entriesByCompany.set(found.home, [found.entry])
      }
      for (const [home, entries] of entriesByCompany) await work(home, entries)
      progress.add(rows.length)
    }
    progress.end()
  }
}

/** Names of row kinds for the report, where they differ from the kind. */
const kindNames: Record<string, string> = {
  user: 'users',
  queue: 'queues',
  option: 'queue options',
  line: 'connections',
  tag: 'tags',
  contact: 'contacts',
  field: 'extra fields',
  quick: 'quick replies',
  ticket: 'tickets',
  ticketTag: 'tags on tickets',
  track: 'attendances',
  rating: 'ratings',
  note: 'notes',
  schedule: 'scheduled messages',
  list: 'contact lists',
  listItem: 'people of lists',
  campaign: 'campaigns',
  shipping: 'people of campaigns',
  userQueue: 'queues of users',
  lineQueue: 'queues of connections',
}

/** Whether the database refuses the row permanently (a constraint, a value out of range). */
export const isConstraintError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^2[23]/.test(String((error as { code: unknown }).code))
const describeRefusal = (error: unknown): string => {
  const { constraint, message } = error as Error & { constraint?: string }
  return constraint ? `refused by ${constraint}` : message
}
