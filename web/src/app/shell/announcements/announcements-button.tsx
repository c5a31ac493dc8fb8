import { Popover } from '@mantine/core'
import type { Announcement } from '@recado/contract/announcements'
import { IconSpeakerphone } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { texts } from '../texts.ts'
import bar from '../top-bar.module.css'
import { TopBarButton } from '../top-bar-button.tsx'
import classes from './announcements.module.css'
import { useAnnouncementDialog } from './use-announcement-dialog.tsx'
import { useAnnouncements } from './use-announcements.ts'

const AnnouncementList = lazy(() =>
  import('./announcement-list.tsx').then((module) => ({ default: module.AnnouncementList })),
)

export function AnnouncementsButton() {
  const words = useTexts(texts)
  const [open, setOpen] = useState(false)
  const news = useAnnouncements()
  const [dialog, openWhole] = useAnnouncementDialog()
  const toggle = (next: boolean) => {
    setOpen(next)
    if (next) news.markSeen()
  }
  const onOpen = (announcement: Announcement) => {
    setOpen(false)
    openWhole(announcement)
  }
  return (
    <>
      <Popover opened={open} onChange={toggle} width={344} position="bottom-end" trapFocus returnFocus>
        <Popover.Target>
          <TopBarButton
            label={news.hasUnseen ? words.newAnnouncements : words.announcements}
            isActive={open}
            aria-haspopup="dialog"
            onClick={() => toggle(!open)}
          >
            <IconSpeakerphone size={18} stroke={1.75} />
            {news.hasUnseen && <span className={bar.dot} />}
          </TopBarButton>
        </Popover.Target>
        <Popover.Dropdown className={classes.panel ?? ''} aria-label={words.announcements}>
          <Suspense fallback={<div className={classes.room} />}>
            <AnnouncementList feed={news} onOpen={onOpen} />
          </Suspense>
        </Popover.Dropdown>
      </Popover>
      {dialog}
    </>
  )
}
