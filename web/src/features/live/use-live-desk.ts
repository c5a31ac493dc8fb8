import { useThrottledCallback } from '@mantine/hooks'
import type { Reply } from '@recado/contract/endpoint'
import { topics } from '@recado/contract/live'
import { queuesApi } from '@recado/contract/queues'
import { routingApi } from '@recado/contract/routing/live'
import { usersApi } from '@recado/contract/users'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { callApi } from '../../lib/api.ts'
import { useLiveTopic, useRecordNews, useResync, useRoom } from '../../lib/live.ts'

export type LiveDesk = Reply<typeof routingApi.live>

/** The desk is read at most once a second, however many events arrive. */
const rereadMs = 1000

/** The desk as it is now: read again when a ticket, an offer, a message, a person or a queue changes. */
export function useLiveDesk(queueIds: number[]) {
  const client = useQueryClient()
  const key = ['routing', 'live', queueIds]
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const desk = await callApi(
        routingApi.live,
        { query: queueIds.length > 0 ? { queueIds: JSON.stringify(queueIds) } : {} },
        { signal },
      )
      return { ...desk, clockOffsetMs: Date.parse(desk.now) - Date.now() }
    },
    placeholderData: (before) => before,
  })
  const reading = useRef(false)
  const missed = useRef(false)
  /** A change during a read may not be in its reply, so that another read follows; no read is cancelled for it. */
  const reread = async () => {
    if (reading.current) {
      missed.current = true
      return
    }
    reading.current = true
    missed.current = false
    await client.invalidateQueries({ queryKey: key })
    reading.current = false
    if (missed.current) soon()
  }
  const soon = useThrottledCallback(() => void reread(), rereadMs)
  useRoom('tickets', 'open')
  useRoom('tickets', 'pending')
  useLiveTopic(topics.ticket, soon)
  useLiveTopic(topics.offers, soon)
  useLiveTopic(topics.message, (payload) => payload.action === 'create' && soon())
  useRecordNews(usersApi.topic, soon)
  useRecordNews(queuesApi.topic, soon)
  useResync(soon)
  return {
    desk: query.data,
    readAt: query.dataUpdatedAt,
    error: query.error,
    retry: () => void query.refetch(),
    refetch: () => client.invalidateQueries({ queryKey: key }),
  }
}
