import { settingKeys } from '@recado/contract/settings'
import { type RawBuilder, sql } from 'kysely'
import { inLine } from '../../kernel/data/locks.ts'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import type { JobHandlers } from '../../kernel/jobs.ts'
import { hourly, numbered, sides } from './cells.ts'
import {
  added,
  allFacts,
  amountOf,
  asColumns,
  columnList,
  columns,
  dayOf,
  hourOf,
  listed,
  names,
  partKinds,
  spreadKinds,
} from './facts.ts'
import { areSummed } from './read.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'figures:sum': Record<string, never>
  }
}

/** A cell's key: what its side does not tell is -1. */
const key = sql`grain, day, side, queue, person, line`
const sideOf = sql`
  ((1 - grouping(queue)) * ${sql.lit(sides.queue)} + (1 - grouping(person)) * ${sql.lit(sides.user)}
    + (1 - grouping(line)) * ${sql.lit(sides.line)})::smallint`
/** Rows by day, queue, person and line, added up for each side of each day and month. */
const cubed = (name: string, added: RawBuilder<unknown>, number?: RawBuilder<unknown>) => sql`
  select g.grain, g.day, ${sideOf} as side, coalesce(queue, -1) as queue, coalesce(person, -1) as person, coalesce(line, -1) as line,
    ${number ? sql`${number},` : sql``} ${added}
  from ${sql.ref(name)} r cross join lateral (values ('day', r.day), ('month', date_trunc('month', r.day)::date)) g (grain, day)
  group by g.grain, g.day, ${number ? sql`${number},` : sql``} cube (queue, person, line)`
const inOrder = (what: string) => sql`coalesce(array_agg(${sql.ref(what)} order by number), '{}')`

/** Arrays of a cell with what is new in them: numbers of which nothing is left are left out. */
const merged = (numbers: string, ...values: string[]) => {
  const names = values.map((_, place) => sql.ref(`v${place}`))
  const both = [numbers, ...values].map((name) => sql.ref(name))
  const of = (row: string) => sql`select * from unnest(${sql.join(both.map((name) => sql`${sql.ref(row)}.${name}`))})`
  return sql`(${sql.join(both)}) = (
    select ${inOrder('number')}, ${sql.join(values.map((_, place) => inOrder(`v${place}`)))}
    from (
      select number, ${sql.join(names.map((name) => sql`sum(${name})::bigint as ${name}`))}
      from (${of('figureCells')} union all ${of('excluded')}) u (number, ${sql.join(names)})
      group by number having ${sql.join(
        names.map((name) => sql`sum(${name}) <> 0`),
        sql` or `,
      )}) m)`
}

/**
 * Adds facts to the cells, all in one statement and so as of one moment: what is taken away as news is what is added, and
 * whoever leaves more meanwhile waits for nobody.
 */
const add = (scope: Scope, zone: string, facts: RawBuilder<unknown>) => sql`
  with gone as (delete from "figureNews" where "companyId" = ${scope.companyId}
    returning at, "queueId", "userId", "whatsappId", kind, value, n),
  f as materialized (
    select f.kind, f.value, f.n, ${dayOf(zone)} as day, ${hourOf(zone)} as hour,
      coalesce("queueId", 0) as queue, coalesce("userId", 0) as person, coalesce("whatsappId", 0) as line from ${facts} f),
  places as (
    select day, queue, person, line, ${added} from (select f.*, ${asColumns} from f where kind not in (${listed(partKinds)})) w
    group by day, queue, person, line),
  places_hours as (
    select day, queue, person, line, ${numbered.hour(sql`m.place`, sql`day`, sql`hour`)} as number, sum(m.v)::bigint as v0
    from f cross join lateral (values ${sql.join(
      hourly.map((name, place) => sql`(${sql.lit(place)}, ${sql.lit(columns[name].kind)}, ${amountOf(name)})`),
    )}) m (place, of, v) where m.of = f.kind group by 1, 2, 3, 4, 5),
  places_steps as (
    select day, queue, person, line, ${numbered.step(sql`kind`, sql`value`)} as number, sum(n)::bigint as v0,
      sum(n::bigint * value)::bigint as v1
    from f where kind in (${listed(spreadKinds)}) group by 1, 2, 3, 4, 5),
  places_parts as (
    select day, queue, person, line, ${numbered.part(sql`kind`, sql`value`)} as number, sum(n)::bigint as v0
    from f where kind in (${listed(partKinds)}) group by 1, 2, 3, 4, 5),
  sums as (${cubed('places', added)}),
  hours as (
    select ${key}, ${inOrder('number')} as hours, ${inOrder('v0')} as "hourSums"
    from (${cubed('places_hours', sql`sum(v0)::bigint as v0`, sql`number`)}) c where v0 <> 0 group by ${key}),
  steps as (
    select ${key}, ${inOrder('number')} as steps, ${inOrder('v0')} as "stepCounts", ${inOrder('v1')} as "stepSums"
    from (${cubed('places_steps', sql`sum(v0)::bigint as v0, sum(v1)::bigint as v1`, sql`number`)}) c
    where v0 <> 0 or v1 <> 0 group by ${key}),
  parts as (
    select ${key}, ${inOrder('number')} as parts, ${inOrder('v0')} as "partCounts"
    from (${cubed('places_parts', sql`sum(v0)::bigint as v0`, sql`number`)}) c where v0 <> 0 group by ${key})
  insert into "figureCells" ("companyId", grain, day, side, "queueId", "userId", "whatsappId", ${columnList},
    hours, "hourSums", steps, "stepCounts", "stepSums", parts, "partCounts")
  select ${scope.companyId}::int, ${key}, ${sql.join(names.map((name) => sql`coalesce(${sql.ref(name)}, 0)`))},
    ${sql.join(arrays.map((name) => sql`coalesce(${sql.ref(name)}, '{}')`))}
  from sums full join hours using (${key}) full join steps using (${key}) full join parts using (${key})
  on conflict ("companyId", side, grain, "queueId", "userId", "whatsappId", day) do update set
    ${sql.join(names.map((name) => sql`${sql.ref(name)} = "figureCells".${sql.ref(name)} + excluded.${sql.ref(name)}`))},
    ${merged('hours', 'hourSums')}, ${merged('steps', 'stepCounts', 'stepSums')}, ${merged('parts', 'partCounts')}`
const arrays = ['hours', 'hourSums', 'steps', 'stepCounts', 'stepSums', 'parts', 'partCounts']

/** Puts what is new into the cells. In another zone all days are others: they are made anew from all facts. */
export async function sumUp(outside: Scope, zone: string): Promise<void> {
  await outside.transaction(async (scope) => {
    await inLine(scope, 'figures')
    await sql`select set_config('recado.cells', 'known', true)`.execute(scope.db)
    // The sums of the release before miss what is taken here; without their zone it counts from the facts themselves.
    await sql`delete from "figureZones" where "companyId" = ${scope.companyId}`.execute(scope.db)
    if (await areSummed(scope, zone)) await add(scope, zone, sql`(select * from gone)`).execute(scope.db)
    else await makeAnew(scope, zone)
  })
}

async function makeAnew(scope: Scope, zone: string): Promise<void> {
  await sql`delete from "figureCells" where "companyId" = ${scope.companyId}`.execute(scope.db)
  await add(scope, zone, allFacts(scope)).execute(scope.db)
  await scope.db
    .insertInto('figureCalendars')
    .values({ companyId: scope.companyId, zone })
    .onConflict((c) => c.column('companyId').doUpdateSet({ zone }))
    .execute()
}

/** Companies of which something is to be added up. */
async function due({ db }: Scope): Promise<{ id: number; zone: string }[]> {
  const zone = sql`coalesce(s.value, ${settingKeys.timezone.default})`
  const { rows } = await sql<{ id: number; zone: string }>`
    select c.id, ${zone} as zone from companies c
    left join settings s on s."companyId" = c.id and s.key = 'timezone'
    left join "figureCalendars" z on z."companyId" = c.id
    where z.zone is distinct from ${zone} or exists (select from "figureNews" n where n."companyId" = c.id)
    order by c.id`.execute(db)
  return rows
}

/** Every minute, in one process. What is not added up yet is counted all the same: readers add it themselves. */
export function figureJobs(means: Means): Pick<JobHandlers, 'figures:sum'> {
  return {
    'figures:sum': async () => {
      for (const { id: companyId, zone } of await due(new Scope(means, { companyId: 0, wide: true })))
        await sumUp(new Scope(means, { companyId }), zone)
    },
  }
}
