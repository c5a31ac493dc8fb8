import { useThrottledCallback } from '@mantine/hooks'
import { boardApi } from '@recado/contract/board/board'
import { tagsApi } from '@recado/contract/tags'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { call } from '../../lib/api.ts'
import { useNews } from '../../lib/live.ts'
import { replay } from '../../lib/replay.ts'
import { useSession } from '../../lib/session.tsx'
import type { Me } from '../../parts/ticket/filter.ts'
import { everyTicketKey, hearTickets } from '../../parts/ticket/lists.ts'
import type { News } from '../../parts/ticket/loaded.ts'
import { applyNews, type Board, type Filter, type LaneId, withCounts, withPage } from './board.ts'

// Below the tickets' own key: what makes their lists be read again does so to the board.
const keyOf = (filter: Filter) => [...everyTicketKey, 'board', filter] as const
/** A count may be this late where the board is too long to count itself. */
const recountMs = 1000
/** Lanes are changed seldom, and ten of them at once when they are ordered. */
const rereadMs = 200
/** After a gap so many pages of a lane are read again at once; the rest comes back by scrolling. */
const pagesAgain = 5

const told = replay<News>()

const asked = ({ queueIds, users, tags, search }: Filter) => ({
  ...(queueIds.length > 0 && { queueIds: JSON.stringify(queueIds) }),
  ...(users.length > 0 && { users: JSON.stringify(users) }),
  ...(tags.length > 0 && { tags: JSON.stringify(tags) }),
  ...(search && { searchParam: search }),
})
const readPage = (filter: Filter, laneId: LaneId, after: string) =>
  call(boardApi.more, { query: { ...asked(filter), laneId: laneId ?? 'lane0', after } })

async function readBoard(client: QueryClient, filter: Filter, me: Me, signal: AbortSignal): Promise<Board> {
  const before = client.getQueryData<Board>(keyOf(filter))
  const { page, news } = await told.since(async () => {
    let board: Board = { ...(await call(boardApi.show, { query: asked(filter) }, { signal })), unsure: false }
    for (const { laneId, next, cards } of board.columns) {
      const had = before?.columns.find((column) => column.laneId === laneId)?.cards.length ?? 0
      let [read, after] = [cards.length, next]
      for (let pages = 1; read < had && after !== null && pages < pagesAgain; pages++) {
        const more = await readPage(filter, laneId, after)
        board = withPage(board, more)
        read += more.cards.length
        after = more.next
      }
    }
    return board
  })
  return news.reduce((board, one) => applyNews(board, one, filter, me), page)
}

/** The board, kept true to what the server tells for as long as the screen is drawn. */
export function useBoard(filter: Filter) {
  const client = useQueryClient()
  const me = useSession().user as Me
  const key = keyOf(filter)
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readBoard(client, filter, me, signal),
    placeholderData: (before) => before,
    refetchOnWindowFocus: false,
  })
  const change = (how: (board: Board) => Board) => client.setQueryData<Board>(key, (board) => board && how(board))

  const recount = useThrottledCallback(async () => {
    const read = () => call(boardApi.show, { query: asked(filter) }).catch(() => null)
    const { page, news } = await told.since(read)
    if (page) change((board) => withCounts(board, page))
    // What came meanwhile may not be among them.
    if (news.length > 0) void recount()
  }, recountMs)
  const hear = useEffectEvent((news: News[]) => {
    told.hear(...news)
    const after = change((board) => news.reduce((now, one) => applyNews(now, one, filter, me), board))
    if (after?.unsure) void recount()
  })
  useEffect(() => hearTickets(hear), [])

  const reread = useThrottledCallback(() => void client.invalidateQueries({ queryKey: key }), rereadMs)
  useNews(tagsApi.topic, (news) => {
    const isLane = (id: number) => query.data?.lanes.some((lane) => lane.id === id)
    if (news.action === 'delete' ? isLane(news.id) : news.row.kanban === 1 || isLane(news.row.id)) reread()
  })

  const reading = useRef(new Set<LaneId>())
  async function more(laneId: LaneId): Promise<void> {
    const next = client.getQueryData<Board>(key)?.columns.find((column) => column.laneId === laneId)?.next
    if (!next || reading.current.has(laneId)) return
    reading.current.add(laneId)
    try {
      const { page, news } = await told.since(() => readPage(filter, laneId, next))
      change((board) => news.reduce((now, one) => applyNews(now, one, filter, me), withPage(board, page)))
    } finally {
      reading.current.delete(laneId)
    }
  }
  return { board: query.data, error: query.error, retry: () => void query.refetch(), more, reread }
}
