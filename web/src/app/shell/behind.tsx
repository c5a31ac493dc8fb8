import { useSession } from '../../lib/session.tsx'
import { useRunOutbox } from '../../parts/conversation/outgoing/own-outbox.ts'
import { OverlayHost } from '../palette/asked-host.tsx'
import { ChatNotifications } from '../told/chats-told.tsx'
import { Notifications } from '../told/told.tsx'
import { useNewBuildReload } from './use-fresh-build.tsx'
import { useThemeColor } from './use-theme-colour.ts'

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
