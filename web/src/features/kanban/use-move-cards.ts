import { type BoardCard, boardApi, cardMoveUndoMs } from '@recado/contract/board/board'
import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { currentTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { allTicketsKey, publishTicketNews } from '../../parts/ticket/ticket-cache.ts'
import type { TicketViewer } from '../../parts/ticket/ticket-filter.ts'
import { countTicketNews, waitForLaneNews } from '../../parts/ticket/ticket-moves.ts'
import type { LaneId } from './kanban-board.ts'
import { kanbanTexts } from './texts.ts'

/** Events are batched for a frame before they are shown: until then the card stays where it was dropped. */
const waitForBatch = () => new Promise((resolve) => setTimeout(resolve, 60))
const toLaneRef = (laneId: LaneId) => laneId ?? ('lane0' as const)

/** Optimistic moves: a card shows its target lane at once, and returns if the server refuses. */
export function useMoveCards(nameOf: (laneId: LaneId) => string) {
  const client = useQueryClient()
  const me = useSession().user as TicketViewer
  const [moves, setMoves] = useState<ReadonlyMap<number, LaneId>>(new Map())
  const latest = useRef(new Map<number, object>())
  // If the card was moved again in the meantime, that move's response is awaited.
  const finishMove = (id: number, its: object) => {
    if (latest.current.get(id) !== its) return
    latest.current.delete(id)
    setMoves((before) => {
      const next = new Map(before)
      next.delete(id)
      return next
    })
  }

  async function send(card: BoardCard, to: LaneId, from?: LaneId): Promise<boolean> {
    const words = currentTexts(kanbanTexts)
    setMoves((before) => new Map(before).set(card.id, to))
    const its = {}
    latest.current.set(card.id, its)
    const asked = countTicketNews(card.id)
    const word = waitForLaneNews(card.id, to)
    try {
      const body = { laneId: toLaneRef(to), ...(from !== undefined && { from: toLaneRef(from) }) }
      const ticket = await callApi(boardApi.move, { params: { id: card.id }, body })
      // Events since the request are newer than the response: another user may have moved the card again.
      if (countTicketNews(card.id) === asked) publishTicketNews(client, me, [{ kind: 'put', ticket }])
      // After the queries have notified the board of the event: otherwise the card would return for a moment, and lose
      // the keyboard focus.
      void word.then(waitForBatch).then(() => notifyManager.schedule(() => finishMove(card.id, its)))
      return true
    } catch (error) {
      toast.error(error, words.notMoved(card.contact.name))
      void client.invalidateQueries({ queryKey: allTicketsKey })
      finishMove(card.id, its)
      return false
    }
  }

  async function move(card: BoardCard, to: LaneId): Promise<void> {
    const from = card.laneId
    if (from === to || !(await send(card, to))) return
    const words = currentTexts(kanbanTexts)
    const undo = () => void send({ ...card, laneId: to }, from, to)
    toast.ok(words.moved(card.contact.name, nameOf(to)), undefined, {
      id: `moved-${card.id}`,
      lasts: cardMoveUndoMs,
      action: { label: words.undo, run: undo },
    })
  }
  return { moves, move }
}
