import { can } from '@recado/contract/rules'
import type { SessionUser } from '@recado/contract/users'
import { useSyncExternalStore } from 'react'
import { useSession } from '../../lib/session.tsx'
import { readJson, writeJson } from '../../lib/storage.ts'
import type { Filter, Order, Status } from './filter.ts'

export type Tab = 'open' | 'closed' | 'search'
export type Sub = 'open' | 'pending'

/** How somebody looks at their tickets. All of it but the words of a search is remembered on this browser. */
export type View = {
  tab: Tab
  sub: Sub
  showAll: boolean
  order: Order
  queueIds: number[] | null
  tags: number[]
  users: number[]
  search: string
  /** After resolving or transferring the open ticket: the next one, not the empty screen. */
  opensNext: boolean
}

const plain: View = {
  tab: 'open',
  sub: 'open',
  showAll: true,
  order: 'newest',
  queueIds: null,
  tags: [],
  users: [],
  search: '',
  opensNext: false,
}

let kept: { userId: number; view: View } | null = null
const listeners = new Set<() => void>()
const keyOf = (userId: number) => `tickets-${userId}`

export function viewOf(userId: number): View {
  if (kept?.userId !== userId) kept = { userId, view: restored(readJson<unknown>(keyOf(userId), null)) }
  return kept.view
}

/** What lies in a browser may be of another age: only what still makes sense is taken. */
export function restored(stored: unknown): View {
  const given = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<Record<keyof View, unknown>>
  const ids = (value: unknown) => (Array.isArray(value) ? value.filter((id) => Number.isInteger(id)) : null)
  return {
    ...plain,
    sub: given.sub === 'pending' ? 'pending' : 'open',
    showAll: given.showAll !== false,
    order: given.order === 'oldest' || given.order === 'waiting' ? given.order : 'newest',
    queueIds: ids(given.queueIds),
    tags: ids(given.tags) ?? [],
    users: ids(given.users) ?? [],
    opensNext: given.opensNext === true,
  }
}

/** Outside of a component: what was accepted or reopened is to be seen where it now is. */
export function lookAt(userId: number, change: Partial<View>): void {
  const view = { ...viewOf(userId), ...change }
  kept = { userId, view }
  const { tab: _tab, search: _search, ...remembered } = view
  writeJson(keyOf(userId), remembered)
  for (const listener of listeners) listener()
}

export function useView(): [View, (change: Partial<View>) => void] {
  const userId = useSession().user?.id ?? 0
  const view = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => viewOf(userId),
  )
  return [view, (change) => lookAt(userId, change)]
}

/** What the list of a tab asks the server for. Queues this person no longer has are not asked for. */
export function filterOf(view: View, status: Status | null, me: Pick<SessionUser, 'profile' | 'queues'>): Filter {
  const searching = status === null
  const mine = new Set(me.queues.map((queue) => queue.id))
  const queueIds = view.queueIds?.filter((id) => mine.has(id)) ?? null
  return {
    status,
    showAll: status === 'open' ? view.showAll && can(me, 'tickets-manager:showall') : true,
    queueIds: queueIds && queueIds.length > 0 && queueIds.length < mine.size ? queueIds : null,
    order: searching || status === 'closed' ? 'newest' : view.order,
    search: searching ? view.search : '',
    tags: searching ? view.tags : [],
    users: searching && can(me, 'tickets-manager:showall') ? view.users : [],
  }
}
