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

/** Between the call and its response, events about other messages arrive too. */
const maxBufferedUpdates = 200

/** Follows one message. Events that arrive before its id is known count as well. */
export function useDeliveryProgress() {
  const [watched, setWatched] = useState<{ id: string; progress: DeliveryProgress } | null>(null)
  const heard = useRef<(DeliveryUpdate & { id: string })[] | null>(null)
  const hear = (id: string, told: DeliveryUpdate) =>
    setWatched((now) => (now?.id === id ? { id, progress: advanceProgress(now.progress, told) } : now))

  useLiveTopic(topics.message, ({ message: { id, fromMe, ack, error } }) => {
    if (!fromMe) return
    const told = { state: ackToState(ack), error: error ?? '', at: Date.now() }
    if (heard.current && heard.current.length < maxBufferedUpdates) heard.current.push({ id, ...told })
    hear(id, told)
  })
  const ask = (id: string) =>
    callApi(apiMessagesApi.show, { params: { id } }).then(
      ({ state, error }) => hear(id, { state, error, at: Date.now() }),
      // The state also arrives by events; this request covers missed ones.
      () => undefined,
    )
  useResync(() => void (watched && ask(watched.id)))

  return {
    progress: watched?.progress ?? null,
    /** Called when a call starts. */
    listen: () => {
      setWatched(null)
      heard.current = []
    },
    /** Called with the response, with or without an id. */
    follow: (id: string | null) => {
      const before = heard.current ?? []
      heard.current = null
      if (id === null) return
      const start = startProgress(Date.now())
      setWatched({ id, progress: before.filter((one) => one.id === id).reduce(advanceProgress, start) })
      void ask(id)
    },
  }
}
