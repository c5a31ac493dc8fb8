import type { Reply } from '@recado/contract/endpoint'
import { hasHours, isHoliday, openRangesOf } from '@recado/contract/hours/opening'
import { dateOfWallTime, toWallTime } from '@recado/contract/schedules/occurrences'
import type { ticketsApi } from '@recado/contract/tickets'
import { loadCompanyTimeZone } from '../../accounts/settings.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { loadQueueCalendar, type OpeningCalendar } from './base/goals.ts'
import { findVisibleTicket } from './base/ticket-view.ts'

type SnoozeTimes = Reply<typeof ticketsApi.snoozeTimes>

/** The opening hour where no hours are configured. */
const defaultOpeningMinute = 9 * 60
/** A desk that is closed for longer has no next opening worth offering. */
const maxClosedDays = 60

/** When the ticket's queue opens next: tomorrow, and in the next week. */
export const listSnoozeTimes = async (scope: Scope, ticketId: number): Promise<SnoozeTimes> =>
  listSnoozeTimesOfQueue(scope, (await findVisibleTicket(scope, ticketId)).queueId)

export async function listSnoozeTimesOfQueue(scope: Scope, queueId: number | null): Promise<SnoozeTimes> {
  const queue = queueId === null ? undefined : await loadQueueHours(scope, queueId)
  const calendar = (await loadQueueCalendar(scope, { schedules: queue?.schedules ?? null })) ?? {
    week: [],
    holidays: [],
    zone: await loadCompanyTimeZone(scope),
  }
  const today = toWallTime(scope.now(), calendar.zone).slice(0, 10)
  const daysToMonday = (8 - new Date(`${today}T00:00:00Z`).getUTCDay()) % 7 || 7
  return {
    timezone: calendar.zone,
    queue: queue?.name ?? null,
    tomorrow: findOpening(calendar, addDays(today, 1)),
    nextWeek: findOpening(calendar, addDays(today, daysToMonday)),
  }
}

const loadQueueHours = (scope: Scope, id: number) =>
  scope.db
    .selectFrom('queues')
    .select(['name', 'schedules'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .executeTakeFirst()

/** The first opening on this day or later, and the holiday that moved it. */
function findOpening(calendar: OpeningCalendar, first: string): SnoozeTimes['tomorrow'] {
  const openRanges = openRangesOf(calendar)
  const isAlwaysOpen = !hasHours(calendar.week)
  for (let n = 0; n < maxClosedDays; n++) {
    const day = addDays(first, n)
    const opening = isAlwaysOpen ? defaultOpeningMinute : openRanges(day)[0]?.from
    if (opening === undefined) continue
    const holiday = n > 0 && isHoliday(first, calendar.holidays) ? first : null
    return { at: toMoment(day, opening, calendar.zone), holiday }
  }
  return { at: toMoment(first, defaultOpeningMinute, calendar.zone), holiday: null }
}

const toMoment = (day: string, minute: number, zone: string): string => {
  const twoDigits = (n: number) => String(n).padStart(2, '0')
  return dateOfWallTime(`${day}T${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`, zone).toISOString()
}
const addDays = (day: string, n: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + n * 86_400_000).toISOString().slice(0, 10)
