import { ticketsApi } from '@recado/contract/tickets'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { filterPeople, findMentionedIds, findMentionQuery, type MentionPerson } from './mention-text.ts'

/** Maximum number of suggestions; to find further people the user types another letter. */
const maxSuggestions = 8

export type MentionListState = {
  isOpen: boolean
  people: MentionPerson[]
  activeIndex: number
  setActiveIndex: (at: number) => void
}

type MentionOptions = {
  ticketId: number
  queueId?: number | undefined
  isEnabled: boolean
  text: string
  element: () => HTMLTextAreaElement | null
}

/** Mention suggestions for a note: loaded at the first `@`, selected by keyboard or pointer. */
export function useMentions({ ticketId, queueId, isEnabled, text, element }: MentionOptions) {
  const [mentionQuery, setMentionQuery] = useState<{ from: number; query: string } | null>(null)
  const [at, setAt] = useState(0)
  const client = useQueryClient()
  const { data: people = noPeople } = useQuery({
    ...mentionPeopleQuery(ticketId, queueId),
    enabled: isEnabled && text.includes('@'),
  })
  const shown = isEnabled && mentionQuery ? filterPeople(people, mentionQuery.query).slice(0, maxSuggestions) : []
  const open = shown.length > 0
  const close = () => setMentionQuery(null)
  const pick = ({ name }: MentionPerson) => {
    const area = element()
    if (!area || !mentionQuery) return
    area.focus()
    area.setRangeText(`@${name} `, mentionQuery.from, area.selectionStart, 'end')
    area.dispatchEvent(new Event('input', { bubbles: true }))
    close()
  }
  return {
    list: {
      isOpen: open,
      people: shown,
      activeIndex: Math.min(at, shown.length - 1),
      setActiveIndex: setAt,
    } satisfies MentionListState,
    pick,
    close,
    /** Must be called after every change of the text. */
    updateQuery: () => {
      const area = element()
      setMentionQuery(isEnabled && area ? findMentionQuery(area.value, area.selectionStart) : null)
      setAt(0)
    },
    /** Returns true when the list handled the key. */
    handleKey(event: KeyboardEvent): boolean {
      if (!open) return false
      const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const chosen = shown[Math.min(at, shown.length - 1)]
      if (move) setAt((at + move + shown.length) % shown.length)
      else if (event.key === 'Escape') close()
      else if ((event.key === 'Enter' || event.key === 'Tab') && chosen && !event.shiftKey) pick(chosen)
      else return false
      event.preventDefault()
      // Escape closes only the topmost element.
      event.stopPropagation()
      return true
    },
    /** The users mentioned in the text being sent. */
    findMentioned: async (noteText: string): Promise<number[]> =>
      noteText.includes('@')
        ? findMentionedIds(noteText, await client.ensureQueryData(mentionPeopleQuery(ticketId, queueId)))
        : [],
  }
}

const noPeople: MentionPerson[] = []
/** `queueId`: the target queue of a transfer. */
const mentionPeopleQuery = (ticketId: number, queueId?: number) =>
  queryOptions({
    queryKey: ['ticket-people', ticketId, queueId ?? null],
    queryFn: ({ signal }) => callApi(ticketsApi.people, { params: { id: ticketId }, query: { queueId } }, { signal }),
    staleTime: 60_000,
  })
