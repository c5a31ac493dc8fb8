import { useState } from 'react'

/**
 * The state of the form. A closed form stays mounted until the next form opens, so that it can fade out and return the
 * focus.
 */
export function useFormSlot<R>() {
  const [state, setState] = useState<{ row: R | null; requested?: string; opened: boolean; used: number }>({
    row: null,
    opened: false,
    used: 0,
  })
  return {
    used: state.used,
    slot: { row: state.row, requested: state.requested, opened: state.opened },
    open: (row: R | null) => setState(({ used }) => ({ row, opened: true, used: used + 1 })),
    /** Opens the form for a new row as an address requests it. */
    openRequested: (requested: string) =>
      setState(({ used }) => ({ row: null, requested, opened: true, used: used + 1 })),
    close: () => setState((before) => ({ ...before, opened: false })),
  }
}
