import { dateOfWallTime } from '@recado/contract/schedules/occurrences'
import { type Schedule, schedulesApi } from '@recado/contract/schedules/schedules'
import type { RecordNews } from '@recado/contract/topic'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useRecordNews, useResync } from '../../lib/live.ts'
import { createNewsReplay } from '../../lib/news-replay.ts'
import { useRefetchQuery } from '../../lib/query-cache.ts'
import { currentTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { addDays, type CalendarDay } from '../../parts/schedule/calendar.ts'
import { texts } from '../../parts/schedule/texts.ts'
import { matchesScheduleSearch } from './schedule-search.ts'
import { matchesScheduleFilter, type ScheduleFilter, toScheduleQuery } from './use-schedule-view.ts'

type CalendarQuery = { days: CalendarDay[]; zone: string; search: string; filter: ScheduleFilter }
type LoadedSchedules = { rows: Schedule[]; hasMore: boolean }

/** The messages of these days, updated live. States are filtered in the browser, because all states are counted. */
export function useScheduleCalendar({ days, zone, search, filter }: CalendarQuery) {
  const client = useQueryClient()
  const [newsReplay] = useState(() => createNewsReplay<RecordNews<Schedule>>())
  const [from, until] = [`${days[0]}T00:00`, `${addDays(days.at(-1) as CalendarDay, 1)}T00:00`]
  const anyState = { ...filter, state: null }
  const { userId, person } = filter
  const key = ['schedules', 'calendar', zone, from, until, search, userId, person?.id ?? null]
  const [first, end] = [dateOfWallTime(from, zone).toISOString(), dateOfWallTime(until, zone).toISOString()]
  const belongs = (row: Schedule) =>
    row.sendAt >= first &&
    row.sendAt < end &&
    matchesScheduleSearch(row, search) &&
    matchesScheduleFilter(row, anyState)
  const applied = (loaded: LoadedSchedules, news: RecordNews<Schedule>): LoadedSchedules => {
    const id = news.action === 'delete' ? news.id : news.row.id
    const rest = loaded.rows.filter((row) => row.id !== id)
    return { ...loaded, rows: news.action === 'delete' || !belongs(news.row) ? rest : [...rest, news.row] }
  }
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      newsReplay.runAndApply(async () => {
        const wanted = { searchParam: search, from, until, ...toScheduleQuery(anyState) }
        const { schedules, hasMore } = await callApi(schedulesApi.list, { query: wanted }, { signal })
        return { rows: schedules, hasMore }
      }, applied),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    staleTime: 0,
    retry: false,
  })
  const apply = (news: RecordNews<Schedule>) => {
    newsReplay.record(news)
    client.setQueryData<LoadedSchedules>(key, (old) => old && applied(old, news))
  }
  useRecordNews(schedulesApi.topic, apply)
  useResync(useRefetchQuery(key))
  const moves = useMoveSchedules(apply)
  const rows = (query.data?.rows ?? []).map((row) => ({ ...row, sendAt: moves.pendingMoves.get(row.id) ?? row.sendAt }))
  return { ...query, rows, apply, move: moves.move }
}

/** Optimistic moves: an entry shows its new time at once, and returns if the server refuses. */
function useMoveSchedules(apply: (news: RecordNews<Schedule>) => void) {
  const [pendingMoves, setPendingMoves] = useState<ReadonlyMap<number, string>>(new Map())
  const setPendingMove = (id: number, sendAt: string | null) =>
    setPendingMoves((before) => {
      const next = new Map(before)
      if (sendAt === null) next.delete(id)
      else next.set(id, sendAt)
      return next
    })

  async function moveTo({ id }: Schedule, sendAt: string): Promise<boolean> {
    setPendingMove(id, sendAt)
    try {
      apply({ action: 'update', row: await callApi(schedulesApi.move, { params: { id }, body: { sendAt } }) })
      return true
    } catch (error) {
      toast.error(error)
      return false
    } finally {
      setPendingMove(id, null)
    }
  }
  /** `where`: the target in words, for the announcement. */
  async function move(row: Schedule, sendAt: string, where: string): Promise<void> {
    if (!(await moveTo(row, sendAt))) return
    const words = currentTexts(texts)
    toast.ok(words.movedTo(where), row.contact.name, {
      id: `schedule-${row.id}`,
      lasts: 6000,
      action: {
        label: words.undo,
        run: () => void moveTo(row, row.sendAt).then((done) => done && toast.ok(words.movedBack, row.contact.name)),
      },
    })
  }
  return { pendingMoves: pendingMoves, move }
}
