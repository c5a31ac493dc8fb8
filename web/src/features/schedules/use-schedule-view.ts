import type { Schedule } from '@recado/contract/schedules/schedules'
import { useState } from 'react'
import { useSession } from '../../lib/session.tsx'
import { readStoredJson, writeStoredJson } from '../../lib/storage.ts'
import type { SelectedContact } from '../../parts/new-ticket/contact-search.tsx'
import { type CalendarView, calendarViews } from '../../parts/schedule/calendar.ts'
import { getScheduleDisplayState, type ScheduleDisplayState, scheduleDisplayStates } from './schedule-state.ts'

/** The filter of the schedules. Without a selection all are shown. */
export type ScheduleFilter = {
  userId: number | null
  person: SelectedContact | null
  state: ScheduleDisplayState | null
}
export const emptyScheduleFilter: ScheduleFilter = { userId: null, person: null, state: null }
export const countActiveFilters = ({ userId, person, state }: ScheduleFilter): number =>
  [userId, person, state].filter((one) => one !== null).length

/** The query parameters. */
export const toScheduleQuery = ({ userId, person, state }: ScheduleFilter) => ({
  ...(userId !== null && { userId }),
  ...(person && { contactId: person.id }),
  ...(state === 'held' ? { held: true } : state && { status: state, held: false }),
})
export const matchesScheduleFilter = (row: Schedule, { userId, person, state }: ScheduleFilter): boolean =>
  (userId === null || row.userId === userId) &&
  (!person || row.contactId === person.id) &&
  (state === null || getScheduleDisplayState(row) === state)

/** Stored data may come from an older version: only valid parts are used. */
function parseStoredView(stored: unknown): ScheduleFilter & { view: CalendarView } {
  const given = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
  return {
    view: calendarViews.find((one) => one === given.view) ?? 'week',
    userId: Number.isInteger(given.userId) ? Number(given.userId) : null,
    person: null,
    state: scheduleDisplayStates.find((one) => one === given.state) ?? null,
  }
}

/** The user's view, stored in this browser. */
export function useScheduleView() {
  const key = `schedules-${useSession().user?.id ?? 0}`
  const [{ view, ...filter }, set] = useState(() => parseStoredView(readStoredJson<unknown>(key, null)))
  const storeView = (change: Partial<ScheduleFilter & { view: CalendarView }>) => {
    const next = { view, ...filter, ...change }
    set(next)
    writeStoredJson(key, { view: next.view, userId: next.userId, state: next.state })
  }
  return {
    view,
    filter,
    setView: (next: CalendarView) => storeView({ view: next }),
    setFilter: (change: Partial<ScheduleFilter>) => storeView(change),
  }
}
