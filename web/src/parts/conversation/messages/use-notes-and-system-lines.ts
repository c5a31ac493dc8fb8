import { type NoteNews, topics } from '@recado/contract/live'
import { type Note, notesApi, type Ticket, type TicketEvent, ticketsApi } from '@recado/contract/tickets'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useLiveTopic, useResync } from '../../../lib/live.ts'
import { updateCachedQuery, useRefetchQuery } from '../../../lib/query-cache.ts'
import { ticketEventsKey } from '../../ticket/ticket-cache.ts'
import { type SystemLine, toSystemLines } from './system-lines.ts'

export const notesKey = (ticketId: number) => ['ticket-notes', ticketId] as const

/** The team's notes about this contact, oldest first. */
export function useNotes({ id, contactId }: Ticket): Note[] {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: notesKey(id),
    queryFn: ({ signal }) => callApi(notesApi.list, { query: { ticketId: id } }, { signal }),
  })
  useLiveTopic(topics.note, (news) => {
    updateCachedQuery<Note[]>(client, notesKey(id), (notes) => applyNoteNews(notes, news, contactId))
  })
  useResync(useRefetchQuery(notesKey(id)))
  const notes = query.data
  return useMemo(() => notes?.toReversed() ?? [], [notes])
}

export function applyNoteNews(notes: Note[], news: NoteNews, contactId: number): Note[] {
  if (news.action === 'delete') return notes.filter((one) => one.id !== news.noteId)
  if (news.note.contactId !== contactId || notes.some((one) => one.id === news.note.id)) return notes
  return [news.note, ...notes]
}

/** Changes to the ticket, oldest first. Loaded after the messages, without blocking them. */
export function useSystemLines(ticket: Ticket, enabled: boolean): SystemLine[] {
  const { id, status, userId, queueId, whatsappId, contact } = ticket
  // Every event of a ticket changes one of these values, so the key reloads the events.
  const key = [...ticketEventsKey(id), status, userId, queueId, whatsappId, contact.number]
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readTicketEvents(id, signal),
    enabled,
    placeholderData: (before, last) => (last?.queryKey[1] === id ? keepPreviousData(before) : undefined),
    refetchOnWindowFocus: false,
    staleTime: 60_000,
    // The conversation works without these events, so a failure is not retried.
    retry: false,
  })
  useResync(useRefetchQuery(key))
  const events = query.data
  return useMemo(() => toSystemLines(events ?? []), [events])
}

/**
 * Loads the last fifty actions on the ticket. Mere arrivals of messages are left out, because the messages show them.
 */
async function readTicketEvents(id: number, signal: AbortSignal): Promise<TicketEvent[]> {
  const { events } = await callApi(ticketsApi.happenings, { params: { id }, query: { deeds: true } }, { signal })
  return events
}
