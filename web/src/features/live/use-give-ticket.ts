import type { LivePerson, LiveTicket } from '@recado/contract/routing/live'
import { ticketsApi } from '@recado/contract/tickets'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { currentTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import { isAway, isFull } from './person-state.ts'
import { liveTexts } from './texts.ts'

/** How long the server accepts an undo. */
const undoMs = 6000

/** A card on the page. `holderId` null: it waits. */
export type HeldTicket = { ticket: LiveTicket; holderId: number | null }

/** Gives tickets to people. A card shows its new place at once, and returns if the server refuses. */
export function useGiveTicket(refetch: () => Promise<unknown>) {
  const [moves, setMoves] = useState<ReadonlyMap<number, number>>(new Map())
  const endMove = (id: number) => setMoves((before) => new Map([...before].filter(([ticketId]) => ticketId !== id)))

  async function give({ ticket, holderId }: HeldTicket, person: LivePerson): Promise<void> {
    const words = currentTexts(liveTexts)
    const { name } = ticket.contact
    if (person.id === holderId) return
    if (isAway(person)) return toast.warn(words.isAway(person.name))
    if (!(await confirmGiving(person))) return
    setMoves((before) => new Map(before).set(ticket.id, person.id))
    const params = { id: ticket.id }
    try {
      const body = { userId: person.id, ...(holderId === null && { status: 'open' as const }) }
      await callApi(ticketsApi.update, { params, body })
      const undo = () => void callApi(ticketsApi.undo, { params }).then(refetch, toast.error)
      toast.ok(words.moved(name, person.name), undefined, {
        id: `moved-${ticket.id}`,
        lasts: undoMs,
        action: { label: words.undo, run: undo },
      })
    } catch (error) {
      toast.error(error, words.notMoved(name))
    }
    await refetch()
    endMove(ticket.id)
  }
  return { moves, give }
}

/** Asks once before a ticket goes to somebody who has no free place or is on a break. */
async function confirmGiving(person: LivePerson): Promise<boolean> {
  const words = currentTexts(liveTexts)
  const isOnBreak = person.availability === 'break'
  if (!isOnBreak && !isFull(person)) return true
  return openConfirm({
    title: words.askFull(person.name),
    consequence: isOnBreak ? words.askBreakLine(person.name) : words.askFullLine(person.name, person.open),
    verb: words.askVerb,
    kind: 'plain',
  })
}
