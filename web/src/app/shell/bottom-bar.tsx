import { Drawer } from '@mantine/core'
import { IconBell, IconMenu2 } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import { chatTexts } from '../../parts/chats/texts.ts'
import { Count } from '../../ui/count.tsx'
import { handyEntries } from '../menu.ts'
import { isAt } from '../screens.ts'
import { bellTexts } from '../told/bell-texts.ts'
import { useChatsCount } from '../told/chats-count.ts'
import { useUnreadCount } from '../told/unread-count.ts'
import { useAnnouncements } from './announcements/use-announcements.ts'
import classes from './bottom-bar.module.css'
import { PhoneMenu } from './phone-menu.tsx'
import { texts } from './texts.ts'
import { useMenu } from './use-menu.ts'

const BellPanel = lazy(() => import('../told/bell-panel.tsx').then((module) => ({ default: module.BellPanel })))

/** On a phone: the handiest screens, what is unread, and the whole menu behind the last one. */
export function BottomBar() {
  const words = useTexts(texts)
  const team = useTexts(chatTexts)
  const [language] = useLanguage()
  const { pathname } = useLocation()
  const [open, setOpen] = useState(false)
  const news = useAnnouncements()
  const unread = useUnreadCount()
  const chats = useChatsCount()
  return (
    <>
      <nav className={classes.root} aria-label={words.menu}>
        {handyEntries(useMenu()).map((entry) => {
          const current = isAt(entry.address, pathname)
          return (
            <Link
              key={entry.address}
              to={entry.address}
              className={classes.item ?? ''}
              data-current={current || undefined}
              aria-current={current ? 'page' : undefined}
            >
              <entry.icon size={22} stroke={1.75} aria-hidden="true" />
              {entry.alert === 'unread' && unread > 0 && <Badge count={unread} />}
              {entry.alert === 'chats' && chats > 0 && <Badge count={chats} />}
              <span>{(entry.short ?? entry.name)[language]}</span>
              {entry.alert === 'unread' && unread > 0 && <i className="rc-sr">, {words.unread(unread)}</i>}
              {entry.alert === 'chats' && chats > 0 && <i className="rc-sr">, {team.unread(chats)}</i>}
            </Link>
          )
        })}
        <Notices unread={unread} />
        <button type="button" className={classes.item} aria-expanded={open} onClick={() => setOpen(true)}>
          <IconMenu2 size={22} stroke={1.75} aria-hidden="true" />
          {news.unseen && <i className={classes.dot} />}
          <span>{words.menu}</span>
          {news.unseen && <i className="rc-sr">, {words.newAnnouncements}</i>}
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
        <PhoneMenu news={news} onGo={() => setOpen(false)} />
      </Drawer>
    </>
  )
}

const Badge = ({ count }: { count: number }) => (
  <i className={classes.count} aria-hidden="true">
    <Count value={count > 99 ? '99+' : count} kind="accent" />
  </i>
)

function Notices({ unread }: { unread: number }) {
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
          <BellPanel onGo={() => setOpen(false)} />
        </Suspense>
      </Drawer>
    </>
  )
}
