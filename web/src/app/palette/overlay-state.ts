import { useSyncExternalStore } from 'react'

export type OverlayContact = { id: number; name: string; number: string }
/** The requested overlay; it is kept while it fades out. */
export type OverlayState = ({ kind: 'palette' | 'sheet' } | { kind: 'new'; contact: OverlayContact | null }) & {
  isOpen: boolean
  overlayId: number
}

let overlay: OverlayState | null = null
let turns = 0
const watchers = new Set<() => void>()

function setOverlay(next: OverlayState | null): void {
  overlay = next
  for (const watcher of watchers) watcher()
}

export const openPalette = (): void => setOverlay({ kind: 'palette', isOpen: true, overlayId: ++turns })
export const openShortcutSheet = (): void => setOverlay({ kind: 'sheet', isOpen: true, overlayId: ++turns })
export const openNewTicket = (contact: OverlayContact | null = null): void =>
  setOverlay({ kind: 'new', contact, isOpen: true, overlayId: ++turns })
/** Does nothing if another overlay was opened in the meantime. */
export const closeOverlay = (turn: number): void => {
  if (overlay?.overlayId === turn) setOverlay({ ...overlay, isOpen: false })
}
/** The shortcut that opens it also closes it. */
export const togglePalette = (): void => {
  if (overlay?.kind === 'palette' && overlay.isOpen) closeOverlay(overlay.overlayId)
  else openPalette()
}

export const useOverlay = (): OverlayState | null =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => overlay,
  )
