import type { Ticket } from '@recado/contract/tickets'
import { useMemo, useRef } from 'react'
import type { TicketOrder } from '../../../parts/ticket/ticket-filter.ts'
import { wasSentAway } from '../../../parts/ticket/ticket-moves.ts'
import { holdRowsStill, type SteadyRows, toMovingRows } from './steady-rows.ts'

type SteadyRowsOptions = {
  rows: Ticket[]
  key: string
  order: TicketOrder
  isHolding: boolean
  /**
   * Whether a removed row leaves its place empty: under the pointer even a row that the user removed does, because a
   * second click must not hit another row.
   */
  isHovered: boolean
}
const mayNeverDisappear = () => false

/** The rows to render, live or held in place. `key` identifies the list: another list starts without held rows. */
export function useSteadyRows({ rows, key, order, isHolding, isHovered }: SteadyRowsOptions): SteadyRows {
  const before = useRef<{ key: string; heldTickets: Ticket[] }>({ key, heldTickets: [] })
  const steady = useMemo(() => {
    const same = before.current.key === key
    const mayGo = isHovered ? mayNeverDisappear : wasSentAway
    return isHolding && same ? holdRowsStill(before.current.heldTickets, rows, order, mayGo) : toMovingRows(rows)
  }, [rows, key, order, isHolding, isHovered])
  before.current = { key, heldTickets: steady.heldTickets }
  return steady
}
