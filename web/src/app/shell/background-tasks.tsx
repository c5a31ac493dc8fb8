import { useSession } from '../../lib/session.tsx'
import { useRunOutbox } from '../../parts/conversation/outgoing/session-outbox.ts'
import { ChatNotifications } from '../notifications/chat-notifications.tsx'
import { Notifications } from '../notifications/notifications.tsx'
import { OverlayHost } from '../palette/overlay-host.tsx'
import { useNewBuildReload } from './use-new-build-reload.tsx'
import { useThemeColor } from './use-theme-color.ts'

/** What goes on behind every screen and is not needed to draw it: its code comes after the screen's own. */
export function BackgroundTasks() {
  const { user } = useSession()
  // What somebody sent before a reload goes out on whatever screen they are now.
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
