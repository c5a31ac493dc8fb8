import { can } from '@recado/contract/rules'
import type { SessionUser } from '@recado/contract/users'
import { canLeadQueues, canSeeAllTickets } from '@recado/contract/visibility'
import { useSyncExternalStore } from 'react'
import { useSession } from '../../lib/session.tsx'
import { readStoredJson, writeStoredJson } from '../../lib/storage.ts'
import type { TicketFilter, TicketOrder, TicketStatus } from './ticket-filter.ts'

export type TicketTab = 'open' | 'closed' | 'search'
export type TicketSubTab = 'open' | 'pending' | 'snoozed'

/** The user's view of the tickets. Everything except the search text is stored in this browser. */
export type TicketView = {
  tab: TicketTab
  sub: TicketSubTab
  /** Null until the user chooses: then admins see all open tickets, and supervisors their own. */
  showAll: boolean | null
  order: TicketOrder
  queueIds: number[] | null
  tags: number[]
  users: number[]
  ads: number[]
  search: string
  /** Whether resolving or transferring the open ticket opens the next ticket instead of the empty screen. */
  opensNext: boolean
  /** The saved view that is shown in place of the tab's list. */
  viewId: number | null
}

const defaultView: TicketView = {
  tab: 'open',
  sub: 'open',
  showAll: null,
  order: 'newest',
  queueIds: null,
  tags: [],
  users: [],
  ads: [],
  search: '',
  opensNext: false,
  viewId: null,
}

let currentView: { userId: number; view: TicketView } | null = null
const listeners = new Set<() => void>()
const viewStorageKey = (userId: number) => `tickets-${userId}`

export function getTicketView(userId: number): TicketView {
  if (currentView?.userId !== userId)
    currentView = { userId, view: parseStoredView(readStoredJson<unknown>(viewStorageKey(userId), null)) }
  return currentView.view
}

const orders: readonly TicketOrder[] = ['newest', 'oldest', 'waiting', 'priority']

/** Stored data may come from an older version: only valid parts are used. */
export function parseStoredView(stored: unknown): TicketView {
  const storedView = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<
    Record<keyof TicketView, unknown>
  >
  const ids = (value: unknown) => (Array.isArray(value) ? value.filter((id) => Number.isInteger(id)) : null)
  return {
    ...defaultView,
    sub: storedView.sub === 'pending' ? 'pending' : 'open',
    showAll: typeof storedView.showAll === 'boolean' ? storedView.showAll : null,
    order: orders.find((order) => order === storedView.order) ?? 'newest',
    queueIds: ids(storedView.queueIds),
    tags: ids(storedView.tags) ?? [],
    users: ids(storedView.users) ?? [],
    ads: ids(storedView.ads) ?? [],
    opensNext: storedView.opensNext === true,
    viewId: Number.isInteger(storedView.viewId) ? Number(storedView.viewId) : null,
  }
}

/** Changes the view from outside of components, to show an accepted or reopened ticket. */
export function changeTicketView(userId: number, change: Partial<TicketView>): void {
  const view = { ...getTicketView(userId), ...change }
  currentView = { userId, view }
  const { tab: _tab, search: _search, ...remembered } = view
  writeStoredJson(viewStorageKey(userId), remembered)
  for (const listener of listeners) listener()
}

export function useTicketView(): [TicketView, (change: Partial<TicketView>) => void] {
  const userId = useSession().user?.id ?? 0
  const view = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => getTicketView(userId),
  )
  return [view, (change) => changeTicketView(userId, change)]
}

/** Whether open tickets of other agents are shown, which only supervisors and admins can choose. */
export const showsAllOpen = (view: TicketView, me: Pick<SessionUser, 'profile'>): boolean =>
  canLeadQueues(me) && (view.showAll ?? canSeeAllTickets(me))

/** The query of a tab's list. Queues the user no longer has are left out. */
export function toTicketFilter(
  view: TicketView,
  status: TicketStatus | null,
  me: Pick<SessionUser, 'profile' | 'queues'>,
): TicketFilter {
  const searching = status === null
  const mine = new Set(me.queues.map((queue) => queue.id))
  const queueIds = view.queueIds?.filter((id) => mine.has(id)) ?? null
  return {
    status,
    showAll: status === 'open' ? showsAllOpen(view, me) : true,
    snoozed: status === 'open' || status === 'pending' ? 'without' : null,
    queueIds: queueIds && queueIds.length > 0 && queueIds.length < mine.size ? queueIds : null,
    order: searching || status === 'closed' ? 'newest' : view.order,
    search: searching ? view.search : '',
    tags: searching ? view.tags : [],
    users: searching && can(me, 'tickets-manager:showall') ? view.users : [],
    ads: searching ? view.ads : [],
  }
}

/** The query of the list of snoozed tickets: assigned and waiting ones together. */
export const toSnoozedFilter = (view: TicketView, me: Pick<SessionUser, 'profile' | 'queues'>): TicketFilter => ({
  ...toTicketFilter(view, 'open', me),
  status: null,
  snoozed: 'only',
  order: 'snoozed',
})
