import { lazy, Suspense } from 'react'
import { useOverlay } from './overlay-state.ts'

const Palette = lazy(() => import('./palette.tsx').then((module) => ({ default: module.Palette })))
const ShortcutSheet = lazy(() => import('./shortcut-sheet.tsx').then((module) => ({ default: module.ShortcutSheet })))
const NewTicketOverlay = lazy(() =>
  import('./new-ticket-overlay.tsx').then((module) => ({ default: module.NewTicketOverlay })),
)

/** Rendered once, by the shell; the code of each dialog loads on first use. */
export function OverlayHost() {
  const asked = useOverlay()
  if (!asked) return null
  const { overlayId: turn, isOpen: open } = asked
  return (
    <Suspense fallback={null}>
      {asked.kind === 'palette' && <Palette key={turn} overlayId={turn} isRequested={open} />}
      {asked.kind === 'sheet' && <ShortcutSheet key={turn} overlayId={turn} isRequested={open} />}
      {asked.kind === 'new' && (
        <NewTicketOverlay key={turn} overlayId={turn} isRequested={open} contact={asked.contact} />
      )}
    </Suspense>
  )
}
