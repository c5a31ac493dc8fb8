import { settingDefinitions } from '@recado/contract/settings'
import { type RawBuilder, sql } from 'kysely'
import { lockInCompany, tryLockInCompany } from '../../kernel/data/advisory-locks.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { forEachCollectErrors, type JobHandlers } from '../../kernel/jobs.ts'
import { dimensionBits, hourlyMeasures, slotNumberSql } from './cells.ts'
import { hasSums } from './read.ts'
import {
  addedColumnsSql,
  allFactsSql,
  allTagFactsSql,
  amountSql,
  dayOfFactSql,
  factAsColumnsSql,
  histogramKinds,
  hourOfFactSql,
  literalListSql,
  partKinds,
  sumColumnList,
  sumColumnNames,
  sumColumns,
} from './report-sql.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'figures:sum': Record<string, never>
  }
}

const dimensionSql = sql`
  ((1 - grouping(queue)) * ${sql.lit(dimensionBits.queue)} + (1 - grouping(person)) * ${sql.lit(dimensionBits.user)}
    + (1 - grouping(line)) * ${sql.lit(dimensionBits.line)})::smallint`
/** Sums the rows by tag, day, queue, agent and line, for each dimension of each day and month. */
const cubeSql = ({ daySides }: CellKind, name: string, added: RawBuilder<unknown>, number?: RawBuilder<unknown>) => {
  const numbered = number ? sql`${number}, ` : sql``
  const places = sql`${dimensionSql} as side, coalesce(queue, -1) as queue, coalesce(person, -1) as person, coalesce(line, -1) as line`
  return sql`
  select tag, 'day' as grain, day, ${places}, ${numbered}${added}
  from ${sql.ref(name)} group by tag, day, ${numbered}${daySides}
  union all
  select tag, 'month', month, ${places}, ${numbered}${added}
  from (
    select tag, date_trunc('month', day)::date as month, queue, person, line, ${numbered}${added}
    from ${sql.ref(name)} group by tag, month, ${numbered}queue, person, line) m
  group by tag, month, ${numbered}cube (queue, person, line)`
}
const aggregateInOrder = (what: string) => sql`coalesce(array_agg(${sql.ref(what)} order by number), '{}')`

/** Merges new values into the arrays of a cell and drops entries that became zero. */
const mergeArraysSql = ({ cells }: CellKind, numbers: string, ...values: string[]) => {
  const names = values.map((_, place) => sql.ref(`v${place}`))
  const both = [numbers, ...values].map((name) => sql.ref(name))
  const of = (row: string) => sql`select * from unnest(${sql.join(both.map((name) => sql`${sql.ref(row)}.${name}`))})`
  return sql`(${sql.join(both)}) = (
    select ${aggregateInOrder('number')}, ${sql.join(values.map((_, place) => aggregateInOrder(`v${place}`)))}
    from (
      select number, ${sql.join(names.map((name) => sql`sum(${name})::bigint as ${name}`))}
      from (${of(cells)} union all ${of('excluded')}) u (number, ${sql.join(names)})
      group by number having ${sql.join(
        names.map((name) => sql`sum(${name}) <> 0`),
        sql` or `,
      )}) m)`
}

/** The two kinds of sums: overall, and per tag. Events without a tag get tag 0 while they are summed. */
type CellKind = {
  cells: 'figureCells' | 'figureTagCells'
  insert: RawBuilder<unknown>
  takeNews: RawBuilder<unknown>
  /** The changes that were taken from the queue. */
  taken: RawBuilder<unknown>
  /** The tag of a counted event. */
  tag: RawBuilder<unknown>
  /** The dimensions stored per day (`dimensionsOfTagDays`); a month has all of them. */
  daySides: RawBuilder<unknown>
}
const allCells: CellKind = {
  ...{ cells: 'figureCells', insert: sql`insert into "figureCells"`, takeNews: sql`delete from "figureNews"` },
  ...{ taken: sql`(select * from gone)`, tag: sql`0`, daySides: sql`cube (queue, person, line)` },
}
const tagCells: CellKind = {
  ...{ cells: 'figureTagCells', insert: sql`insert into "figureTagCells"`, takeNews: sql`delete from "figureTagNews"` },
  ...{ taken: sql`(select g."tagId", f.*, g.n from gone g cross join lateral unnest(g.facts) f)`, tag: sql`f."tagId"` },
  daySides: sql`grouping sets ((), (queue), (person), (line), (queue, person, line))`,
}
/** The columns that identify a cell; dimensions that the cell does not use are -1. */
const cellKey = sql`tag, grain, day, side, queue, person, line`

/**
 * Adds events to the sums in one statement, and so in one snapshot: exactly the changes that are removed from the queue
 * are added, and concurrent writers do not wait.
 */
const addFactsToCells = (scope: Scope, zone: string, kind: CellKind, news: RawBuilder<unknown>, facts = kind.taken) => {
  const place = sql`tag, day, queue, person, line`
  const only = (text: RawBuilder<unknown>) => (kind === tagCells ? text : sql``)
  return sql`
  with gone as (${kind.takeNews} where "companyId" = ${scope.companyId} and ${news} returning *),
  f as materialized (
    select ${kind.tag} as tag, f.kind, f.value, f.n, ${dayOfFactSql(zone)} as day, ${hourOfFactSql(zone)} as hour,
      coalesce(f."queueId", 0) as queue, coalesce(f."userId", 0) as person, coalesce(f."whatsappId", 0) as line from ${facts} f),
  places as (
    select ${place}, ${addedColumnsSql} from (select f.*, ${factAsColumnsSql} from f where kind not in (${literalListSql(partKinds)})) w
    group by ${place}),
  places_hours as (
    select ${place}, ${slotNumberSql.hour(sql`m.place`, sql`day`, sql`hour`)} as number, sum(m.v)::bigint as v0
    from f cross join lateral (values ${sql.join(
      hourlyMeasures.map((name, n) => sql`(${sql.lit(n)}, ${sql.lit(sumColumns[name].kind)}, ${amountSql(name)})`),
    )}) m (place, of, v) where m.of = f.kind group by ${place}, number),
  places_steps as (
    select ${place}, ${slotNumberSql.step(sql`kind`, sql`value`)} as number, sum(n)::bigint as v0,
      sum(n::bigint * value)::bigint as v1
    from f where kind in (${literalListSql(histogramKinds)}) group by ${place}, number),
  places_parts as (
    select ${place}, ${slotNumberSql.part(sql`kind`, sql`value`)} as number, sum(n)::bigint as v0
    from f where kind in (${literalListSql(partKinds)}) group by ${place}, number),
  sums as (${cubeSql(kind, 'places', addedColumnsSql)}),
  hours as (
    select ${cellKey}, ${aggregateInOrder('number')} as hours, ${aggregateInOrder('v0')} as "hourSums"
    from (${cubeSql(kind, 'places_hours', sql`sum(v0)::bigint as v0`, sql`number`)}) c where v0 <> 0 group by ${cellKey}),
  steps as (
    select ${cellKey}, ${aggregateInOrder('number')} as steps, ${aggregateInOrder('v0')} as "stepCounts", ${aggregateInOrder('v1')} as "stepSums"
    from (${cubeSql(kind, 'places_steps', sql`sum(v0)::bigint as v0, sum(v1)::bigint as v1`, sql`number`)}) c
    where v0 <> 0 or v1 <> 0 group by ${cellKey}),
  parts as (
    select ${cellKey}, ${aggregateInOrder('number')} as parts, ${aggregateInOrder('v0')} as "partCounts"
    from (${cubeSql(kind, 'places_parts', sql`sum(v0)::bigint as v0`, sql`number`)}) c where v0 <> 0 group by ${cellKey})
  ${kind.insert} ("companyId", ${only(sql`"tagId", `)}grain, day, side, "queueId", "userId", "whatsappId", ${sumColumnList},
    ${sql.join(arrayColumns.map((name) => sql.ref(name)))})
  select ${scope.companyId}::int, ${only(sql`tag, `)}grain, day, side, queue, person, line,
    ${sql.join(sumColumnNames.map((name) => sql`coalesce(${sql.ref(name)}, 0)`))},
    ${sql.join(arrayColumns.map((name) => sql`coalesce(${sql.ref(name)}, '{}')`))}
  from sums full join hours using (${cellKey}) full join steps using (${cellKey}) full join parts using (${cellKey})
  on conflict ("companyId", ${only(sql`"tagId", `)}side, grain, "queueId", "userId", "whatsappId", day) do update set
    ${sql.join(sumColumnNames.map((name) => sql`${sql.ref(name)} = ${sql.ref(kind.cells)}.${sql.ref(name)} + excluded.${sql.ref(name)}`))},
    ${mergeArraysSql(kind, 'hours', 'hourSums')}, ${mergeArraysSql(kind, 'steps', 'stepCounts', 'stepSums')}, ${mergeArraysSql(kind, 'parts', 'partCounts')}`
}
const arrayColumns = ['hours', 'hourSums', 'steps', 'stepCounts', 'stepSums', 'parts', 'partCounts']

/**
 * Adds recent changes to the sums. A new time zone changes all days, so the sums are rebuilt from all events; the sums
 * of each tag are rebuilt in a separate transaction. Without `waits`, a company that another process is working on is
 * skipped.
 */
export async function updateSums(outside: Scope, zone: string, waits = true): Promise<void> {
  const alone = (work: (scope: Scope) => Promise<void>) =>
    outside.transaction(async (scope) => {
      if (waits) await lockInCompany(scope, 'figures')
      else if (!(await tryLockInCompany(scope, 'figures'))) return
      await work(scope)
    })
  await alone((scope) => updateAllSums(scope, zone))
  await alone((scope) => updateTagSums(scope, zone))
  for (const tagId of await tagsWithoutSums(outside, zone)) await alone((scope) => buildTagSums(scope, zone, tagId))
}

async function updateAllSums(scope: Scope, zone: string): Promise<void> {
  const { companyId, db } = scope
  if (await hasSums(scope, { zone, tagId: null }))
    return void (await addFactsToCells(scope, zone, allCells, sql`true`).execute(db))
  await raiseWorkMem(scope)
  await sql`delete from "figureCells" where "companyId" = ${companyId}`.execute(db)
  await addFactsToCells(scope, zone, allCells, sql`true`, allFactsSql(scope)).execute(db)
  await db
    .insertInto('figureCalendars')
    .values({ companyId, zone, contacts: true })
    .onConflict((c) => c.column('companyId').doUpdateSet({ zone, contacts: true }))
    .execute()
}

/** Adds changes of tags that already have sums; the sums of other tags are built from all events. */
async function updateTagSums(scope: Scope, zone: string): Promise<void> {
  const made = sql`"tagId" in (
    select c."tagId" from "figureTagCalendars" c where c."companyId" = ${scope.companyId} and c.zone = ${zone})`
  await addFactsToCells(scope, zone, tagCells, made).execute(scope.db)
}

const hasNoTagSumsSql = (zone: RawBuilder<unknown>) => sql`not exists (
  select from "figureTagCalendars" z where z."companyId" = t."companyId" and z."tagId" = t.id and z.zone = ${zone})`

async function tagsWithoutSums(scope: Scope, zone: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from tags t where t."companyId" = ${scope.companyId} and ${hasNoTagSumsSql(sql`${zone}`)} order by t.id`.execute(
    scope.db,
  )
  return rows.map(({ id }) => id)
}

async function buildTagSums(scope: Scope, zone: string, tagId: number): Promise<void> {
  const { companyId, db } = scope
  // Locks the tag until its sums are written, and checks that no other process has built them meanwhile.
  const tag = await sql`
    select from tags t where t."companyId" = ${companyId} and t.id = ${tagId} and ${hasNoTagSumsSql(sql`${zone}`)} for key share`.execute(
    db,
  )
  if (!tag.rows.length) return
  await raiseWorkMem(scope)
  await sql`delete from "figureTagCells" where "companyId" = ${companyId} and "tagId" = ${tagId}`.execute(db)
  await addFactsToCells(scope, zone, tagCells, sql`"tagId" = ${tagId}`, allTagFactsSql(scope, tagId)).execute(db)
  await db
    .insertInto('figureTagCalendars')
    .values({ companyId, tagId, zone })
    .onConflict((c) => c.columns(['companyId', 'tagId']).doUpdateSet({ zone }))
    .execute()
}

/**
 * Raises the memory for sorting: building sorts millions of rows several times, and sorting on disk takes twice as
 * long.
 */
const raiseWorkMem = (scope: Scope) => sql`select set_config('work_mem', '64MB', true)`.execute(scope.db)

/** Companies with changes to sum. */
async function companiesWithPendingSums({ db }: Scope): Promise<{ id: number; zone: string }[]> {
  const zone = sql`coalesce(s.value, ${settingDefinitions.timezone.default})`
  const { rows } = await sql<{ id: number; zone: string }>`
    select c.id, ${zone} as zone from companies c
    left join settings s on s."companyId" = c.id and s.key = 'timezone'
    left join "figureCalendars" z on z."companyId" = c.id and z.contacts
    where z.zone is distinct from ${zone} or exists (select from "figureNews" n where n."companyId" = c.id)
      or exists (select from "figureTagNews" n where n."companyId" = c.id)
      or exists (select from tags t where t."companyId" = c.id and ${hasNoTagSumsSql(zone)})
    order by c.id`.execute(db)
  return rows
}

/**
 * Runs every minute in one process. Reports are always complete, because readers add the changes that are not in the
 * sums yet.
 */
export function reportJobs(deps: Deps): Pick<JobHandlers, 'figures:sum'> {
  return {
    'figures:sum': async () => {
      // Skips companies that another run rebuilds: a rebuild takes minutes, and a waiting run each minute would use up
      // all connections.
      await forEachCollectErrors(
        await companiesWithPendingSums(new Scope(deps, { companyId: 0, wide: true })),
        ({ id: companyId, zone }) => updateSums(new Scope(deps, { companyId }), zone, false),
      )
    },
  }
}
