import type { Ticket } from '@recado/contract/tickets'
import { useMemo, useRef } from 'react'
import type { TicketOrder } from '../../../parts/ticket/ticket-filter.ts'
import { wasSentAway } from '../../../parts/ticket/ticket-moves.ts'
import { holdRowsStill, type SteadyRows, toMovingRows } from './steady-rows.ts'

type SteadyRowsOptions = {
  rows: Ticket[]
  key: string
  order: TicketOrder
  holding: boolean
  /** Under the pointer, even a row removed by the user leaves its place empty: a second click must not hit another. */
  hovered: boolean
}
const never = () => false

/** The rows to render, live or held in place. `key` identifies the list: another list starts fresh. */
export function useSteadyRows({ rows, key, order, holding, hovered }: SteadyRowsOptions): SteadyRows {
  const before = useRef<{ key: string; held: Ticket[] }>({ key, held: [] })
  const steady = useMemo(() => {
    const same = before.current.key === key
    const mayGo = hovered ? never : wasSentAway
    return holding && same ? holdRowsStill(before.current.held, rows, order, mayGo) : toMovingRows(rows)
  }, [rows, key, order, holding, hovered])
  before.current = { key, held: steady.held }
  return steady
}
