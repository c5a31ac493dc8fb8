import type { BoardCard } from '@recado/contract/board/board'
import { type KeyboardEvent, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import type { LaneId } from './kanban-board.ts'
import { kanbanTexts } from './texts.ts'

export type HeldCard = { card: BoardCard; from: LaneId; moveOver: LaneId; heldBy: 'pointer' | 'keys' }

type CarryOptions = {
  lanes: LaneId[]
  laneName: (laneId: LaneId) => string
  move: (card: BoardCard, to: LaneId) => Promise<void>
  /** Keeps the keyboard focus on the card after a drop. */
  keepFocusOn: (id: number) => void
}

/** A card being dragged, and its screen reader announcements. */
export function useCarryCard({ lanes, laneName, move, keepFocusOn }: CarryOptions) {
  const words = useTexts(kanbanTexts)
  const [held, setHeld] = useState<HeldCard | null>(null)
  const [said, setSaid] = useState('')

  const take = (card: BoardCard, by: HeldCard['heldBy']) => {
    setHeld({ card, from: card.laneId, moveOver: card.laneId, heldBy: by })
    setSaid(words.taken(card.contact.name, laneName(card.laneId)))
  }
  const over = (laneId: LaneId) => {
    if (!held || held.moveOver === laneId) return
    setHeld({ ...held, moveOver: laneId })
    setSaid(words.over(laneName(laneId)))
  }
  const drop = (to: LaneId) => {
    if (!held) return
    setHeld(null)
    const { card, from, heldBy: by } = held
    if (to === from) return setSaid(words.back(card.contact.name, laneName(from)))
    setSaid(words.dropped(card.contact.name, laneName(to)))
    if (by === 'keys') keepFocusOn(card.id)
    void move({ ...card, laneId: from }, to)
  }
  const cancel = () => {
    if (!held) return
    setHeld(null)
    setSaid(words.back(held.card.contact.name, laneName(held.from)))
  }

  /** Space picks up and drops, arrows choose the lane, Escape cancels. Returns true when the key was handled. */
  function onKeyDown(event: KeyboardEvent, card: BoardCard): boolean {
    const mine = held?.heldBy === 'keys' && held.card.id === card.id
    if (event.key === ' ') {
      if (mine) drop(held.moveOver)
      else if (!held) take(card, 'keys')
    } else if (!mine) return false
    else if (event.key === 'Escape') cancel()
    else if (event.key === 'Enter') drop(held.moveOver)
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const at = lanes.indexOf(held.moveOver) + (event.key === 'ArrowLeft' ? -1 : 1)
      const next = lanes[at]
      if (next !== undefined) over(next)
    } else if (event.key === 'Tab') {
      cancel()
      return false
    }
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return { heldCard: held, announcement: said, pickUp: take, over, drop, cancel, onKeyDown }
}
export type CarryCard = ReturnType<typeof useCarryCard>
