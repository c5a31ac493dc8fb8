import { useThrottledCallback } from '@mantine/hooks'
import { connectionsApi } from '@recado/contract/connections'
import { contactsApi } from '@recado/contract/contacts'
import { topics } from '@recado/contract/live'
import { queuesApi } from '@recado/contract/queues'
import { tagsApi } from '@recado/contract/tags'
import type { Ticket } from '@recado/contract/tickets'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLive, useNews, useResync, useRoom } from '../../lib/live.ts'
import { useSession } from '../../lib/session.tsx'
import type { Me } from './filter.ts'
import { everyCountKey, everyTicketKey, tellTickets } from './lists.ts'
import type { News } from './loaded.ts'
import { heard } from './own-moves.ts'
import { renamed } from './renamed.ts'

/** One frame: a delete and the update that follows it are one change, and twenty messages a second are one drawing. */
const gatherMs = 16
/** A badge may be this late when the list is too long to count itself. */
const recountMs = 500

/** Keeps every list and every open ticket true to what the server tells, for as long as the screen is drawn. */
export function useTicketNews(): void {
  const client = useQueryClient()
  const me = useSession().user
  const gathered = useRef<News[]>([])
  const flush = useEffectEvent(() => {
    const news = gathered.current
    gathered.current = []
    if (me && news.length > 0) tellTickets(client, me, news)
  })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const tell = (news: News) => {
    if (gathered.current.push(news) === 1) timer.current = setTimeout(flush, gatherMs)
  }

  const recount = useThrottledCallback(() => void client.invalidateQueries({ queryKey: everyCountKey }), recountMs)
  useRoom('tickets', 'open')
  useRoom('tickets', 'pending')
  useLive(topics.ticket, (payload) => {
    heard('ticket' in payload ? payload.ticket : { id: payload.ticketId })
    if ('ticket' in payload) tell({ kind: 'put', ticket: payload.ticket })
    else tell({ kind: payload.action === 'delete' ? 'gone' : 'read', id: payload.ticketId })
    if (payload.action !== 'updateUnread') recount()
  })
  useLive(topics.message, (payload) => {
    if (payload.action === 'create') tell({ kind: 'put', ticket: payload.ticket })
    else tell({ kind: 'ack', message: payload.message })
  })
  useNames(tell)
  useRereading(me)
}

/** Rows carry names and colours of other records; who changes those does not touch the ticket. */
function useNames(tell: (news: News) => void): void {
  const patch = (how: (ticket: Ticket) => Ticket) => tell({ kind: 'patch', patch: how })
  useNews(contactsApi.topic, (news) => news.action === 'update' && patch(renamed.contact(news.row)))
  useNews(queuesApi.topic, (news) => news.action === 'update' && patch(renamed.queue(news.row)))
  useNews(connectionsApi.topic, (news) => news.action === 'update' && patch(renamed.line(news.row)))
  useNews(tagsApi.topic, (news) => {
    if (news.action === 'delete') patch(renamed.withoutTag(news.id))
    else if (news.action === 'update') patch(renamed.tag(news.row))
  })
}

/** After a gap, after a change of what this person may see, and when the screen opens again: read, do not trust. */
function useRereading(me: Me | null): void {
  const client = useQueryClient()
  const again = useEffectEvent(() => void client.invalidateQueries({ queryKey: everyTicketKey }))
  useResync(again)
  const rights = me ? `${me.profile} ${me.allTicket} ${me.queues.map((queue) => queue.id).join()}` : ''
  const known = useRef(rights)
  useEffect(() => {
    if (known.current !== rights) again()
    known.current = rights
  }, [rights])
  useEffect(() => () => void client.invalidateQueries({ queryKey: everyTicketKey, refetchType: 'none' }), [client])
}
