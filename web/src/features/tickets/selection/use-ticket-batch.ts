import { topics } from '@recado/contract/live'
import { type TicketBatch, type TicketBatchAction, ticketBatchesApi } from '@recado/contract/tickets/ticket-batches'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useLiveTopic } from '../../../lib/live.ts'
import { updateCachedQuery } from '../../../lib/query-cache.ts'
import { toast } from '../../../lib/toast.ts'
import { toListQuery } from '../../../parts/ticket/ticket-cache.ts'
import { flushTicketNews } from '../../../parts/ticket/use-ticket-news.ts'
import { endBatch, getCheckedTickets, showBatch } from './checked-tickets.ts'

/** Its key begins like those of the lists, so they are reloaded together after a connection gap. */
const batchKey = ['tickets', 'batch'] as const

const isAtWork = (batch: TicketBatch) => batch.state === 'running' || batch.state === 'undoing'

/** The user's last change of many tickets, and how to start, stop and undo one. */
export function useTicketBatch(batchId: number | null) {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: batchKey,
    queryFn: async ({ signal }) => (await callApi(ticketBatchesApi.last, {}, { signal })).batch,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const last = data ?? null
  const store = (batch: TicketBatch) =>
    updateCachedQuery<TicketBatch | null>(client, batchKey, (known) => (isNewer(batch, known) ? batch : known))
  useLiveTopic(topics.ticketBatch, ({ batch }) => store(batch))

  const run = async (call: () => Promise<TicketBatch>): Promise<void> => {
    try {
      const batch = await call()
      store(batch)
      showBatch(batch.id)
    } catch (error) {
      toast.error(error)
    }
  }
  // A batch that still runs, started before the page was loaded, is shown as soon as something is checked.
  const shown = last && (last.id === batchId || isAtWork(last)) ? last : null
  const onEnd = useEffectEvent(() => {
    if (!shown || isAtWork(shown)) return
    // The rows move once, now: a ticket that left the list later would keep its place under the pointer.
    flushTicketNews()
    endBatch(shown.state === 'undone' ? [] : shown.refusals.map(({ ticketId }) => ticketId))
    // While a row has the focus, rows that have left the list stay in their place. An arrow leads back into the list.
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && activeElement.closest('[data-ticket]')) activeElement.blur()
  })
  const state = shown?.state
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the state changes.
  useEffect(() => onEnd(), [state])
  return {
    batch: shown,
    start: (action: TicketBatchAction) =>
      run(() => callApi(ticketBatchesApi.start, { body: { ...toTarget(), action } })),
    stop: (id: number) => run(() => callApi(ticketBatchesApi.stop, { params: { id } })),
    undo: (id: number) => run(() => callApi(ticketBatchesApi.undo, { params: { id } })),
  }
}

/** The checked tickets by their ids, or all of the list by its query. */
function toTarget() {
  const { tickets, wholeList } = getCheckedTickets()
  return wholeList ? { filter: toListQuery(wholeList.filter) } : { ids: [...tickets.keys()] }
}

const stateOrder = ['running', 'stopped', 'done', 'undoing', 'undone']
/** The reply to a call may arrive after an event about a later state. */
function isNewer(batch: TicketBatch, known: TicketBatch | null | undefined): boolean {
  if (!known || known.id !== batch.id) return !known || batch.id > known.id
  const progress = (one: TicketBatch) => one.done + one.refused + one.undone
  const [at, knownAt] = [stateOrder.indexOf(batch.state), stateOrder.indexOf(known.state)]
  return at === knownAt ? progress(batch) >= progress(known) : at > knownAt
}
