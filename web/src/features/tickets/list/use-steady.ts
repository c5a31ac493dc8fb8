import type { Ticket } from '@recado/contract/tickets'
import { useMemo, useRef } from 'react'
import type { Order } from './filter.ts'
import { sentAway } from './own-moves.ts'
import { flowing, holdStill, type Steady } from './steady.ts'

type Given = { rows: Ticket[]; key: string; order: Order; holding: boolean }

/** The rows to draw: as they come, or held still. `key` names the list: another one is never held in the old places. */
export function useSteady({ rows, key, order, holding }: Given): Steady {
  const before = useRef<{ key: string; held: Ticket[] }>({ key, held: [] })
  const steady = useMemo(() => {
    const same = before.current.key === key
    return holding && same ? holdStill(before.current.held, rows, order, sentAway) : flowing(rows)
  }, [rows, key, order, holding])
  before.current = { key, held: steady.held }
  return steady
}
