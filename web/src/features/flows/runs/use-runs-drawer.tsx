import type { FlowSummary } from '@recado/contract/flows/flows'
import { type ReactNode, useState } from 'react'
import { RunsDrawer } from './runs-drawer.tsx'
import type { RunState } from './use-runs.ts'

/** The conversations of a row in a list; nothing is rendered before they are opened. */
export function useRunsDrawer(flow: Pick<FlowSummary, 'id' | 'name'>): {
  open: (state: RunState) => void
  drawer: ReactNode
} {
  const [shown, setShown] = useState<{ state: RunState; isOpen: boolean } | null>(null)
  return {
    open: (state) => setShown({ state, isOpen: true }),
    drawer: shown && (
      <RunsDrawer
        flow={flow}
        initialState={shown.state}
        isOpen={shown.isOpen}
        onClose={() => setShown({ ...shown, isOpen: false })}
      />
    ),
  }
}
