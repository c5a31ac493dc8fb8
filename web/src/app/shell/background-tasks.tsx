import { lazy, Suspense, useEffect, useState } from 'react'
import { useSession } from '../../lib/session.tsx'
import { useRunOutbox } from '../../parts/conversation/outgoing/session-outbox.ts'
import { useMacroRunNews } from '../../parts/macros/use-macro-run-news.ts'
import { ChatNotifications } from '../notifications/chat-notifications.tsx'
import { Notifications } from '../notifications/notifications.tsx'
import { OverlayHost } from '../palette/overlay-host.tsx'
import { useNewBuildReload } from './use-new-build-reload.tsx'
import './report-activity.ts'
import { useThemeColor } from './use-theme-color.ts'

const OfferHost = lazy(() => import('../offers/offer-host.tsx').then((module) => ({ default: module.OfferHost })))
const AvailabilityLine = lazy(() => import('./availability-line.tsx'))

/** Offers are asked for when the screen is at rest: they must not delay it, and are open for ten seconds at least. */
const offersDelayMs = 3000

/** Background work of every screen. Drawing the screen does not need it, so its code loads after the screen's. */
export function BackgroundTasks() {
  const { user } = useSession()
  // Messages queued before a reload are sent on any screen.
  useRunOutbox()
  useMacroRunNews()
  useNewBuildReload()
  useThemeColor()
  const asksForOffers = useDelay(offersDelayMs)
  return (
    <>
      {user && <Notifications key={user.id} me={user} />}
      {user && <ChatNotifications key={`chats ${user.id}`} me={user} />}
      <Suspense fallback={null}>
        {asksForOffers && user && user.queues.length > 0 && <OfferHost key={`offers ${user.id}`} me={user} />}
      </Suspense>
      <Suspense fallback={null}>{user && user.availability !== 'available' && <AvailabilityLine />}</Suspense>
      <OverlayHost />
    </>
  )
}

function useDelay(ms: number): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isOver
}
