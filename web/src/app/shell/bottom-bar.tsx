import { Drawer } from '@mantine/core'
import { IconBell, IconMenu2 } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import { chatTexts } from '../../parts/chats/texts.ts'
import { CountBadge } from '../../ui/count-badge.tsx'
import { bottomBarEntries } from '../menu.ts'
import { bellTexts } from '../notifications/bell-texts.ts'
import { useUnreadChatsCount } from '../notifications/unread-chats-count.ts'
import { useUnreadCount } from '../notifications/unread-count.ts'
import { isScreenPath } from '../screens.ts'
import { useAnnouncements } from './announcements/use-announcements.ts'
import classes from './bottom-bar.module.css'
import { texts } from './texts.ts'
import { useMenu } from './use-menu.ts'

const BellPanel = lazy(() =>
  import('../notifications/bell-panel.tsx').then((module) => ({ default: module.BellPanel })),
)

// The menu is loaded on demand: only phones show it, and only when it is opened.
const PhoneMenu = lazy(() => import('./phone-menu.tsx').then((module) => ({ default: module.PhoneMenu })))

/** On a phone: the main screens, unread counts, and the whole menu behind the last button. */
export function BottomBar() {
  const words = useTexts(texts)
  const team = useTexts(chatTexts)
  const [language] = useLanguage()
  const { pathname } = useLocation()
  const [open, setOpen] = useState(false)
  const news = useAnnouncements()
  const unread = useUnreadCount()
  const chats = useUnreadChatsCount()
  return (
    <>
      <nav className={classes.root} aria-label={words.menu}>
        {bottomBarEntries(useMenu()).map((entry) => {
          const current = isScreenPath(entry.address, pathname)
          return (
            <Link
              key={entry.address}
              to={entry.address}
              className={classes.item ?? ''}
              data-current={current || undefined}
              aria-current={current ? 'page' : undefined}
            >
              <entry.icon size={22} stroke={1.75} aria-hidden="true" />
              {entry.alert === 'unread' && unread > 0 && <UnreadBadge count={unread} />}
              {entry.alert === 'chats' && chats > 0 && <UnreadBadge count={chats} />}
              <span>{(entry.shortLabel ?? entry.name)[language]}</span>
              {entry.alert === 'unread' && unread > 0 && <i className="rc-sr">, {words.unread(unread)}</i>}
              {entry.alert === 'chats' && chats > 0 && <i className="rc-sr">, {team.unread(chats)}</i>}
            </Link>
          )
        })}
        <BellTab unread={unread} />
        <button type="button" className={classes.item} aria-expanded={open} onClick={() => setOpen(true)}>
          <IconMenu2 size={22} stroke={1.75} aria-hidden="true" />
          {news.hasUnseen && <i className={classes.dot} />}
          <span>{words.menu}</span>
          {news.hasUnseen && <i className="rc-sr">, {words.newAnnouncements}</i>}
        </button>
      </nav>
      <Drawer
        opened={open}
        onClose={() => setOpen(false)}
        position="left"
        size="min(320px, 86vw)"
        title={words.menu}
        closeButtonProps={{ 'aria-label': words.close }}
        transitionProps={{ duration: 240 }}
      >
        <Suspense fallback={null}>
          <PhoneMenu feed={news} onNavigate={() => setOpen(false)} />
        </Suspense>
      </Drawer>
    </>
  )
}

const UnreadBadge = ({ count }: { count: number }) => (
  <i className={classes.count} aria-hidden="true">
    <CountBadge value={count > 99 ? '99+' : count} kind="accent" />
  </i>
)

function BellTab({ unread }: { unread: number }) {
  const words = useTexts(texts)
  const bell = useTexts(bellTexts)
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={classes.item}
        aria-expanded={open}
        aria-label={unread > 0 ? bell.noticesUnread(unread) : bell.notices}
        onClick={() => setOpen(true)}
      >
        <IconBell size={22} stroke={1.75} aria-hidden="true" />
        {unread > 0 && <i className={classes.dot} />}
        <span>{bell.notices}</span>
      </button>
      <Drawer
        opened={open}
        onClose={() => setOpen(false)}
        position="bottom"
        size="auto"
        title={bell.notices}
        classNames={{ content: classes.sheet ?? '' }}
        closeButtonProps={{ 'aria-label': words.close }}
        transitionProps={{ duration: 240 }}
      >
        <Suspense fallback={<div className={classes.room} />}>
          <BellPanel onNavigate={() => setOpen(false)} />
        </Suspense>
      </Drawer>
    </>
  )
}
