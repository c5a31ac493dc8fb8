import { type Pacing, pacedReasons } from '@recado/contract/connections'
import { traits } from '@recado/contract/traits'
import { type Selectable, sql } from 'kysely'
import { days, later, minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'

/** What an old line does in a minute by itself; people who write by hand stay far below. */
const usualPerMinute = 20
/** A new number begins with so many a day, and half as many more each day. */
const firstDay = 50
const growth = 1.5
/** By then a number has a past, and no cap of ours. */
const grownUp = 10

type LineRow = Selectable<DB['whatsapps']>
type Settings = Pick<LineRow, 'paceMode' | 'pacePerMinute' | 'paceDailyCap' | 'linkedSince' | 'createdAt'>
export type Limits = { perMinute: number | null; dailyCap: number | null; age: number }

/** What a line may do now. */
export function limitsOf(line: Settings, now: Date): Limits {
  const since = Date.parse(line.linkedSince ?? line.createdAt)
  const age = Math.max(0, Math.floor((now.getTime() - since) / days(1)))
  if (line.paceMode === 'off') return { perMinute: null, dailyCap: null, age }
  if (line.paceMode === 'own') return { perMinute: line.pacePerMinute, dailyCap: line.paceDailyCap, age }
  const cap = Math.floor((firstDay * growth ** age) / 10) * 10
  return { perMinute: usualPerMinute, dailyCap: age < grownUp ? cap : null, age }
}

type Turn = { sentToday: number; nextAt: Date | null; why: (typeof pacedReasons)[number] }

/** When the next one may leave: null means now. Counted in the database, so that nobody forgets it. */
export async function turnOf(scope: Scope, whatsappId: number, { perMinute, dailyCap }: Limits): Promise<Turn> {
  const now = scope.now()
  const nth = (n: number | null) =>
    n === null
      ? sql`null`
      : sql`(select "sentAt" from sends order by "sentAt" desc offset ${Math.max(0, n - 1)} limit 1)`
  const { rows } = await sql<{ today: number; gap: string | null; minute: string | null; day: string | null }>`
    with sends as (
      select "sentAt", "nextAt" from "lineSends"
      where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} and "sentAt" > ${later(now, -days(1))}
    )
    select count(*)::int as today, max("nextAt") as gap, ${nth(perMinute)} as minute, ${nth(dailyCap)} as day from sends
  `.execute(scope.db)
  const { today = 0, gap = null, minute = null, day = null } = rows[0] ?? {}
  const after = (moment: string | null, ms: number) => (moment === null ? 0 : Date.parse(moment) + ms)
  const tomorrow = after(day, days(1))
  const soon = perMinute === null ? 0 : Math.max(after(gap, 0), after(minute, minutes(1)))
  const next = Math.max(tomorrow, soon)
  const nextAt = next > now.getTime() ? new Date(next) : null
  return { sentToday: today, nextAt, why: tomorrow > now.getTime() ? 'paced-day' : 'paced' }
}

/** One more has left. The pause after it is about its share of a minute, and never twice the same. */
export async function countSend(scope: Scope, whatsappId: number, { perMinute }: Limits): Promise<void> {
  const now = scope.now()
  const share = perMinute === null ? 0 : minutes(1) / perMinute
  const nextAt = later(now, share * (0.5 + Math.random()))
  const { companyId } = scope
  await scope.db.insertInto('lineSends').values({ companyId, whatsappId, sentAt: now, nextAt }).execute()
  await scope.db
    .deleteFrom('lineSends')
    .where('companyId', '=', companyId)
    .where('whatsappId', '=', whatsappId)
    .where('sentAt', '<', later(now, -days(2)).toISOString())
    .execute()
}

/** How linked phones are doing, for those who manage them. */
export async function pacingOf(scope: Scope, rows: LineRow[]): Promise<Map<number, Pacing>> {
  const shown = new Map<number, Pacing>()
  for (const row of rows.filter(({ provider }) => traits[provider].paced)) {
    const { perMinute, dailyCap, age } = limitsOf(row, scope.now())
    const { sentToday, nextAt } = await turnOf(scope, row.id, { perMinute, dailyCap, age })
    const waiting = await waitingOf(scope, row.id)
    const next = waiting && nextAt ? nextAt.toISOString() : null
    shown.set(row.id, { mode: row.paceMode, perMinute, dailyCap, sentToday, waiting, nextAt: next, age })
  }
  return shown
}

async function waitingOf(scope: Scope, whatsappId: number): Promise<number> {
  const { waiting } = await scope.db
    .selectFrom('messages')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where('state', 'in', ['queued', 'sending'])
    .where('error', 'in', pacedReasons)
    .executeTakeFirstOrThrow()
  return Number(waiting)
}
