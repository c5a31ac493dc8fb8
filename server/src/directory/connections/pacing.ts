import { type LinePace, type PaceReason, type Pacing, pacingWaitReasons } from '@recado/contract/connections'
import { lineTraits } from '@recado/contract/line-traits'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { addMs, days, minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { allowanceLimits, computeDailyAllowance, type PaceCounts } from './daily-allowance.ts'
import { countPaceDays, listPaceDays, noPaceCounts, readPaceDays, sendsKeptDays, storeAllowance } from './pace-days.ts'

/** Default per minute; people who type by hand stay far below. */
const defaultPerMinute = 20

type LineRow = Selectable<DB['whatsapps']>
type PacingSettings = Pick<
  LineRow,
  'paceMode' | 'pacePerMinute' | 'paceDailyCap' | 'linkedSince' | 'createdAt' | 'lockedUntil'
>
type PacedLine = PacingSettings & Pick<LineRow, 'id' | 'provider'>
/** `reasons`: why the daily limit is what it is. */
export type SendLimits = {
  perMinute: number | null
  dailyCap: number | null
  age: number
  reasons: PaceReason[]
}

/** Until when the line may not write to strangers; null: it may. */
export const activeLockUntil = ({ lockedUntil }: Pick<LineRow, 'lockedUntil'>, now: Date): string | null =>
  lockedUntil && Date.parse(lockedUntil) > now.getTime() ? lockedUntil : null

/** For this long after a lock of WhatsApp the line sends at half its pace. */
const cautionAfterLockMs = days(7)
const isCautious = ({ lockedUntil }: Pick<LineRow, 'lockedUntil'>, now: Date): boolean =>
  lockedUntil !== null && now.getTime() < Date.parse(lockedUntil) + cautionAfterLockMs
const half = (limit: number | null): number | null => limit && Math.max(1, Math.floor(limit / 2))

/** The limits of a line with these counts. */
export function computeSendLimits(line: PacingSettings, counts: PaceCounts, now: Date): SendLimits {
  const since = Date.parse(line.linkedSince ?? line.createdAt)
  const age = Math.max(0, Math.floor((now.getTime() - since) / days(1)))
  const wasLocked = isCautious(line, now)
  const halveAfterLock = (limit: number | null) => (wasLocked ? half(limit) : limit)
  if (line.paceMode === 'off') return { perMinute: null, dailyCap: null, age, reasons: [] }
  if (line.paceMode === 'own') {
    const [perMinute, dailyCap] = [halveAfterLock(line.pacePerMinute), halveAfterLock(line.paceDailyCap)]
    return { perMinute, dailyCap, age, reasons: wasLocked ? ['locked'] : [] }
  }
  const { people, reasons } = computeDailyAllowance({ ageDays: age, counts, wasLocked })
  return { perMinute: halveAfterLock(defaultPerMinute), dailyCap: people, age, reasons }
}

/** The current limits of a line, after what became of the people it wrote to. */
export async function loadSendLimits(scope: Scope, line: PacedLine): Promise<SendLimits> {
  return computeSendLimits(line, await loadPaceCounts(scope, line), scope.now())
}

/** What became of the people that the line wrote to first. Only mode `auto` needs it. */
export async function loadPaceCounts(scope: Scope, line: PacedLine): Promise<PaceCounts> {
  if (line.paceMode !== 'auto' || !lineTraits[line.provider].paced) return noPaceCounts
  const today = await readPaceDays(scope, line.id)
  if (!today.isStale) return today.counts
  await countPaceDays(scope, line.id)
  const { counts } = await readPaceDays(scope, line.id)
  await storeAllowance(scope, line.id, computeSendLimits(line, counts, scope.now()).dailyCap)
  return counts
}

type NextSend = { sentToday: number; nextAt: Date | null; why: (typeof pacingWaitReasons)[number] }

/** When the next message may be sent; null means now. Counted in the database, so that it survives restarts. */
export async function findNextSend(
  scope: Scope,
  whatsappId: number,
  { perMinute, dailyCap }: Pick<SendLimits, 'perMinute' | 'dailyCap'>,
): Promise<NextSend> {
  const now = scope.now()
  const nth = (n: number | null, of: RawBuilder<unknown>) =>
    n === null
      ? sql`null`
      : sql`(select "sentAt" from ${of} order by "sentAt" desc offset ${Math.max(0, n - 1)} limit 1)`
  // The daily limit counts people: several messages to the same person count once, at the time of the first.
  const { rows } = await sql<{ today: number; gap: string | null; minute: string | null; day: string | null }>`
    with sends as (
      select id, "contactId", "sentAt", "nextAt" from "lineSends"
      where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} and "sentAt" > ${addMs(now, -days(1))}
    ), people as (select min("sentAt") as "sentAt" from sends group by coalesce("contactId", -id))
    select (select count(*)::int from people) as today, max("nextAt") as gap, ${nth(perMinute, sql`sends`)} as minute,
      ${nth(dailyCap, sql`people`)} as day from sends
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
export async function recordSend(
  scope: Scope,
  whatsappId: number,
  { perMinute }: SendLimits,
  { id: messageId, contactId }: { id: number; contactId: number },
): Promise<void> {
  const now = scope.now()
  const share = perMinute === null ? 0 : minutes(1) / perMinute
  const nextAt = addMs(now, share * (0.5 + Math.random()))
  const { companyId } = scope
  await scope.db
    .insertInto('lineSends')
    .values({ companyId, whatsappId, contactId, messageId, sentAt: now, nextAt })
    .execute()
  await scope.db
    .deleteFrom('lineSends')
    .where('companyId', '=', companyId)
    .where('whatsappId', '=', whatsappId)
    .where('sentAt', '<', addMs(now, -days(sendsKeptDays)).toISOString())
    .execute()
}

/** The pacing state of linked phones, for users who manage them. */
export async function presentPacing(scope: Scope, rows: LineRow[]): Promise<Map<number, Pacing>> {
  const shown = new Map<number, Pacing>()
  for (const row of rows.filter(({ provider }) => lineTraits[provider].paced)) {
    const { perMinute, dailyCap, age } = await loadSendLimits(scope, row)
    const { sentToday, nextAt } = await findNextSend(scope, row.id, { perMinute, dailyCap })
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

/** The last days of a linked phone: how many people it wrote to first, how many it was allowed to, and why. */
export async function presentPaceDays(scope: Scope, line: PacedLine): Promise<LinePace> {
  await countPaceDays(scope, line.id)
  const { counts } = await readPaceDays(scope, line.id)
  const { dailyCap, age, reasons } = computeSendLimits(line, counts, scope.now())
  await storeAllowance(scope, line.id, dailyCap)
  const { sentToday } = await findNextSend(scope, line.id, { perMinute: null, dailyCap })
  const { start, max, min } = allowanceLimits
  return {
    ...{ mode: line.paceMode, allowed: dailyCap, sentToday, age, reasons, counts, limits: { start, max, min } },
    days: await listPaceDays(scope, line.id),
  }
}
