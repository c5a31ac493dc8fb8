import { Popover } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { CountBadge } from '../../ui/count-badge.tsx'
import { TopBarButton } from '../shell/top-bar-button.tsx'
import { bellTexts } from './bell-texts.ts'
import classes from './notifications.module.css'
import { useUnreadCount } from './unread-count.ts'

const load = () => import('./bell-panel.tsx').then((module) => ({ default: module.BellPanel }))
const BellPanel = lazy(load)

/** Shows the unread count; a click opens the list. */
export function BellButton() {
  const words = useTexts(bellTexts)
  const count = useUnreadCount()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Popover opened={open} onChange={setOpen} width={344} position="bottom-end" trapFocus returnFocus>
        <Popover.Target>
          <TopBarButton
            label={count > 0 ? words.noticesUnread(count) : words.notices}
            isActive={open}
            aria-haspopup="dialog"
            onPointerEnter={() => void load()}
            onClick={() => setOpen(!open)}
          >
            <IconBell size={18} stroke={1.75} />
            {count > 0 && (
              <span className={classes.badge} aria-hidden="true">
                <CountBadge value={count > 99 ? '99+' : count} kind="accent" />
              </span>
            )}
          </TopBarButton>
        </Popover.Target>
        <Popover.Dropdown className={classes.panel ?? ''} aria-label={words.notices}>
          <Suspense fallback={<div className={classes.room} />}>
            <BellPanel onNavigate={() => setOpen(false)} />
          </Suspense>
        </Popover.Dropdown>
      </Popover>
      {/* The count is announced once, politely: screen readers read the button only when it has the focus. */}
      <span className="rc-sr" role="status">
        {count > 0 && words.noticesUnread(count)}
      </span>
    </>
  )
}
