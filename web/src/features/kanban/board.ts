import type { Card, Column, Lane } from '@recado/contract/board/board'
import { eyesOf, maySee } from '@recado/contract/sight'
import type { Ticket } from '@recado/contract/tickets'
import { inOrder, type Me, mentions } from '../../parts/ticket/filter.ts'
import type { News } from '../../parts/ticket/loaded.ts'

export type LaneId = number | null
/** The board as far as it has been read: of each lane the count and its newest cards. */
export type Board = {
  lanes: Lane[]
  columns: Column[]
  /** A count may be wrong: something was told of a card that has not been read. */
  unsure: boolean
}
export type Filter = { queueIds: number[]; users: number[]; tags: number[]; search: string }

export const noFilter: Filter = { queueIds: [], users: [], tags: [], search: '' }

const order = inOrder('newest')

/** Whether a ticket is on the board: the server's own conditions. */
export function belongs(ticket: Ticket, filter: Filter, me: Me): boolean {
  if (ticket.status === 'closed' || !maySee(eyesOf(me), ticket)) return false
  if (filter.queueIds.length && !filter.queueIds.includes(ticket.queueId ?? 0)) return false
  if (filter.users.length && !filter.users.includes(ticket.userId ?? 0)) return false
  return filter.tags.every((id) => ticket.tags.some((tag) => tag.id === id)) && mentions(ticket, filter.search)
}

/** What the board shows after news, which is what it would show if it were read again. */
export function applyNews(board: Board, news: News, filter: Filter, me: Me): Board {
  if (news.kind === 'put') return put(board, news.ticket, filter, me)
  if (news.kind === 'gone') return without(board, news.id)
  if (news.kind === 'patch') return eachCard(board, news.patch)
  if (news.kind === 'read')
    return eachCard(board, (card) =>
      card.id === news.id && card.unreadMessages ? { ...card, unreadMessages: 0 } : card,
    )
  const { id, ticketId, ack } = news.message
  return eachCard(board, (card) =>
    card.id === ticketId && card.last?.id === id && card.last.ack !== ack
      ? { ...card, last: { ...card.last, ack } }
      : card,
  )
}

export const cardIn = (board: Board, id: number): Card | undefined => {
  for (const { cards } of board.columns) for (const card of cards) if (card.id === id) return card
  return undefined
}

function put(board: Board, ticket: Ticket, filter: Filter, me: Me): Board {
  const known = cardIn(board, ticket.id)
  if (known && ticket.updatedAt < known.updatedAt) return board
  const rest = without(board, ticket.id)
  if (!belongs(ticket, filter, me)) return rest
  // Whether what is not here was counted already, only the server knows.
  const counts = known !== undefined || board.columns.every(({ next }) => next === null)
  const columns = rest.columns.map((column) => {
    if (column.laneId !== ticket.laneId) return column
    const at = place(column.cards, ticket)
    const count = counts ? column.count + 1 : column.count
    // Behind the last one read it comes with its page, unless it was seen to come here.
    if (at === column.cards.length && column.next !== null && !known) return { ...column, count }
    return { ...column, count, cards: column.cards.toSpliced(at, 0, ticket) }
  })
  return { ...rest, columns, unsure: board.unsure || !counts }
}

function place(cards: Card[], card: Card): number {
  const at = cards.findIndex((one) => order(one, card) > 0)
  return at < 0 ? cards.length : at
}

function without(board: Board, id: number): Board {
  let found = false
  const columns = board.columns.map((column) => {
    const at = column.cards.findIndex((card) => card.id === id)
    if (at < 0) return column
    found = true
    return { ...column, count: column.count - 1, cards: column.cards.toSpliced(at, 1) }
  })
  if (found) return { ...board, columns }
  return board.unsure || board.columns.every(({ next }) => next === null) ? board : { ...board, unsure: true }
}

function eachCard(board: Board, change: (card: Card) => Card): Board {
  let changed = false
  const columns = board.columns.map((column) => {
    const cards = column.cards.map(change)
    if (cards.every((card, i) => card === column.cards[i])) return column
    changed = true
    return { ...column, cards }
  })
  return changed ? { ...board, columns } : board
}

/** The next page of a lane, below what is there. */
export function withPage(board: Board, page: Column): Board {
  const here = new Set(board.columns.flatMap(({ cards }) => cards.map(({ id }) => id)))
  const fresh = page.cards.filter(({ id }) => !here.has(id))
  const columns = board.columns.map((column) =>
    column.laneId === page.laneId
      ? { ...column, count: page.count, next: page.next, cards: [...column.cards, ...fresh].sort(order) }
      : column,
  )
  return { ...board, columns }
}

/** Where cards stand that are on their way or in somebody's hand, whatever is told meanwhile. */
export function withMoves(board: Board, moves: ReadonlyMap<number, LaneId>): Board {
  let shown = board
  for (const [id, laneId] of moves) {
    const card = cardIn(shown, id)
    if (!card || card.laneId === laneId || !shown.columns.some((column) => column.laneId === laneId)) continue
    const moved = { ...card, laneId }
    const columns = without(shown, id).columns.map((column) =>
      column.laneId === laneId
        ? { ...column, count: column.count + 1, cards: column.cards.toSpliced(place(column.cards, moved), 0, moved) }
        : column,
    )
    shown = { ...shown, columns }
  }
  return shown
}

/** The counts of another reading. */
export function withCounts(board: Board, { columns }: Pick<Board, 'columns'>): Board {
  const counts = new Map(columns.map(({ laneId, count }) => [laneId, count]))
  return {
    ...board,
    unsure: false,
    columns: board.columns.map((column) => ({ ...column, count: counts.get(column.laneId) ?? column.count })),
  }
}
