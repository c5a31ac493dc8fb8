import type { BoardCard } from '@recado/contract/board/board'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleTicket } from '../../parts/ticket/sample-ticket.ts'
import type { TicketViewer } from '../../parts/ticket/ticket-filter.ts'
import {
  addBoardPage,
  applyBoardNews,
  applyPendingMoves,
  emptyBoardFilter,
  isOnBoard,
  type KanbanBoard,
  type LaneId,
} from './kanban-board.ts'
import { parseStoredBoardView } from './use-board-view.ts'
import { formatDurationWords, waitUrgency } from './waiting-time.ts'

const me = { id: 1, profile: 'admin', allTicket: 'enabled', queues: [] } as unknown as TicketViewer
const lanes: LaneId[] = [null, 1, 2]
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
const card = (id: number, laneId: LaneId, minute = id): BoardCard =>
  sampleTicket({ id, laneId, status: 'open', updatedAt: at(minute) })
const newest = (a: BoardCard, b: BoardCard) =>
  a.updatedAt === b.updatedAt ? b.id - a.id : a.updatedAt < b.updatedAt ? 1 : -1
/** The server's response for these cards. */
const read = (cards: BoardCard[]): KanbanBoard => ({
  lanes: [],
  areCountsStale: false,
  columns: lanes.map((laneId) => {
    const own = cards.filter((one) => one.laneId === laneId).sort(newest)
    return { laneId, count: own.length, cards: own, next: null }
  }),
})
const cardIdsByLane = (board: KanbanBoard) =>
  board.columns.map(({ laneId, count, cards }) => [laneId, count, cards.map((c) => c.id)])

describe('board', () => {
  test('is the same after events as after a reload', () => {
    const change = fc.record({
      id: fc.integer({ min: 1, max: 6 }),
      laneId: fc.constantFrom(...lanes),
      closed: fc.boolean(),
      gone: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const all = new Map<number, BoardCard>()
        let board = read([])
        changes.forEach(({ id, laneId, closed, gone }, i) => {
          if (gone) {
            all.delete(id)
            board = applyBoardNews(board, { kind: 'gone', id }, emptyBoardFilter, me)
            return
          }
          const next = { ...card(id, laneId, i), status: closed ? ('closed' as const) : ('open' as const) }
          if (closed) all.delete(id)
          else all.set(id, next)
          board = applyBoardNews(board, { kind: 'put', ticket: next }, emptyBoardFilter, me)
        })
        expect(cardIdsByLane(board)).toEqual(cardIdsByLane(read([...all.values()])))
      }),
    )
  })

  test('marks its counts as stale after an event about a card that was not loaded', () => {
    const long: KanbanBoard = {
      ...read([card(5, null)]),
      columns: read([card(5, null)]).columns.map((c) => ({
        ...c,
        next: c.laneId === null ? 'x' : null,
        count: c.laneId === null ? 30 : c.count,
      })),
    }
    const told = applyBoardNews(long, { kind: 'put', ticket: card(3, null, 99) }, emptyBoardFilter, me)
    expect([told.areCountsStale, told.columns[0]?.count, told.columns[0]?.cards.map((c) => c.id)]).toEqual([
      true,
      30,
      [3, 5],
    ])
    expect(applyBoardNews(long, { kind: 'gone', id: 77 }, emptyBoardFilter, me).areCountsStale).toBe(true)
  })

  test('keeps a dragged or moving card in the lane where it is shown', () => {
    const board = read([card(1, null), card(2, 1)])
    const shown = applyPendingMoves(board, new Map([[1, 2]]))
    expect(cardIdsByLane(shown)).toEqual([
      [null, 0, []],
      [1, 1, [2]],
      [2, 1, [1]],
    ])
    expect(applyPendingMoves(board, new Map([[9, 2]]))).toBe(board)
    expect(applyPendingMoves(board, new Map([[1, 404]]))).toBe(board)
  })

  test('adds the next page without duplicating a card', () => {
    const board = addBoardPage(read([card(9, null), card(4, null)]), {
      laneId: null,
      count: 3,
      next: null,
      cards: [card(4, null), card(2, null)],
    })
    expect(board.columns[0]).toMatchObject({ count: 3, next: null })
    expect(board.columns[0]?.cards.map((c) => c.id)).toEqual([9, 4, 2])
  })

  test('shows only cards that match the filter', () => {
    const one = { ...card(1, null), queueId: 7, userId: 3, lastMessage: '¿Cañerías?' }
    expect(isOnBoard(one, { ...emptyBoardFilter, queueIds: [7], users: [3], search: 'canerias' }, me)).toBe(true)
    for (const wrong of [{ queueIds: [8] }, { users: [4] }, { tags: [1] }, { search: 'grifo' }])
      expect(isOnBoard(one, { ...emptyBoardFilter, ...wrong }, me)).toBe(false)
  })
})

test('restores only valid parts of a stored view', () => {
  expect(parseStoredBoardView(null).filter).toEqual(emptyBoardFilter)
  expect(parseStoredBoardView({ queueIds: [1, 'x'], search: 5, folded: [0, 3] })).toEqual({
    filter: { ...emptyBoardFilter, queueIds: [1] },
    folded: [0, 3],
  })
})

test('shows waiting times in short form', () => {
  const words = {
    now: 'now',
    minutes: (n: number) => `${n}m`,
    hours: (n: number) => `${n}h`,
    days: (n: number) => `${n}d`,
  }
  const minute = 60_000
  expect([5000, 6 * minute, 125 * minute, 3000 * minute].map((ms) => formatDurationWords(ms, words))).toEqual([
    'now',
    '6m',
    '2h',
    '2d',
  ])
  expect([14, 15, 30].map((n) => waitUrgency(n * minute))).toEqual([undefined, 'soon', 'late'])
})
