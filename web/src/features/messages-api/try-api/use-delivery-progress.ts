import { apiMessagesApi } from '@recado/contract/api-access/api-messages'
import { topics } from '@recado/contract/live'
import { useRef, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useLiveTopic, useResync } from '../../../lib/live.ts'
import {
  ackToState,
  advanceProgress,
  type DeliveryProgress,
  type DeliveryUpdate,
  startProgress,
} from './delivery-progress.ts'

/** Limit of buffered events: between the call and its response, events about other messages arrive too. */
const maxBufferedUpdates = 200

/** Follows one message. Events that arrive before its id is known count as well. */
export function useDeliveryProgress() {
  const [watched, setWatched] = useState<{ id: string; progress: DeliveryProgress } | null>(null)
  const pendingUpdates = useRef<(DeliveryUpdate & { id: string })[] | null>(null)
  const receiveUpdate = (id: string, update: DeliveryUpdate) =>
    setWatched((now) => (now?.id === id ? { id, progress: advanceProgress(now.progress, update) } : now))

  useLiveTopic(topics.message, ({ message: { id, fromMe, ack, error } }) => {
    if (!fromMe) return
    const update = { state: ackToState(ack), error: error ?? '', at: Date.now() }
    if (pendingUpdates.current && pendingUpdates.current.length < maxBufferedUpdates)
      pendingUpdates.current.push({ id, ...update })
    receiveUpdate(id, update)
  })
  const fetchState = (id: string) =>
    callApi(apiMessagesApi.show, { params: { id } }).then(
      ({ state, error }) => receiveUpdate(id, { state, error, at: Date.now() }),
      // The state also arrives by events; this request covers missed events.
      () => undefined,
    )
  useResync(() => void (watched && fetchState(watched.id)))

  return {
    progress: watched?.progress ?? null,
    /** Called when a call starts. */
    listen: () => {
      setWatched(null)
      pendingUpdates.current = []
    },
    /** Called with the response of the call, with or without a message id. */
    follow: (id: string | null) => {
      const before = pendingUpdates.current ?? []
      pendingUpdates.current = null
      if (id === null) return
      const start = startProgress(Date.now())
      setWatched({ id, progress: before.filter((one) => one.id === id).reduce(advanceProgress, start) })
      void fetchState(id)
    },
  }
}
