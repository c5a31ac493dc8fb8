import { useThrottledCallback } from '@mantine/hooks'
import { connectionsApi } from '@recado/contract/connections'
import { contactsApi } from '@recado/contract/contacts'
import { topics } from '@recado/contract/live'
import { queuesApi } from '@recado/contract/queues'
import { tagsApi } from '@recado/contract/tags'
import type { Ticket } from '@recado/contract/tickets'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLiveTopic, useRecordNews, useResync, useRoom } from '../../lib/live.ts'
import { useSession } from '../../lib/session.tsx'
import { applyRename } from './apply-rename.ts'
import type { TicketListNews } from './loaded-tickets.ts'
import { allTicketCountsKey, allTicketsKey, publishTicketNews } from './ticket-cache.ts'
import type { TicketViewer } from './ticket-filter.ts'
import { recordTicketNews } from './ticket-moves.ts'

/**
 * The duration of one frame: a delete and its update are applied as one change, and twenty messages a second as one
 * render per frame.
 */
const batchMs = 16
/** Maximum delay of a badge when the list is too long to be counted locally. */
const recountMs = 500

const flushers = new Set<() => void>()
/** Applies the events received so far at once, for something that must not be shown before them. */
export function flushTicketNews(): void {
  for (const flush of flushers) flush()
}

/** Applies events to every list and open ticket while the screen is mounted. */
export function useTicketNews(): void {
  const client = useQueryClient()
  const me = useSession().user
  const gathered = useRef<TicketListNews[]>([])
  const flush = useEffectEvent(() => {
    const news = gathered.current
    gathered.current = []
    if (me && news.length > 0) publishTicketNews(client, me, news)
  })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    flushers.add(flush)
    return () => {
      flushers.delete(flush)
      clearTimeout(timer.current)
    }
  }, [])
  const publish = (news: TicketListNews) => {
    if (gathered.current.push(news) === 1) timer.current = setTimeout(flush, batchMs)
  }

  const recount = useThrottledCallback(() => void client.invalidateQueries({ queryKey: allTicketCountsKey }), recountMs)
  useRoom('tickets', 'open')
  useRoom('tickets', 'pending')
  useLiveTopic(topics.ticket, (payload) => {
    recordTicketNews('ticket' in payload ? payload.ticket : { id: payload.ticketId })
    if ('ticket' in payload) publish({ kind: 'put', ticket: payload.ticket })
    else publish({ kind: payload.action === 'delete' ? 'gone' : 'read', id: payload.ticketId })
    if (payload.action !== 'updateUnread') recount()
  })
  useLiveTopic(topics.message, (payload) => {
    if (payload.action === 'create') publish({ kind: 'put', ticket: payload.ticket })
    else publish({ kind: 'ack', message: payload.message })
  })
  useRenames(publish)
  useTicketRefetch(me)
}

/** Rows contain names and colours of other records, whose changes cause no ticket event. */
function useRenames(publish: (news: TicketListNews) => void): void {
  const patch = (how: (ticket: Ticket) => Ticket) => publish({ kind: 'patch', patch: how })
  useRecordNews(contactsApi.topic, (news) => news.action === 'update' && patch(applyRename.contact(news.row)))
  useRecordNews(queuesApi.topic, (news) => news.action === 'update' && patch(applyRename.queue(news.row)))
  useRecordNews(connectionsApi.topic, (news) => news.action === 'update' && patch(applyRename.line(news.row)))
  useRecordNews(tagsApi.topic, (news) => {
    if (news.action === 'delete') patch(applyRename.withoutTag(news.id))
    else if (news.action === 'update') patch(applyRename.tag(news.row))
  })
}

/** Reloads after a gap, after a change of the user's visibility, and when the screen is opened again. */
function useTicketRefetch(me: TicketViewer | null): void {
  const client = useQueryClient()
  const again = useEffectEvent(() => void client.invalidateQueries({ queryKey: allTicketsKey }))
  useResync(again)
  const rights = me ? `${me.profile} ${me.allTicket} ${me.queues.map((queue) => queue.id).join()}` : ''
  const known = useRef(rights)
  useEffect(() => {
    if (known.current !== rights) again()
    known.current = rights
  }, [rights])
  useEffect(() => () => void client.invalidateQueries({ queryKey: allTicketsKey, refetchType: 'none' }), [client])
}
