import type { Schedule } from '@recado/contract/schedules/schedules'
import { useState } from 'react'
import { useSession } from '../../lib/session.tsx'
import { readJson, writeJson } from '../../lib/storage.ts'
import type { Person } from '../../parts/new-ticket/contact-search.tsx'
import { type View, views } from './calendar.ts'
import { type State, stateOf, states } from './state.ts'

/** Nothing chosen: all. */
export type Filter = { userId: number | null; person: Person | null; state: State | null }
export const noFilter: Filter = { userId: null, person: null, state: null }
export const chosenIn = ({ userId, person, state }: Filter): number =>
  [userId, person, state].filter((one) => one !== null).length

/** As the server asks. */
export const asked = ({ userId, person, state }: Filter) => ({
  ...(userId !== null && { userId }),
  ...(person && { contactId: person.id }),
  ...(state === 'held' ? { held: true } : state && { status: state, held: false }),
})
export const isWanted = (row: Schedule, { userId, person, state }: Filter): boolean =>
  (userId === null || row.userId === userId) &&
  (!person || row.contactId === person.id) &&
  (state === null || stateOf(row) === state)

/** What lies in a browser may be of another age: only what still makes sense is taken. */
function restored(stored: unknown): Filter & { view: View } {
  const given = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
  return {
    view: views.find((one) => one === given.view) ?? 'week',
    userId: Number.isInteger(given.userId) ? Number(given.userId) : null,
    person: null,
    state: states.find((one) => one === given.state) ?? null,
  }
}

/** How somebody looks at them, remembered on this browser. */
export function useView() {
  const key = `schedules-${useSession().user?.id ?? 0}`
  const [{ view, ...filter }, set] = useState(() => restored(readJson<unknown>(key, null)))
  const keep = (change: Partial<Filter & { view: View }>) => {
    const next = { view, ...filter, ...change }
    set(next)
    writeJson(key, { view: next.view, userId: next.userId, state: next.state })
  }
  return {
    view,
    filter,
    setView: (next: View) => keep({ view: next }),
    setFilter: (change: Partial<Filter>) => keep(change),
  }
}
