import { Popover } from '@mantine/core'
import { IconMessageCircle } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { chatTexts } from '../../../parts/chats/texts.ts'
import told from '../../notifications/notifications.module.css'
import { useUnreadChatsCount } from '../../notifications/unread-chats-count.ts'
import bar from '../top-bar.module.css'
import { TopBarButton } from '../top-bar-button.tsx'

const load = () => import('./chats-panel.tsx').then((module) => ({ default: module.ChatsPanel }))
const ChatsPanel = lazy(load)

/** The latest team chats, one click away on every screen. */
export function ChatsButton() {
  const words = useTexts(chatTexts)
  const count = useUnreadChatsCount()
  const { plan } = useSession()
  const [open, setOpen] = useState(false)
  if (!plan?.useInternalChat) return null
  return (
    <Popover opened={open} onChange={setOpen} width={344} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <TopBarButton
          label={count > 0 ? words.waiting(count) : words.chats}
          isActive={open}
          aria-haspopup="dialog"
          onPointerEnter={() => void load()}
          onClick={() => setOpen(!open)}
        >
          <IconMessageCircle size={18} stroke={1.75} />
          {count > 0 && <span className={bar.dot} />}
        </TopBarButton>
      </Popover.Target>
      <Popover.Dropdown className={told.panel ?? ''} aria-label={words.chats}>
        <Suspense fallback={<div className={told.room} />}>
          <ChatsPanel onNavigate={() => setOpen(false)} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
