import { Tooltip } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useTexts } from '../../lib/texts.ts'
import { chatTexts } from '../../parts/chats/texts.ts'
import { CountBadge } from '../../ui/count-badge.tsx'
import type { MenuEntry } from '../menu.ts'
import { useUnreadChatsCount } from '../notifications/unread-chats-count.ts'
import { useUnreadCount } from '../notifications/unread-count.ts'
import { isScreenPath } from '../screens.ts'
import { LinesAlert } from './lines-alert.tsx'
import classes from './side-menu.module.css'
import { texts } from './texts.ts'

type Props = { entry: MenuEntry; rail?: boolean; onNavigate?: () => void }

export function MenuLink({ entry, rail = false, onNavigate }: Props) {
  const { pathname } = useLocation()
  const current = isScreenPath(entry.address, pathname)
  const name = useTexts(entry.name)
  return (
    <Tooltip label={name} position="right" disabled={!rail} openDelay={150} offset={12}>
      <Link
        to={entry.address}
        className={classes.link ?? ''}
        data-current={current || undefined}
        aria-current={current ? 'page' : undefined}
        {...(onNavigate && { onClick: onNavigate })}
      >
        <entry.icon size={18} stroke={1.75} aria-hidden="true" />
        <span className={rail ? classes.unseen : classes.name}>{name}</span>
        {entry.alert === 'lines' && <LinesAlert rail={rail} />}
        {entry.alert === 'unread' && <UnreadAlert rail={rail} />}
        {entry.alert === 'chats' && <ChatsAlert rail={rail} />}
      </Link>
    </Tooltip>
  )
}

/** The number of tickets with unread messages; the collapsed menu only has room for a dot. */
function UnreadAlert({ rail }: { rail: boolean }) {
  const words = useTexts(texts)
  const count = useUnreadCount()
  return <UnreadBadge rail={rail} count={count} label={words.unread(count)} />
}

/** The number of unread team messages. */
function ChatsAlert({ rail }: { rail: boolean }) {
  const words = useTexts(chatTexts)
  const count = useUnreadChatsCount()
  return <UnreadBadge rail={rail} count={count} label={words.unread(count)} />
}

function UnreadBadge({ rail, count, label }: { rail: boolean; count: number; label: string }) {
  if (count === 0) return null
  return (
    <span className={classes.waiting}>
      {!rail && (
        <span aria-hidden="true">
          <CountBadge value={count > 99 ? '99+' : count} kind="accent" />
        </span>
      )}
      <span className={classes.unseen}>, {label}</span>
    </span>
  )
}
