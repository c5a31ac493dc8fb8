import { ticketsApi } from '@recado/contract/tickets'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { call } from '../../lib/api.ts'
import { askedAt, mentionedIn, type Named, peopleFor } from './mentioning.ts'

/** Enough to choose from; who has more colleagues types another letter. */
const most = 8

export type MentionList = { open: boolean; shown: Named[]; at: number; point: (at: number) => void }

type Given = {
  ticketId: number
  queueId?: number | undefined
  on: boolean
  text: string
  element: () => HTMLTextAreaElement | null
}

/** Who can be named in a note: asked for with the first `@`, chosen with the keys of the text or with the pointer. */
export function useMentions({ ticketId, queueId, on, text, element }: Given) {
  const [asked, setAsked] = useState<{ from: number; query: string } | null>(null)
  const [at, setAt] = useState(0)
  const client = useQueryClient()
  const { data: people = nobody } = useQuery({ ...peopleOf(ticketId, queueId), enabled: on && text.includes('@') })
  const shown = on && asked ? peopleFor(people, asked.query).slice(0, most) : []
  const open = shown.length > 0
  const close = () => setAsked(null)
  const pick = ({ name }: Named) => {
    const area = element()
    if (!area || !asked) return
    area.focus()
    area.setRangeText(`@${name} `, asked.from, area.selectionStart, 'end')
    area.dispatchEvent(new Event('input', { bubbles: true }))
    close()
  }
  return {
    list: { open, shown, at: Math.min(at, shown.length - 1), point: setAt } satisfies MentionList,
    pick,
    close,
    /** After every change of the text. */
    look: () => {
      const area = element()
      setAsked(on && area ? askedAt(area.value, area.selectionStart) : null)
      setAt(0)
    },
    /** True when the key was for the list. */
    onKey(event: KeyboardEvent): boolean {
      if (!open) return false
      const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const chosen = shown[Math.min(at, shown.length - 1)]
      if (move) setAt((at + move + shown.length) % shown.length)
      else if (event.key === 'Escape') close()
      else if ((event.key === 'Enter' || event.key === 'Tab') && chosen && !event.shiftKey) pick(chosen)
      else return false
      event.preventDefault()
      // Escape closes the topmost thing only.
      event.stopPropagation()
      return true
    },
    /** Whom the text names, as it is sent. */
    mentioned: async (said: string): Promise<number[]> =>
      said.includes('@') ? mentionedIn(said, await client.ensureQueryData(peopleOf(ticketId, queueId))) : [],
  }
}

const nobody: Named[] = []
/** `queueId`: where it is about to wait. */
const peopleOf = (ticketId: number, queueId?: number) =>
  queryOptions({
    queryKey: ['ticket-people', ticketId, queueId ?? null],
    queryFn: ({ signal }) => call(ticketsApi.people, { params: { id: ticketId }, query: { queueId } }, { signal }),
    staleTime: 60_000,
  })
