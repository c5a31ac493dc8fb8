import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'

/** The search delay while typing (spec, section 9). */
const searchDelayMs = 500

/** The search text: debounced while the user types, and applied at once by the clear button. */
export function useDebouncedSearch(typed: string): [string, () => void] {
  const [waited] = useDebouncedValue(typed.trim().toLowerCase(), searchDelayMs)
  const [cleared, setCleared] = useState<string | null>(null)
  if (cleared !== null && cleared !== waited) setCleared(null)
  return [cleared === null ? waited : '', () => setCleared(waited)]
}

/** Loads further pages one at a time; the error of a failed page is dropped when the search changes. */
export function useLoadMore(search: string, possible: boolean, read: () => Promise<void>) {
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
