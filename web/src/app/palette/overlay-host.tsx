import { lazy, Suspense } from 'react'
import { useOverlay } from './overlay-state.ts'

const Palette = lazy(() => import('./palette.tsx').then((module) => ({ default: module.Palette })))
const ShortcutSheet = lazy(() => import('./shortcut-sheet.tsx').then((module) => ({ default: module.ShortcutSheet })))
const NewTicketOverlay = lazy(() =>
  import('./new-ticket-overlay.tsx').then((module) => ({ default: module.NewTicketOverlay })),
)

/** Renders the requested overlay. It is used once, by the shell; the code of each dialog loads on first use. */
export function OverlayHost() {
  const asked = useOverlay()
  if (!asked) return null
  const { overlayId, isOpen } = asked
  return (
    <Suspense fallback={null}>
      {asked.kind === 'palette' && <Palette key={overlayId} overlayId={overlayId} isRequested={isOpen} />}
      {asked.kind === 'sheet' && <ShortcutSheet key={overlayId} overlayId={overlayId} isRequested={isOpen} />}
      {asked.kind === 'new' && (
        <NewTicketOverlay key={overlayId} overlayId={overlayId} isRequested={isOpen} contact={asked.contact} />
      )}
    </Suspense>
  )
}
