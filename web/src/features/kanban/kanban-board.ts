import type { BoardCard, BoardColumn, Lane } from '@recado/contract/board/board'
import type { Ticket } from '@recado/contract/tickets'
import { isTicketVisibleTo, toTicketVisibilityUser } from '@recado/contract/visibility'
import type { TicketListNews } from '../../parts/ticket/loaded-tickets.ts'
import { compareTickets, matchesSearch, type TicketViewer } from '../../parts/ticket/ticket-filter.ts'

export type LaneId = number | null
/** The loaded part of the board: the count and the newest cards of each lane. */
export type KanbanBoard = {
  lanes: Lane[]
  columns: BoardColumn[]
  /** Whether the counts may be wrong, because there was an event about a card that is not loaded. */
  areCountsStale: boolean
}
export type BoardFilter = { queueIds: number[]; users: number[]; tags: number[]; search: string }

export const emptyBoardFilter: BoardFilter = { queueIds: [], users: [], tags: [], search: '' }

const compareCards = compareTickets('newest')

/** Whether a ticket is on the board, by the same conditions as on the server. */
export function isOnBoard(ticket: Ticket, filter: BoardFilter, me: TicketViewer): boolean {
  if (ticket.status === 'closed' || !isTicketVisibleTo(toTicketVisibilityUser(me), ticket)) return false
  if (filter.queueIds.length && !filter.queueIds.includes(ticket.queueId ?? 0)) return false
  if (filter.users.length && !filter.users.includes(ticket.userId ?? 0)) return false
  return filter.tags.every((id) => ticket.tags.some((tag) => tag.id === id)) && matchesSearch(ticket, filter.search)
}

/** Applies an event to the board, with the same result as a reload. */
export function applyBoardNews(
  board: KanbanBoard,
  news: TicketListNews,
  filter: BoardFilter,
  me: TicketViewer,
): KanbanBoard {
  if (news.kind === 'put') return putCard(board, news.ticket, filter, me)
  if (news.kind === 'gone') return withoutCard(board, news.id)
  if (news.kind === 'patch') return mapCards(board, news.patch)
  if (news.kind === 'read')
    return mapCards(board, (card) =>
      card.id === news.id && card.unreadMessages ? { ...card, unreadMessages: 0 } : card,
    )
  const { id, ticketId, ack } = news.message
  return mapCards(board, (card) =>
    card.id === ticketId && card.last?.id === id && card.last.ack !== ack
      ? { ...card, last: { ...card.last, ack } }
      : card,
  )
}

export const findCard = (board: KanbanBoard, id: number): BoardCard | undefined => {
  for (const { cards } of board.columns) for (const card of cards) if (card.id === id) return card
  return undefined
}

function putCard(board: KanbanBoard, ticket: Ticket, filter: BoardFilter, me: TicketViewer): KanbanBoard {
  const knownCard = findCard(board, ticket.id)
  if (knownCard && ticket.updatedAt < knownCard.updatedAt) return board
  const rest = withoutCard(board, ticket.id)
  if (!isOnBoard(ticket, filter, me)) return rest
  // Only the server knows whether a ticket that is not loaded was already counted.
  const counts = knownCard !== undefined || board.columns.every(({ next }) => next === null)
  const columns = rest.columns.map((column) => {
    if (column.laneId !== ticket.laneId) return column
    const at = insertionIndex(column.cards, ticket)
    const count = counts ? column.count + 1 : column.count
    // A card beyond the last loaded card is loaded with its page, unless it was already shown on the board.
    if (at === column.cards.length && column.next !== null && !knownCard) return { ...column, count }
    return { ...column, count, cards: column.cards.toSpliced(at, 0, ticket) }
  })
  return { ...rest, columns, areCountsStale: board.areCountsStale || !counts }
}

function insertionIndex(cards: BoardCard[], card: BoardCard): number {
  const at = cards.findIndex((one) => compareCards(one, card) > 0)
  return at < 0 ? cards.length : at
}

function withoutCard(board: KanbanBoard, id: number): KanbanBoard {
  let found = false
  const columns = board.columns.map((column) => {
    const at = column.cards.findIndex((card) => card.id === id)
    if (at < 0) return column
    found = true
    return { ...column, count: column.count - 1, cards: column.cards.toSpliced(at, 1) }
  })
  if (found) return { ...board, columns }
  return board.areCountsStale || board.columns.every(({ next }) => next === null)
    ? board
    : { ...board, areCountsStale: true }
}

function mapCards(board: KanbanBoard, change: (card: BoardCard) => BoardCard): KanbanBoard {
  let changed = false
  const columns = board.columns.map((column) => {
    const cards = column.cards.map(change)
    if (cards.every((card, i) => card === column.cards[i])) return column
    changed = true
    return { ...column, cards }
  })
  return changed ? { ...board, columns } : board
}

/** Appends the next page of a lane. */
export function addBoardPage(board: KanbanBoard, page: BoardColumn): KanbanBoard {
  const here = new Set(board.columns.flatMap(({ cards }) => cards.map(({ id }) => id)))
  const fresh = page.cards.filter(({ id }) => !here.has(id))
  const columns = board.columns.map((column) =>
    column.laneId === page.laneId
      ? { ...column, count: page.count, next: page.next, cards: [...column.cards, ...fresh].sort(compareCards) }
      : column,
  )
  return { ...board, columns }
}

/** Keeps held or moving cards in their target lanes, whatever events arrive in the meantime. */
export function applyPendingMoves(board: KanbanBoard, moves: ReadonlyMap<number, LaneId>): KanbanBoard {
  let result = board
  for (const [id, laneId] of moves) {
    const card = findCard(result, id)
    if (!card || card.laneId === laneId || !result.columns.some((column) => column.laneId === laneId)) continue
    const moved = { ...card, laneId }
    const columns = withoutCard(result, id).columns.map((column) =>
      column.laneId === laneId
        ? {
            ...column,
            count: column.count + 1,
            cards: column.cards.toSpliced(insertionIndex(column.cards, moved), 0, moved),
          }
        : column,
    )
    result = { ...result, columns }
  }
  return result
}

/** Replaces the counts of the board by the counts of another response. */
export function updateBoardCounts(board: KanbanBoard, { columns }: Pick<KanbanBoard, 'columns'>): KanbanBoard {
  const counts = new Map(columns.map(({ laneId, count }) => [laneId, count]))
  return {
    ...board,
    areCountsStale: false,
    columns: board.columns.map((column) => ({ ...column, count: counts.get(column.laneId) ?? column.count })),
  }
}
