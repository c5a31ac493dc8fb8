import { Drawer } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { handyEntries, isAt } from '../menu.ts'
import { menuTexts, shortNames } from '../menu-texts.ts'
import classes from './bottom-bar.module.css'
import { PhoneMenu } from './phone-menu.tsx'
import { texts } from './texts.ts'
import { useAnnouncements } from './use-announcements.ts'
import { useMenu } from './use-menu.ts'

/** On a phone: the handiest screens, and the whole menu behind the last one. */
export function BottomBar() {
  const words = useTexts(texts)
  const names = useTexts(menuTexts)
  const short = useTexts(shortNames)
  const { pathname } = useLocation()
  const [open, setOpen] = useState(false)
  const news = useAnnouncements()
  return (
    <>
      <nav className={classes.root} aria-label={words.menu}>
        {handyEntries(useMenu()).map((entry) => {
          const current = isAt(entry, pathname)
          return (
            <Link
              key={entry.path}
              to={entry.path}
              className={classes.item ?? ''}
              data-current={current || undefined}
              aria-current={current ? 'page' : undefined}
            >
              <entry.icon size={22} stroke={1.75} aria-hidden="true" />
              <span>{short[entry.name] ?? names[entry.name]}</span>
            </Link>
          )
        })}
        <button type="button" className={classes.item} aria-expanded={open} onClick={() => setOpen(true)}>
          <IconMenu2 size={22} stroke={1.75} aria-hidden="true" />
          {news.unseen && <i className={classes.dot} />}
          <span>{words.menu}</span>
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
