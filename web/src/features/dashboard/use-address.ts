import { periods } from '@recado/contract/dashboard/dashboard'
import { useNavigate, useSearch } from '@tanstack/react-router'

/** What is looked at. It stands in the address bar, so that a view can be sent to a colleague. */
export type Address = {
  /** So many days until today; else from one day to another. Nothing of it: the month until today. */
  days?: number | undefined
  from?: string | undefined
  to?: string | undefined
  queueId?: number | undefined
  userId?: number | undefined
  whatsappId?: number | undefined
  tagId?: number | undefined
  /** Of waits, answers and talks only the time within the opening hours. */
  hours?: boolean | undefined
  /** Beside the period before, unless somebody does not want it. */
  compare: boolean
}

const dayIn = (given: unknown) => (/^\d{4}-\d\d-\d\d$/.test(String(given)) ? String(given) : undefined)
const idIn = (given: unknown) => Number(given) || undefined

export function useAddress(): [Address, (change: Partial<Address>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const address: Address = {
    days: periods.find((period) => period === Number(search.days)),
    from: dayIn(search.from),
    to: dayIn(search.to),
    queueId: idIn(search.queue),
    userId: idIn(search.agent),
    whatsappId: idIn(search.line),
    tagId: idIn(search.tag),
    hours: search.hours === 'open' || undefined,
    compare: search.compare !== 'no',
  }
  const go = (change: Partial<Address>) => {
    const { days, from, to, queueId, userId, whatsappId, tagId, hours, compare } = { ...address, ...change }
    const narrowed = { queue: queueId, agent: userId, line: whatsappId, tag: tagId, hours: hours && 'open' }
    const kept = { ...search, days, from, to, ...narrowed, compare: compare ? undefined : 'no' }
    void navigate({ to: '.', search: kept as never })
  }
  return [address, go]
}
