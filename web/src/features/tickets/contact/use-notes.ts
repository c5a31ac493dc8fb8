import { topics } from '@recado/contract/live'
import { type Note, notesApi, type Ticket } from '@recado/contract/tickets'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { useLive, useResync } from '../../../lib/live.ts'
import { tell, useAgain } from '../../../lib/told.ts'
import { notesKey, withNote } from '../../../parts/conversation/messages/use-around.ts'

/** The notes about this contact, newest first: the same ones that stand in the conversation. */
export function useNoteList({ id, contactId }: Ticket) {
  const client = useQueryClient()
  const key = notesKey(id)
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(notesApi.list, { query: { ticketId: id } }, { signal }),
  })
  const hear = (news: Parameters<typeof withNote>[1]) =>
    tell<Note[]>(client, key, (notes) => withNote(notes, news, contactId))
  useLive(topics.note, hear)
  useResync(useAgain(key))
  return {
    ...query,
    notes: query.data ?? [],
    /** Own writes show at once; their news changes nothing then. */
    add: async (note: string, mentions: number[]) =>
      hear({ action: 'create', note: await call(notesApi.create, { body: { note, ticketId: id, mentions } }) }),
    remove: async (note: Note) => {
      await call(notesApi.remove, { params: { id: note.id } })
      hear({ action: 'delete', noteId: note.id, ticketId: note.ticketId })
    },
  }
}
