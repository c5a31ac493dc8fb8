import { topics } from '@recado/contract/live'
import { type Note, notesApi, type Ticket } from '@recado/contract/tickets'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { useLiveTopic, useResync } from '../../../lib/live.ts'
import { updateCachedQuery, useRefetchQuery } from '../../../lib/query-cache.ts'
import { applyNoteNews, notesKey } from '../../../parts/conversation/messages/use-notes-and-system-lines.ts'

/** The notes about this contact, newest first; the conversation shows the same notes. */
export function useContactNotes({ id, contactId }: Ticket) {
  const client = useQueryClient()
  const key = notesKey(id)
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callApi(notesApi.list, { query: { ticketId: id } }, { signal }),
  })
  const applyNews = (news: Parameters<typeof applyNoteNews>[1]) =>
    updateCachedQuery<Note[]>(client, key, (notes) => applyNoteNews(notes, news, contactId))
  useLiveTopic(topics.note, applyNews)
  useResync(useRefetchQuery(key))
  return {
    ...query,
    notes: query.data ?? [],
    /** The user's own changes show at once; the events about them then change nothing. */
    add: async (note: string, mentions: number[]) =>
      applyNews({ action: 'create', note: await callApi(notesApi.create, { body: { note, ticketId: id, mentions } }) }),
    remove: async (note: Note) => {
      await callApi(notesApi.remove, { params: { id: note.id } })
      applyNews({ action: 'delete', noteId: note.id, ticketId: note.ticketId })
    },
  }
}
