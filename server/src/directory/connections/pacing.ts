import { type Pacing, pacingWaitReasons } from '@recado/contract/connections'
import { lineTraits } from '@recado/contract/line-traits'
import { type Selectable, sql } from 'kysely'
import { addMs, days, minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'

/** Default per minute for a line that is no longer new; people who type by hand stay far below. */
const defaultPerMinute = 20
/** A new number may write to this many new contacts on the first day, and half as many more each day. */
const firstDayCap = 50
const dailyGrowth = 1.5
/** From this age in days a number has no daily limit. */
const daysUntilUncapped = 10

type LineRow = Selectable<DB['whatsapps']>
type PacingSettings = Pick<
  LineRow,
  'paceMode' | 'pacePerMinute' | 'paceDailyCap' | 'linkedSince' | 'createdAt' | 'lockedUntil'
>
export type SendLimits = { perMinute: number | null; dailyCap: number | null; age: number }

/** Until when the line may not write to strangers; null: it may. */
export const activeLockUntil = ({ lockedUntil }: Pick<LineRow, 'lockedUntil'>, now: Date): string | null =>
  lockedUntil && Date.parse(lockedUntil) > now.getTime() ? lockedUntil : null

/** For this long after a lock of WhatsApp the line sends at half its pace. */
const cautionAfterLockMs = days(7)
const isCautious = ({ lockedUntil }: Pick<LineRow, 'lockedUntil'>, now: Date): boolean =>
  lockedUntil !== null && now.getTime() < Date.parse(lockedUntil) + cautionAfterLockMs
const half = (limit: number | null): number | null => limit && Math.max(1, Math.floor(limit / 2))

/** The current limits of a line. */
export function computeSendLimits(line: PacingSettings, now: Date): SendLimits {
  const limits = computeUsualLimits(line, now)
  if (!isCautious(line, now)) return limits
  return { ...limits, perMinute: half(limits.perMinute), dailyCap: half(limits.dailyCap) }
}

function computeUsualLimits(line: PacingSettings, now: Date): SendLimits {
  const since = Date.parse(line.linkedSince ?? line.createdAt)
  const age = Math.max(0, Math.floor((now.getTime() - since) / days(1)))
  if (line.paceMode === 'off') return { perMinute: null, dailyCap: null, age }
  if (line.paceMode === 'own') return { perMinute: line.pacePerMinute, dailyCap: line.paceDailyCap, age }
  const cap = Math.floor((firstDayCap * dailyGrowth ** age) / 10) * 10
  return { perMinute: defaultPerMinute, dailyCap: age < daysUntilUncapped ? cap : null, age }
}

type NextSend = { sentToday: number; nextAt: Date | null; why: (typeof pacingWaitReasons)[number] }

/** When the next message may be sent; null means now. Counted in the database, so that it survives restarts. */
export async function findNextSend(
  scope: Scope,
  whatsappId: number,
  { perMinute, dailyCap }: SendLimits,
): Promise<NextSend> {
  const now = scope.now()
  const nth = (n: number | null) =>
    n === null
      ? sql`null`
      : sql`(select "sentAt" from sends order by "sentAt" desc offset ${Math.max(0, n - 1)} limit 1)`
  const { rows } = await sql<{ today: number; gap: string | null; minute: string | null; day: string | null }>`
    with sends as (
      select "sentAt", "nextAt" from "lineSends"
      where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} and "sentAt" > ${addMs(now, -days(1))}
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

/** Counts a sent message and sets the pause after it: about one minute divided by `perMinute`, randomized. */
export async function recordSend(scope: Scope, whatsappId: number, { perMinute }: SendLimits): Promise<void> {
  const now = scope.now()
  const share = perMinute === null ? 0 : minutes(1) / perMinute
  const nextAt = addMs(now, share * (0.5 + Math.random()))
  const { companyId } = scope
  await scope.db.insertInto('lineSends').values({ companyId, whatsappId, sentAt: now, nextAt }).execute()
  await scope.db
    .deleteFrom('lineSends')
    .where('companyId', '=', companyId)
    .where('whatsappId', '=', whatsappId)
    .where('sentAt', '<', addMs(now, -days(2)).toISOString())
    .execute()
}

/** The pacing state of linked phones, for users who manage them. */
export async function presentPacing(scope: Scope, rows: LineRow[]): Promise<Map<number, Pacing>> {
  const shown = new Map<number, Pacing>()
  for (const row of rows.filter(({ provider }) => lineTraits[provider].paced)) {
    const { perMinute, dailyCap, age } = computeSendLimits(row, scope.now())
    const { sentToday, nextAt } = await findNextSend(scope, row.id, { perMinute, dailyCap, age })
    const waiting = await countWaiting(scope, row.id)
    const next = waiting && nextAt ? nextAt.toISOString() : null
    const own = row.paceMode === 'own' ? { perMinute: row.pacePerMinute, dailyCap: row.paceDailyCap } : null
    shown.set(row.id, { mode: row.paceMode, perMinute, dailyCap, own, sentToday, waiting, nextAt: next, age })
  }
  return shown
}

async function countWaiting(scope: Scope, whatsappId: number): Promise<number> {
  const { waiting } = await scope.db
    .selectFrom('messages')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where('state', 'in', ['queued', 'sending'])
    .where('error', 'in', pacingWaitReasons)
    .executeTakeFirstOrThrow()
  return Number(waiting)
}
