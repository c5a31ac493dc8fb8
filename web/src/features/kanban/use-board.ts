import { useThrottledCallback } from '@mantine/hooks'
import { boardApi } from '@recado/contract/board/board'
import { tagsApi } from '@recado/contract/tags'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { callApi } from '../../lib/api.ts'
import { useRecordNews } from '../../lib/live.ts'
import { createNewsReplay } from '../../lib/news-replay.ts'
import { useSession } from '../../lib/session.tsx'
import type { TicketListNews } from '../../parts/ticket/loaded-tickets.ts'
import { allTicketsKey, subscribeToTicketNews } from '../../parts/ticket/ticket-cache.ts'
import type { TicketViewer } from '../../parts/ticket/ticket-filter.ts'
import {
  addBoardPage,
  applyBoardNews,
  type BoardFilter,
  type KanbanBoard,
  type LaneId,
  updateBoardCounts,
} from './kanban-board.ts'

// The key starts with the tickets' query key: invalidating ticket lists also invalidates the board.
const boardKey = (filter: BoardFilter) => [...allTicketsKey, 'board', filter] as const
/** Maximum delay of a count when the board is too long to be counted locally. */
const recountMs = 1000
/**
 * The delay before lanes are read again. Lanes change rarely, but reordering changes ten at once, so their reloads are
 * joined.
 */
const rereadMs = 200
/** How many pages of a lane are read again at once after missed events; further pages load again by scrolling. */
const maxPagesReread = 5

const newsReplay = createNewsReplay<TicketListNews>()

const toBoardQuery = ({ queueIds, users, tags, search }: BoardFilter) => ({
  ...(queueIds.length > 0 && { queueIds: JSON.stringify(queueIds) }),
  ...(users.length > 0 && { users: JSON.stringify(users) }),
  ...(tags.length > 0 && { tags: JSON.stringify(tags) }),
  ...(search && { searchParam: search }),
})
const readLanePage = (filter: BoardFilter, laneId: LaneId, after: string) =>
  callApi(boardApi.more, { query: { ...toBoardQuery(filter), laneId: laneId ?? 'lane0', after } })

async function readBoard(
  client: QueryClient,
  filter: BoardFilter,
  me: TicketViewer,
  signal: AbortSignal,
): Promise<KanbanBoard> {
  const before = client.getQueryData<KanbanBoard>(boardKey(filter))
  const { page, news } = await newsReplay.runWithNews(async () => {
    let board: KanbanBoard = {
      ...(await callApi(boardApi.show, { query: toBoardQuery(filter) }, { signal })),
      areCountsStale: false,
    }
    for (const { laneId, next, cards } of board.columns) {
      const had = before?.columns.find((column) => column.laneId === laneId)?.cards.length ?? 0
      let [read, after] = [cards.length, next]
      for (let pages = 1; read < had && after !== null && pages < maxPagesReread; pages++) {
        const more = await readLanePage(filter, laneId, after)
        board = addBoardPage(board, more)
        read += more.cards.length
        after = more.next
      }
    }
    return board
  })
  return news.reduce((board, one) => applyBoardNews(board, one, filter, me), page)
}

/** The board, kept current by live events while the screen is mounted. */
export function useBoard(filter: BoardFilter) {
  const client = useQueryClient()
  const me = useSession().user as TicketViewer
  const key = boardKey(filter)
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readBoard(client, filter, me, signal),
    placeholderData: (before) => before,
    refetchOnWindowFocus: false,
  })
  const change = (how: (board: KanbanBoard) => KanbanBoard) =>
    client.setQueryData<KanbanBoard>(key, (board) => board && how(board))

  const recount = useThrottledCallback(async () => {
    const read = () => callApi(boardApi.show, { query: toBoardQuery(filter) }).catch(() => null)
    const { page, news } = await newsReplay.runWithNews(read)
    if (page) change((board) => updateBoardCounts(board, page))
    // The response may not include changes made since the request, so the cards are counted again.
    if (news.length > 0) void recount()
  }, recountMs)
  const hear = useEffectEvent((news: TicketListNews[]) => {
    newsReplay.record(...news)
    const after = change((board) => news.reduce((now, one) => applyBoardNews(now, one, filter, me), board))
    if (after?.areCountsStale) void recount()
  })
  useEffect(() => subscribeToTicketNews(hear), [])

  const reread = useThrottledCallback(() => void client.invalidateQueries({ queryKey: key }), rereadMs)
  useRecordNews(tagsApi.topic, (news) => {
    const isLane = (id: number) => query.data?.lanes.some((lane) => lane.id === id)
    if (news.action === 'delete' ? isLane(news.id) : news.row.kanban === 1 || isLane(news.row.id)) reread()
  })

  const reading = useRef(new Set<LaneId>())
  async function loadMoreCards(laneId: LaneId): Promise<void> {
    const next = client.getQueryData<KanbanBoard>(key)?.columns.find((column) => column.laneId === laneId)?.next
    if (!next || reading.current.has(laneId)) return
    reading.current.add(laneId)
    try {
      const { page, news } = await newsReplay.runWithNews(() => readLanePage(filter, laneId, next))
      change((board) => news.reduce((now, one) => applyBoardNews(now, one, filter, me), addBoardPage(board, page)))
    } finally {
      reading.current.delete(laneId)
    }
  }
  return {
    board: query.data,
    error: query.error,
    retry: () => void query.refetch(),
    loadMore: loadMoreCards,
    refetch: reread,
  }
}
