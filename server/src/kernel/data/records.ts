import type { RecordDefinition } from '@recado/contract/endpoint'
import type { ErrorCode } from '@recado/contract/errors'
import { fold } from '@recado/contract/text/fold'
import type { RecordTopic } from '@recado/contract/topic'
import { type Selectable, sql } from 'kysely'
import { AppError, translateConstraintErrors } from '../errors.ts'
import type { Audience } from '../live/live-updates.ts'
import type { Scope } from './scope.ts'
import type { DB } from './tables.ts'

export const recordsPerPage = 20

// The only place where a table name is a variable; Kysely cannot type that, so rows are cast here.
// biome-ignore lint/suspicious/noExplicitAny: see above
type UntypedQuery = any

type ReadOptions<Stored> = {
  /** Platform rows have no company; `with-files`: they have a company only to decide which folder holds their file. */
  platform?: true | 'with-files'
  /** A further condition on visibility within the company, added to every select. */
  visible?: (scope: Scope, query: UntypedQuery) => UntypedQuery
  /** Maps the name of a constraint to an error code. */
  conflicts?: Record<string, ErrorCode>
  /** Who gets events of a row; default: the whole company. */
  audience?: (scope: Scope, row: Stored) => Audience
}
/**
 * Converts stored rows to the output shape: adds computed fields for this scope. Not needed if the table has all
 * fields.
 */
type Present<Stored, Row> = (scope: Scope, rows: Stored[]) => Promise<Row[]> | Row[]
type WithPresent<Stored, Row> = { present: Present<Stored, Row> }
type Options<Stored, Row> = ReadOptions<Stored> &
  ([Stored] extends [Row] ? Partial<WithPresent<Stored, Row>> : WithPresent<Stored, Row>)
type OptionalArgument<O> = Record<never, never> extends O ? [o?: O] : [o: O]

export type ListQuery = { searchParam: string; pageNumber?: number | undefined }
export const likePattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/**
 * A limit for lists that are always read as a whole, larger than any company needs: reading an unlimited list could
 * stop the server.
 */
export async function assertBelowRowLimit(
  s: Scope,
  table: 'tags' | 'quickMessages' | 'skills',
  maxRows: number,
): Promise<void> {
  const { rows } = await sql<{ there: number }>`
    select count(*)::int as there from (
      select from ${sql.table(table)} where "companyId" = ${s.companyId} limit ${maxRows}) t`.execute(s.db)
  if ((rows[0]?.there ?? 0) >= maxRows) throw new AppError('ERR_LIST_FULL')
}

/** Reads the rows of one table: page, all, find. `lockRow` and `findRow` are for callers that go on to write. */
export function makeRecordReader<T extends keyof DB, Row extends { id: number }>(
  table: T,
  definition: RecordDefinition<ErrorCode>,
  ...[options]: OptionalArgument<Options<Selectable<DB[T]>, Row>>
) {
  type Stored = Selectable<DB[T]>
  const o = (options ?? {}) as ReadOptions<Stored> & Partial<WithPresent<Stored, Row>>
  const { search, newestFirst, missing } = definition
  const visibleRows = (s: Scope) => {
    const all = (s.db as UntypedQuery).selectFrom(table).selectAll(table)
    const mine = o.platform ? all : all.where(`${table}.companyId`, '=', s.companyId)
    return o.visible ? o.visible(s, mine) : mine
  }
  const present = async (s: Scope, rows: Stored[]): Promise<Row[]> =>
    o.present ? o.present(s, rows) : (rows as unknown as Row[])

  const one = (s: Scope, id: number) => visibleRows(s).where(`${table}.id`, '=', id)
  const requireRow = (row: Stored | undefined): Stored => {
    if (!row) throw new AppError(missing)
    return row
  }
  const findRow = async (s: Scope, id: number): Promise<Stored> => requireRow(await one(s, id).executeTakeFirst())
  /** Reads the row and locks it until the transaction ends. */
  const lockRow = async (s: Scope, id: number): Promise<Stored> =>
    requireRow(await one(s, id).forNoKeyUpdate().executeTakeFirst())
  async function presentRow(s: Scope, row: Stored): Promise<Row> {
    return (await present(s, [row]))[0] as Row
  }
  function matching(s: Scope, searchParam: string) {
    if (!searchParam) return visibleRows(s)
    // The search ignores accents and case, as in tickets and contacts. A company's records are few enough to scan.
    const pattern = likePattern(fold(searchParam))
    return visibleRows(s).where((eb: UntypedQuery) =>
      eb.or(search.map((column) => sql<boolean>`fold(${sql.ref(`${table}.${column}`)}) like ${pattern}`)),
    )
  }
  // Rows are sorted by id, not by time: browsers sort events by id, and two rows can have the same time.
  const ordered = (query: UntypedQuery) =>
    newestFirst
      ? query.orderBy(`${table}.id`, 'desc')
      : query.orderBy(sql`lower(${sql.ref(`${table}.${search[0]}`)}) collate "C"`).orderBy(`${table}.id`)

  return {
    findRow: findRow,
    lockRow: lockRow,
    presentRow: presentRow,
    find: async (s: Scope, id: number): Promise<Row> => presentRow(s, await findRow(s, id)),

    /** One page; without a page number the whole list, for the selects of older clients. */
    async page(
      s: Scope,
      { searchParam, pageNumber }: ListQuery,
    ): Promise<{ rows: Row[]; count: number; hasMore: boolean }> {
      const query = matching(s, searchParam)
      const { count } = await query
        .clearSelect()
        .select((eb: UntypedQuery) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      const offset = ((pageNumber ?? 1) - 1) * recordsPerPage
      const list = ordered(query)
      const rows = await (pageNumber === undefined ? list : list.limit(recordsPerPage).offset(offset)).execute()
      return { rows: await present(s, rows), count, hasMore: offset + rows.length < count }
    },
    listAll: async (s: Scope, searchParam = ''): Promise<Row[]> =>
      present(s, await ordered(matching(s, searchParam)).execute()),
  }
}

/** The reader plus create, update and remove, each published to its audience. A module may replace some of them. */
export function makeRecords<T extends keyof DB, Row extends { id: number }>(
  table: T,
  api: { topic: RecordTopic<Row>; record: RecordDefinition<ErrorCode> },
  ...options: OptionalArgument<Options<Selectable<DB[T]>, Row>>
) {
  type Stored = Selectable<DB[T]>
  const o: ReadOptions<Stored> = options[0] ?? {}
  const rows = makeRecordReader<T, Row>(table, api.record, ...options)
  const audience = (s: Scope, row: Stored): Audience =>
    o.audience?.(s, row) ?? (o.platform ? { everyone: true } : { company: s.companyId })
  return {
    ...rows,
    audience,
    async create(s: Scope, values: object): Promise<Row> {
      const company = o.platform === true ? {} : { companyId: s.companyId }
      const row: Stored = await translateConstraintErrors(o.conflicts ?? {}, () =>
        (s.db as UntypedQuery)
          .insertInto(table)
          .values({ ...values, ...company })
          .returningAll()
          .executeTakeFirstOrThrow(),
      )
      const record = await rows.presentRow(s, row)
      s.publish(api.topic, { action: 'create', row: record }, audience(s, row))
      return record
    },
    async update(s: Scope, id: number, values: object): Promise<Row> {
      await rows.lockRow(s, id)
      const row: Stored = await translateConstraintErrors(o.conflicts ?? {}, () => {
        const change = (s.db as UntypedQuery).updateTable(table).set(values).where('id', '=', id)
        return (o.platform ? change : change.where('companyId', '=', s.companyId))
          .returningAll()
          .executeTakeFirstOrThrow()
      })
      const record = await rows.presentRow(s, row)
      s.publish(api.topic, { action: 'update', row: record }, audience(s, row))
      return record
    },
    async remove(s: Scope, id: number): Promise<Stored> {
      const row = await rows.lockRow(s, id)
      const gone = (s.db as UntypedQuery).deleteFrom(table).where('id', '=', id)
      await (o.platform ? gone : gone.where('companyId', '=', s.companyId)).execute()
      s.publish(api.topic, { action: 'delete', id }, audience(s, row))
      return row
    },
  }
}
