import { useDebouncedValue } from '@mantine/hooks'
import type { RecordNews } from '@recado/contract/topic'
import { useRef, useState } from 'react'

/** Spec, section 9. */
const searchAfter = 500

/** The search waits for the typing to stop; clearing it by the button does not. */
export function useDebouncedSearch(typed: string): [string, () => void] {
  const [waited] = useDebouncedValue(typed.trim().toLowerCase(), searchAfter)
  const [cleared, setCleared] = useState<string | null>(null)
  if (cleared !== null && cleared !== waited) setCleared(null)
  return [cleared === null ? waited : '', () => setCleared(waited)]
}

/** News that arrives while a page is on its way may be newer than that page: it is applied again on top. */
export function useJournal<R>() {
  const state = useRef({ reading: 0, news: [] as RecordNews<R>[] })
  return {
    note(news: RecordNews<R>) {
      if (state.current.reading > 0) state.current.news.push(news)
    },
    async during<T>(read: () => Promise<T>, replay: (loaded: T, news: RecordNews<R>) => T): Promise<T> {
      const { current } = state
      current.reading++
      const from = current.news.length
      try {
        const loaded = await read()
        return current.news.slice(from).reduce(replay, loaded)
      } finally {
        if (--current.reading === 0) current.news = []
      }
    },
  }
}

/** The next page, one at a time; a failure is forgotten with its search. */
export function useMore(search: string, possible: boolean, read: () => Promise<void>) {
  const [state, setState] = useState({ search, step: 'idle' as 'idle' | 'busy' | 'failed' })
  const step = state.search === search ? state.step : 'idle'
  const run = () => {
    if (!possible || step === 'busy') return
    setState({ search, step: 'busy' })
    read().then(
      () => setState({ search, step: 'idle' }),
      () => setState({ search, step: 'failed' }),
    )
  }
  return { busy: step === 'busy', failed: step === 'failed', run }
}
