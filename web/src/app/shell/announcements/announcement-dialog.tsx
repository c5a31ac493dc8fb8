import { Modal } from '@mantine/core'
import type { Announcement } from '@recado/contract/announcements'
import { formatDay } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { texts } from '../texts.ts'
import classes from './announcements.module.css'

type Props = { announcement: Announcement; opened: boolean; onClose: () => void }

/** The whole announcement, with its picture. */
export function AnnouncementDialog({ announcement, opened, onClose }: Props) {
  const words = useTexts(texts)
  const phone = useIsPhone()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={announcement.title}
      size={560}
      fullScreen={phone}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <div className={classes.whole}>
        <p className={classes.facts}>
          <span className={classes.mark} data-priority={announcement.priority} />
          {words.priority[announcement.priority - 1]} · {formatDay(announcement.createdAt)}
        </p>
        {announcement.mediaPath && (
          <img
            className={classes.picture}
            src={`/public/${announcement.mediaPath}`}
            alt={announcement.mediaName ?? ''}
          />
        )}
        <p className={classes.wholeText}>{announcement.text}</p>
      </div>
    </Modal>
  )
}
