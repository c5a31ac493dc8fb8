import { useSyncExternalStore } from 'react'
import { startTypeAhead, takeTypedText } from './type-ahead.ts'

export type OverlayContact = { id: number; name: string; number: string }
/** The requested overlay; a closed overlay is kept while it fades out. */
export type OverlayState = ({ kind: 'palette' | 'sheet' } | { kind: 'new'; contact: OverlayContact | null }) & {
  isOpen: boolean
  overlayId: number
}

let overlay: OverlayState | null = null
let lastOverlayId = 0
const listeners = new Set<() => void>()

function setOverlay(next: OverlayState): void {
  overlay = next
  if (next.kind === 'palette' && next.isOpen) startTypeAhead(() => closeOverlay(next.overlayId))
  else takeTypedText()
  for (const listener of listeners) listener()
}

export const openPalette = (): void => setOverlay({ kind: 'palette', isOpen: true, overlayId: ++lastOverlayId })
export const openShortcutSheet = (): void => setOverlay({ kind: 'sheet', isOpen: true, overlayId: ++lastOverlayId })
export const openNewTicket = (contact: OverlayContact | null = null): void =>
  setOverlay({ kind: 'new', contact, isOpen: true, overlayId: ++lastOverlayId })
/** Closes the overlay, unless another overlay was opened in the meantime. */
export const closeOverlay = (turn: number): void => {
  if (overlay?.overlayId === turn) setOverlay({ ...overlay, isOpen: false })
}
/** Opens the palette, or closes it if it is open, because the same shortcut does both. */
export const togglePalette = (): void => {
  if (overlay?.kind === 'palette' && overlay.isOpen) closeOverlay(overlay.overlayId)
  else openPalette()
}

export const useOverlay = (): OverlayState | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => overlay,
  )
