import { topics } from '@recado/contract/live'
import { type Note, notesApi, type Ticket } from '@recado/contract/tickets'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { useLiveTopic, useResync } from '../../../lib/live.ts'
import { updateCachedQuery, useRefetchQuery } from '../../../lib/query-cache.ts'
import { applyNoteNews, notesKey } from '../../../parts/conversation/messages/use-notes-and-system-lines.ts'

/** The notes about this contact, newest first: the same as in the conversation. */
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
    /** Own changes show at once; their events then change nothing. */
    add: async (note: string, mentions: number[]) =>
      applyNews({ action: 'create', note: await callApi(notesApi.create, { body: { note, ticketId: id, mentions } }) }),
    remove: async (note: Note) => {
      await callApi(notesApi.remove, { params: { id: note.id } })
      applyNews({ action: 'delete', noteId: note.id, ticketId: note.ticketId })
    },
  }
}
