import type { Ticket } from '@recado/contract/tickets'
import { useMemo, useRef } from 'react'
import type { Order } from '../../../parts/ticket/filter.ts'
import { sentAway } from '../../../parts/ticket/own-moves.ts'
import { flowing, holdStill, type Steady } from './steady.ts'

type Given = {
  rows: Ticket[]
  key: string
  order: Order
  holding: boolean
  /** Under the pointer even what was sent away from here leaves its place empty: a second click must not hit another. */
  hovered: boolean
}
const never = () => false

/** The rows to draw: as they come, or held still. `key` names the list: another one is never held in the old places. */
export function useSteady({ rows, key, order, holding, hovered }: Given): Steady {
  const before = useRef<{ key: string; held: Ticket[] }>({ key, held: [] })
  const steady = useMemo(() => {
    const same = before.current.key === key
    const mayGo = hovered ? never : sentAway
    return holding && same ? holdStill(before.current.held, rows, order, mayGo) : flowing(rows)
  }, [rows, key, order, holding, hovered])
  before.current = { key, held: steady.held }
  return steady
}
