import type { LinePace } from '@recado/contract/connections'
import { providersWithTrait } from '@recado/contract/line-traits'
import { sql } from 'kysely'
import { loadCompanyTimeZone } from '../../accounts/settings.ts'
import { addDays, addMs, days, hours, toCalendarDay } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { PaceCounts } from './daily-allowance.ts'

/** The allowance depends on this many days before today. */
const judgedDays = 7
/** For this many days it is watched what becomes of a message. */
const watchedDays = 3
/** Sent messages are kept a day longer than they are watched. */
export const sendsKeptDays = watchedDays + 1
const daysKept = 30
const shownDays = 14
/** The outcome is counted again after this time. */
const recountMs = hours(1)
/** A line without a limit may send any number: only the newest are counted. A line in mode `auto` never sends as many. */
const maxCountedSends = 3000

export const noPaceCounts: PaceCounts = { written: 0, delivered: 0, read: 0, answered: 0, refused: 0, stopped: 0 }

const loadToday = async (scope: Scope) => toCalendarDay(scope.now(), await loadCompanyTimeZone(scope))

/** Counts anew what became of the people that the line wrote to first within the last days. Counts only grow. */
export async function countPaceDays(scope: Scope, whatsappId: number): Promise<void> {
  const { companyId } = scope
  const now = scope.now()
  const zone = await loadCompanyTimeZone(scope)
  const today = toCalendarDay(now, zone)
  await sql`
    with sends as (
      select * from "lineSends" where "companyId" = ${companyId} and "whatsappId" = ${whatsappId} and "sentAt" > ${addMs(now, -days(watchedDays))}
      order by "sentAt" desc limit ${maxCountedSends}
    ), people as (
      select (s."sentAt" at time zone ${zone})::date as day, bool_or(m.ack >= 3 or a.answered) as delivered,
        bool_or(m.ack >= 4 or a.answered) as read, bool_or(a.answered) as answered
      from sends s left join messages m on m."companyId" = s."companyId" and m.id = s."messageId"
      cross join lateral (select m.id is not null and exists (
        select from messages i where i."companyId" = m."companyId" and i."contactId" = m."contactId" and i."whatsappId" = m."whatsappId"
          and i."createdAt" >= s."sentAt" and not i."fromMe") as answered) a
      group by 1, coalesce(s."contactId", -s.id)
    ), counted as (
      select day, count(*)::int as written, (count(*) filter (where delivered))::int as delivered,
        (count(*) filter (where read))::int as read, (count(*) filter (where answered))::int as answered from people group by day
      union all select ${today}::date, 0, 0, 0, 0
    )
    insert into "linePaceDays" as d ("companyId", "whatsappId", day, written, delivered, read, answered, "countedAt")
    select ${companyId}::int, ${whatsappId}::int, day, sum(written), sum(delivered), sum(read), sum(answered), ${now} from counted group by day order by day
    on conflict ("companyId", "whatsappId", day) do update set written = greatest(d.written, excluded.written),
      delivered = greatest(d.delivered, excluded.delivered), read = greatest(d.read, excluded.read),
      answered = greatest(d.answered, excluded.answered), "countedAt" = excluded."countedAt"`.execute(scope.db)
  await sql`
    delete from "linePaceDays" where "companyId" = ${companyId} and "whatsappId" = ${whatsappId}
      and day < ${addDays(today, -daysKept)}::date`.execute(scope.db)
}

/**
 * What counts for today's allowance: the outcome of the days before, and refusals and stops of today. `isStale`: the
 * outcome must be counted again.
 */
export async function readPaceDays(
  scope: Scope,
  whatsappId: number,
): Promise<{ counts: PaceCounts; isStale: boolean }> {
  const today = await loadToday(scope)
  const before = (column: keyof PaceCounts) =>
    sql`coalesce(sum(${sql.ref(column)}) filter (where day < ${today}::date), 0)::int as ${sql.ref(column)}`
  const { rows } = await sql<PaceCounts & { countedAt: string | null }>`
    select ${before('written')}, ${before('delivered')}, ${before('read')}, ${before('answered')},
      coalesce(sum(refused), 0)::int as refused, coalesce(sum(stopped), 0)::int as stopped,
      max("countedAt") filter (where day = ${today}::date) as "countedAt"
    from "linePaceDays" where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId}
      and day between ${addDays(today, -judgedDays)}::date and ${today}::date`.execute(scope.db)
  const { countedAt, ...counts } = { countedAt: null, ...noPaceCounts, ...rows[0] }
  const isStale = countedAt === null || Date.parse(countedAt) < scope.now().getTime() - recountMs
  return { counts, isStale }
}

/** Stores today's allowance for the chart. */
export async function storeAllowance(scope: Scope, whatsappId: number, allowed: number | null): Promise<void> {
  await sql`
    update "linePaceDays" set allowed = ${allowed} where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId}
      and day = ${await loadToday(scope)}::date and allowed is distinct from ${allowed}::int`.execute(scope.db)
}

/** Counts a refusal of WhatsApp or a person who wants no more messages. Lines that have no pace are ignored. */
export async function countPaceSetback(scope: Scope, whatsappId: number, kind: 'refused' | 'stopped'): Promise<void> {
  await sql`
    insert into "linePaceDays" as d ("companyId", "whatsappId", day, ${sql.ref(kind)})
    select "companyId", id, ${await loadToday(scope)}::date, 1 from whatsapps
    where "companyId" = ${scope.companyId} and id = ${whatsappId} and provider = any(${providersWithTrait('paced')}::text[])
    on conflict ("companyId", "whatsappId", day) do update set ${sql.ref(kind)} = d.${sql.ref(kind)} + 1`.execute(
    scope.db,
  )
}

/** The last days, oldest first; days without any row are filled. */
export async function listPaceDays(scope: Scope, whatsappId: number): Promise<LinePace['days']> {
  const today = await loadToday(scope)
  const { rows } = await sql<LinePace['days'][number]>`
    select to_char(n, 'YYYY-MM-DD') as day, coalesce(d.written, 0) as written, d.allowed
    from generate_series(${addDays(today, 1 - shownDays)}::date, ${today}::date, interval '1 day') n
    left join "linePaceDays" d on d."companyId" = ${scope.companyId} and d."whatsappId" = ${whatsappId} and d.day = n::date
    order by n`.execute(scope.db)
  return rows
}
