import type { Ticket } from '@recado/contract/tickets'
import type { CSSProperties } from 'react'
import { formatDay, formatTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { ContactAvatar } from '../../parts/contact-avatar.tsx'
import { LastMessage } from '../../parts/ticket/last-message.tsx'
import { CountBadge } from '../../ui/count-badge.tsx'
import { bellPanelTexts } from './bell-panel-texts.ts'
import classes from './notifications.module.css'

/** A compact row in the list of the bell. */
export function BellRow({ ticket, onOpen }: { ticket: Ticket; onOpen: () => void }) {
  const words = useTexts(bellPanelTexts)
  const { contact, queue, updatedAt, unreadMessages } = ticket
  const isToday = formatDay(updatedAt) === formatDay(new Date())
  return (
    <button type="button" className={classes.row} onClick={onOpen}>
      <ContactAvatar contact={contact} size={32} isGroup={ticket.isGroup} />
      <span className={classes.lines}>
        <span className={classes.line}>
          <b className={classes.name}>{contact.name || contact.number}</b>
          <time className={classes.time} dateTime={updatedAt}>
            {isToday ? formatTime(updatedAt) : formatDay(updatedAt)}
          </time>
        </span>
        <span className={classes.line}>
          <LastMessage ticket={ticket} />
          <span aria-hidden="true">
            <CountBadge value={unreadMessages > 99 ? '99+' : unreadMessages} kind="accent" />
          </span>
          <span className="rc-sr">, {words.count(unreadMessages)}</span>
        </span>
        <span className={classes.where}>
          <span
            className={queue ? `${classes.dot} rc-dot` : classes.dot}
            style={queue ? ({ '--c': queue.color } as CSSProperties) : undefined}
          />
          <span className={classes.queue}>{queue?.name ?? words.noQueue}</span>
          {ticket.status === 'pending' && <span className={classes.waits}>{words.waits}</span>}
        </span>
      </span>
    </button>
  )
}
