import { sendingApi } from '@recado/contract/doors/sending'
import { topics } from '@recado/contract/live'
import { useRef, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { useLive, useResync } from '../../../lib/live.ts'
import { advanced, begun, type Progress, stateOfAck, type Told } from './progress.ts'

/** Between the call and its answer others' messages are told, too. */
const mostHeard = 200

/** Follows one message on its way. What is told of it before its id is known counts as well. */
export function useTicks() {
  const [watched, setWatched] = useState<{ id: string; progress: Progress } | null>(null)
  const heard = useRef<(Told & { id: string })[] | null>(null)
  const hear = (id: string, told: Told) =>
    setWatched((now) => (now?.id === id ? { id, progress: advanced(now.progress, told) } : now))

  useLive(topics.message, ({ message: { id, fromMe, ack, error } }) => {
    if (!fromMe) return
    const told = { state: stateOfAck(ack), error: error ?? '', at: Date.now() }
    if (heard.current && heard.current.length < mostHeard) heard.current.push({ id, ...told })
    hear(id, told)
  })
  const ask = (id: string) =>
    call(sendingApi.show, { params: { id } }).then(
      ({ state, error }) => hear(id, { state, error, at: Date.now() }),
      // It is told, too; this is for what nobody told.
      () => undefined,
    )
  useResync(() => void (watched && ask(watched.id)))

  return {
    progress: watched?.progress ?? null,
    /** A call begins. */
    listen: () => {
      setWatched(null)
      heard.current = []
    },
    /** Its answer is here, with the id or without. */
    follow: (id: string | null) => {
      const before = heard.current ?? []
      heard.current = null
      if (id === null) return
      const start = begun(Date.now())
      setWatched({ id, progress: before.filter((one) => one.id === id).reduce(advanced, start) })
      void ask(id)
    },
  }
}
