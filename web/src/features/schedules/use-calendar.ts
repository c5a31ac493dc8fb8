import { momentAt } from '@recado/contract/schedules/repetition'
import { type Schedule, schedulesApi } from '@recado/contract/schedules/schedules'
import type { RecordNews } from '@recado/contract/topic'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { useNews, useResync } from '../../lib/live.ts'
import { replay } from '../../lib/replay.ts'
import { textsNow } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { useAgain } from '../../lib/told.ts'
import { addDays, type Day } from './calendar.ts'
import { matches } from './matches.ts'
import { texts } from './texts.ts'
import { asked, type Filter, isWanted } from './use-view.ts'

type Asked = { days: Day[]; zone: string; search: string; filter: Filter }
type Loaded = { rows: Schedule[]; hasMore: boolean }

/** What stands in these days, kept current. The state is chosen on the screen, which counts all of them. */
export function useCalendar({ days, zone, search, filter }: Asked) {
  const client = useQueryClient()
  const [told] = useState(() => replay<RecordNews<Schedule>>())
  const [from, until] = [`${days[0]}T00:00`, `${addDays(days.at(-1) as Day, 1)}T00:00`]
  const anyState = { ...filter, state: null }
  const { userId, person } = filter
  const key = ['schedules', 'calendar', zone, from, until, search, userId, person?.id ?? null]
  const [first, end] = [momentAt(from, zone).toISOString(), momentAt(until, zone).toISOString()]
  const belongs = (row: Schedule) =>
    row.sendAt >= first && row.sendAt < end && matches(row, search) && isWanted(row, anyState)
  const applied = (loaded: Loaded, news: RecordNews<Schedule>): Loaded => {
    const id = news.action === 'delete' ? news.id : news.row.id
    const rest = loaded.rows.filter((row) => row.id !== id)
    return { ...loaded, rows: news.action === 'delete' || !belongs(news.row) ? rest : [...rest, news.row] }
  }
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      told.during(async () => {
        const wanted = { searchParam: search, from, until, ...asked(anyState) }
        const { schedules, hasMore } = await call(schedulesApi.list, { query: wanted }, { signal })
        return { rows: schedules, hasMore }
      }, applied),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    staleTime: 0,
    retry: false,
  })
  const apply = (news: RecordNews<Schedule>) => {
    told.hear(news)
    client.setQueryData<Loaded>(key, (old) => old && applied(old, news))
  }
  useNews(schedulesApi.topic, apply)
  useResync(useAgain(key))
  const moves = useMoves(apply)
  const rows = (query.data?.rows ?? []).map((row) => ({ ...row, sendAt: moves.under.get(row.id) ?? row.sendAt }))
  return { ...query, rows, apply, move: moves.move }
}

/** Those on their way to another time stand there at once, and go back where the server does not take them. */
function useMoves(apply: (news: RecordNews<Schedule>) => void) {
  const [under, setUnder] = useState<ReadonlyMap<number, string>>(new Map())
  const put = (id: number, sendAt: string | null) =>
    setUnder((before) => {
      const next = new Map(before)
      if (sendAt === null) next.delete(id)
      else next.set(id, sendAt)
      return next
    })

  async function moveTo({ id }: Schedule, sendAt: string): Promise<boolean> {
    put(id, sendAt)
    try {
      apply({ action: 'update', row: await call(schedulesApi.move, { params: { id }, body: { sendAt } }) })
      return true
    } catch (error) {
      toast.error(error)
      return false
    } finally {
      put(id, null)
    }
  }
  /** `where`: as it is told. */
  async function move(row: Schedule, sendAt: string, where: string): Promise<void> {
    if (!(await moveTo(row, sendAt))) return
    const words = textsNow(texts)
    toast.ok(words.movedTo(where), row.contact.name, {
      id: `schedule-${row.id}`,
      lasts: 6000,
      action: {
        label: words.undo,
        run: () => void moveTo(row, row.sendAt).then((done) => done && toast.ok(words.movedBack, row.contact.name)),
      },
    })
  }
  return { under, move }
}
