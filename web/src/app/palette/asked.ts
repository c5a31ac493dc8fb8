import { useSyncExternalStore } from 'react'

export type Person = { id: number; name: string; number: string }
/** What somebody wants above the screen; it stays known while it fades. */
export type Asked = ({ kind: 'palette' | 'sheet' } | { kind: 'new'; contact: Person | null }) & {
  open: boolean
  turn: number
}

let asked: Asked | null = null
let turns = 0
const watchers = new Set<() => void>()

function set(next: Asked | null): void {
  asked = next
  for (const watcher of watchers) watcher()
}

export const openPalette = (): void => set({ kind: 'palette', open: true, turn: ++turns })
export const openSheet = (): void => set({ kind: 'sheet', open: true, turn: ++turns })
export const openNewTicket = (contact: Person | null = null): void =>
  set({ kind: 'new', contact, open: true, turn: ++turns })
/** Who asked for something else meanwhile keeps that. */
export const closeAsked = (turn: number): void => {
  if (asked?.turn === turn) set({ ...asked, open: false })
}
/** The same key that opens it closes it. */
export const togglePalette = (): void => {
  if (asked?.kind === 'palette' && asked.open) closeAsked(asked.turn)
  else openPalette()
}

export const useAsked = (): Asked | null =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => asked,
  )
