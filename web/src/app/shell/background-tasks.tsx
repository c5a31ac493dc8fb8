import { useSession } from '../../lib/session.tsx'
import { useRunOutbox } from '../../parts/conversation/outgoing/session-outbox.ts'
import { ChatNotifications } from '../notifications/chat-notifications.tsx'
import { Notifications } from '../notifications/notifications.tsx'
import { OverlayHost } from '../palette/overlay-host.tsx'
import { useNewBuildReload } from './use-new-build-reload.tsx'
import { useThemeColor } from './use-theme-color.ts'

/** Background work of every screen. Drawing the screen does not need it, so its code loads after the screen's. */
export function BackgroundTasks() {
  const { user } = useSession()
  // Messages queued before a reload are sent on any screen.
  useRunOutbox()
  useNewBuildReload()
  useThemeColor()
  return (
    <>
      {user && <Notifications key={user.id} me={user} />}
      {user && <ChatNotifications key={`chats ${user.id}`} me={user} />}
      <OverlayHost />
    </>
  )
}
