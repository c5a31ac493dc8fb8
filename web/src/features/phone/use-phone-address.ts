import { useNavigate, useSearch } from '@tanstack/react-router'

/** The state of the page in the URL: the line, the customer, and on a small screen the step. */
export type PhoneAddress = {
  line?: number | undefined
  chat?: string | undefined
  view: PhoneView
  /** The queue whose menu is being tried. */
  queue?: number | undefined
  /** Whether to start with a new customer. */
  fresh?: boolean | undefined
}
export type PhoneView = 'people' | 'chat' | 'inside'

type PhoneSearch = { line?: unknown; with?: unknown; view?: unknown; queue?: unknown; fresh?: unknown }

/** The URL contains the state of the page: a reload keeps it, and the back button goes one step back. */
export function usePhoneAddress(): [PhoneAddress, (change: Partial<PhoneAddress>, replace?: boolean) => void] {
  const search = useSearch({ strict: false }) as PhoneSearch
  const navigate = useNavigate()
  const address: PhoneAddress = {
    line: Number(search.line) || undefined,
    chat: search.with === undefined ? undefined : String(search.with),
    view: search.view === 'chat' || search.view === 'inside' ? search.view : 'people',
    queue: Number(search.queue) || undefined,
    fresh: search.fresh === true || search.fresh === 'true' || undefined,
  }
  const go = (change: Partial<PhoneAddress>, replace = false) => {
    const { line, chat, view, queue, fresh } = { ...address, ...change }
    void navigate({
      to: '/phone',
      search: { line, with: chat, view: view === 'people' ? undefined : view, queue, fresh } as never,
      replace,
    })
  }
  return [address, go]
}
