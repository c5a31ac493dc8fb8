import type { Notice } from '@recado/contract/notices'
import {
  IconArrowsExchange,
  IconAt,
  IconCalendarPause,
  IconClockExclamation,
  IconClockPlay,
  IconInbox,
  IconMessageX,
  IconPlugConnectedX,
} from '@tabler/icons-react'
import { formatDay, formatTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { ContactAvatar } from '../../parts/contact-avatar.tsx'
import { bellPanelTexts } from './bell-panel-texts.ts'
import classes from './notifications.module.css'

const icons = {
  assigned: IconArrowsExchange,
  queued: IconInbox,
  mention: IconAt,
  held: IconCalendarPause,
  unsent: IconMessageX,
  goal: IconClockExclamation,
  snooze: IconClockPlay,
  resting: IconPlugConnectedX,
  'hook-rests': IconPlugConnectedX,
  'hook-off': IconPlugConnectedX,
  'hook-gave-up': IconPlugConnectedX,
  'line-health': IconPlugConnectedX,
}

/** A notification: its author, the event and its text. */
export function NoticeRow({ notice, onOpen }: { notice: Notice; onOpen: () => void }) {
  const words = useTexts(bellPanelTexts)
  const { contact, kind, by, note, createdAt } = notice
  const KindIcon = icons[kind]
  return (
    <button type="button" className={classes.row} onClick={onOpen}>
      <ContactAvatar contact={contact} size={32} isGroup={notice.isGroup} />
      <span className={classes.lines}>
        <span className={classes.line}>
          <b className={classes.name}>{contact.name || contact.number}</b>
          <time className={classes.time} dateTime={createdAt}>
            {formatDay(createdAt) === formatDay(new Date()) ? formatTime(createdAt) : formatDay(createdAt)}
          </time>
        </span>
        <span className={classes.did}>
          <KindIcon size={14} stroke={2} aria-hidden="true" />
          {words.did[kind](by.name)}
        </span>
        {note && <span className={classes.note}>{note}</span>}
      </span>
    </button>
  )
}
