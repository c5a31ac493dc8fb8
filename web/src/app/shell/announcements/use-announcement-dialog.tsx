import type { Announcement } from '@recado/contract/announcements'
import { lazy, type ReactNode, Suspense, useState } from 'react'

const AnnouncementDialog = lazy(() =>
  import('./announcement-dialog.tsx').then((module) => ({ default: module.AnnouncementDialog })),
)

/** The dialog with the full announcement, rendered from its first use on. */
export function useAnnouncementDialog(): [ReactNode, (announcement: Announcement) => void] {
  const [announcement, setAnnouncement] = useState<Announcement | null>(null)
  const [opened, setOpened] = useState(false)
  const dialog = announcement && (
    <Suspense fallback={null}>
      <AnnouncementDialog announcement={announcement} opened={opened} onClose={() => setOpened(false)} />
    </Suspense>
  )
  const open = (one: Announcement) => {
    setAnnouncement(one)
    setOpened(true)
  }
  return [dialog, open]
}
