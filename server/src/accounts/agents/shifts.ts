import type { Hours } from '@recado/contract/hours/hours'
import { hasHours, openRangesOf, openStateAt, wallClock } from '@recado/contract/hours/opening'
import { createWallTimeConverter } from '@recado/contract/hours/wall-time-converter'
import { sql } from 'kysely'
import { days } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { loadCompanyTimeZone } from '../settings.ts'
import { publishUser } from '../user-view.ts'

type ShiftState = { onShift: boolean; shiftChangesAt: Date | null }

/** Whether a shift of the weekly plan is running, and when the next one begins or ends. Holidays do not change a plan. */
export function findShift(shifts: Hours[], zone: string, now: Date): ShiftState {
  if (!hasHours(shifts)) return { onShift: true, shiftChangesAt: null }
  const calendar = { week: shifts, holidays: [], zone }
  const rangesOf = openRangesOf(calendar)
  const momentOf = createWallTimeConverter(zone)
  // From yesterday, whose last shift may end today, to the same weekday of next week.
  const dates = Array.from({ length: 9 }, (_, n) => wallClock(new Date(now.getTime() + days(n - 1)), zone).day)
  const changes = [...new Set(dates)]
    .flatMap((day) => rangesOf(day).flatMap(({ from, until }) => [momentOf(day, from), momentOf(day, until)]))
    .filter((at) => at > now.getTime())
  return {
    onShift: openStateAt(calendar, now).open,
    shiftChangesAt: changes.length ? new Date(Math.min(...changes)) : null,
  }
}

/** The columns of a user that follow from their plan; `timeZone`: their own zone. */
export async function shiftColumns(scope: Scope, shifts: Hours[], timeZone: string | null) {
  return findShift(shifts, timeZone ?? (await loadCompanyTimeZone(scope)), scope.now())
}

/** Begins or ends a shift whose time has come. */
export async function updateDueShift(scope: Scope, userId: number): Promise<void> {
  const before = await scope.db
    .selectFrom('users')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', userId)
    .where('shiftChangesAt', '<=', sql<string>`${scope.now()}::timestamptz`)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!before) return
  const state = await shiftColumns(scope, before.shifts, before.timeZone)
  const row = await scope.db
    .updateTable('users')
    .set(state)
    .where('companyId', '=', scope.companyId)
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (row.onShift !== before.onShift) await publishUser(scope, 'update', row)
}
