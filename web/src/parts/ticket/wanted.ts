import type { Ticket } from '@recado/contract/tickets'
import { useSyncExternalStore } from 'react'

/** The dialog that somebody asked for; it stays known while it fades. */
export type Wanted = ({ kind: 'transfer' | 'peek' | 'templates'; ticket: Ticket } | { kind: 'new' }) & {
  open: boolean
  turn: number
}

let wanted: Wanted | null = null
let turns = 0
const listeners = new Set<() => void>()

function set(next: Wanted | null): void {
  wanted = next
  for (const listener of listeners) listener()
}

export const openTransfer = (ticket: Ticket): void => set({ kind: 'transfer', ticket, open: true, turn: ++turns })
export const openPeek = (ticket: Ticket): void => set({ kind: 'peek', ticket, open: true, turn: ++turns })
export const openTemplates = (ticket: Ticket): void => set({ kind: 'templates', ticket, open: true, turn: ++turns })
export const openNewTicket = (): void => set({ kind: 'new', open: true, turn: ++turns })
export const closeWanted = (): void => set(wanted && { ...wanted, open: false })

export const useWanted = (): Wanted | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => wanted,
  )
