import { reportPeriodDays } from '@recado/contract/dashboard/dashboard'
import { useNavigate, useSearch } from '@tanstack/react-router'

/** The current view. The URL contains it, so that it can be shared. */
export type DashboardQuery = {
  /** The last `days` days, or a range of days. If both are missing: the month to date. */
  days?: number | undefined
  from?: string | undefined
  to?: string | undefined
  queueId?: number | undefined
  userId?: number | undefined
  whatsappId?: number | undefined
  tagId?: number | undefined
  /** Whether only time within opening hours counts for waits, answers and conversations. */
  hours?: boolean | undefined
  /** Whether to compare with the previous period; on by default. */
  compare: boolean
}

const parseDay = (given: unknown) => (/^\d{4}-\d\d-\d\d$/.test(String(given)) ? String(given) : undefined)
const parseId = (given: unknown) => Number(given) || undefined

export function useDashboardQuery(): [DashboardQuery, (change: Partial<DashboardQuery>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const address: DashboardQuery = {
    days: reportPeriodDays.find((period) => period === Number(search.days)),
    from: parseDay(search.from),
    to: parseDay(search.to),
    queueId: parseId(search.queue),
    userId: parseId(search.agent),
    whatsappId: parseId(search.line),
    tagId: parseId(search.tag),
    hours: search.hours === 'open' || undefined,
    compare: search.compare !== 'no',
  }
  const go = (change: Partial<DashboardQuery>) => {
    const { days, from, to, queueId, userId, whatsappId, tagId, hours, compare } = { ...address, ...change }
    const narrowed = { queue: queueId, agent: userId, line: whatsappId, tag: tagId, hours: hours && 'open' }
    const kept = { ...search, days, from, to, ...narrowed, compare: compare ? undefined : 'no' }
    void navigate({ to: '.', search: kept as never })
  }
  return [address, go]
}
