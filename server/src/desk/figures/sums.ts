import { settingKeys } from '@recado/contract/settings'
import { type RawBuilder, sql } from 'kysely'
import { inLine } from '../../kernel/data/locks.ts'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import type { JobHandlers } from '../../kernel/jobs.ts'
import {
  added,
  allFacts,
  asColumns,
  columnList,
  dayOf,
  hourOf,
  listed,
  partKinds,
  spreadKinds,
  together,
} from './facts.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'figures:sum': Record<string, never>
  }
}

/**
 * Adds facts to the sums, all in one statement and so as of one moment: what is taken away as news is what is added, and
 * whoever leaves more meanwhile waits for nobody.
 */
const add = (scope: Scope, zone: string, facts: RawBuilder<unknown>) => sql`
  with gone as (delete from "figureNews" where "companyId" = ${scope.companyId}
    returning at, "queueId", "userId", "whatsappId", kind, value, n),
  f as materialized (
    select f.*, ${dayOf(zone)} as day, ${hourOf(zone)} as hour,
      coalesce("queueId", 0) as queue, coalesce("userId", 0) as person, coalesce("whatsappId", 0) as line from ${facts} f),
  wide as (
    select g.hour, f.day, f.queue, case when g.hour < 0 then f.person else -1 end as person, f.line, ${asColumns}
    from f cross join lateral (values (-1::smallint), (f.hour)) g (hour) where f.kind not in (${listed(partKinds)})),
  summed as (
    insert into figures ("companyId", hour, day, "queueId", "userId", "whatsappId", ${columnList})
    select ${scope.companyId}::int, hour, day, queue, person, line, ${added} from wide group by hour, day, queue, person, line
    on conflict ("companyId", hour, day, "queueId", "userId", "whatsappId") do update set ${together}),
  parts as (
    insert into "figureParts" ("companyId", kind, day, "partId", "queueId", "whatsappId", n)
    select ${scope.companyId}::int, kind, day, value, queue, line, sum(n) from f
    where kind in (${listed(partKinds)}) group by kind, day, value, queue, line
    on conflict ("companyId", kind, day, "partId", "queueId", "whatsappId") do update set n = "figureParts".n + excluded.n)
  insert into "figureSpread" ("companyId", side, kind, day, "sideId", step, n, seconds)
  select ${scope.companyId}::int, s.side, f.kind, f.day, s.id, step_of(f.value), sum(f.n), sum(f.n::bigint * f.value)
  from f cross join lateral (values ('all', 0), ('queue', f.queue), ('user', f.person), ('line', f.line)) s (side, id)
  where f.kind in (${listed(spreadKinds)}) group by s.side, f.kind, f.day, s.id, step_of(f.value)
  on conflict ("companyId", side, kind, day, "sideId", step)
    do update set n = "figureSpread".n + excluded.n, seconds = "figureSpread".seconds + excluded.seconds`

/** Puts what is new into the sums. In another zone all days are others: they are made anew from all facts. */
export async function sumUp(outside: Scope, zone: string): Promise<void> {
  await outside.transaction(async (scope) => {
    await inLine(scope, 'figures')
    const kept = await scope.db
      .selectFrom('figureZones')
      .select('zone')
      .where('companyId', '=', scope.companyId)
      .executeTakeFirst()
    if (kept?.zone === zone) await add(scope, zone, sql`(select * from gone)`).execute(scope.db)
    else await makeAnew(scope, zone)
  })
}

async function makeAnew(scope: Scope, zone: string): Promise<void> {
  await sql`delete from figures where "companyId" = ${scope.companyId}`.execute(scope.db)
  await sql`delete from "figureSpread" where "companyId" = ${scope.companyId}`.execute(scope.db)
  await sql`delete from "figureParts" where "companyId" = ${scope.companyId}`.execute(scope.db)
  await add(scope, zone, allFacts(scope)).execute(scope.db)
  await scope.db
    .insertInto('figureZones')
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
    left join "figureZones" z on z."companyId" = c.id
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
