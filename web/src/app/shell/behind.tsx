import { useSession } from '../../lib/session.tsx'
import { useOutbox } from '../../parts/conversation/outgoing/own-outbox.ts'
import { AskedHost } from '../palette/asked-host.tsx'
import { ChatsTold } from '../told/chats-told.tsx'
import { Told } from '../told/told.tsx'
import { useFreshBuild } from './use-fresh-build.tsx'
import { useThemeColour } from './use-theme-colour.ts'

/** What goes on behind every screen and is not needed to draw it: its code comes after the screen's own. */
export function Behind() {
  const { user } = useSession()
  // What somebody sent before a reload goes out on whatever screen they are now.
  useOutbox()
  useFreshBuild()
  useThemeColour()
  return (
    <>
      {user && <Told key={user.id} me={user} />}
      {user && <ChatsTold key={`chats ${user.id}`} me={user} />}
      <AskedHost />
    </>
  )
}
