import type { Notice } from '@recado/contract/notices'
import {
  IconArrowsExchange,
  IconAt,
  IconCalendarPause,
  IconClockExclamation,
  IconHourglassEmpty,
  IconInbox,
  IconMessageX,
  IconPlugConnectedX,
  IconRobot,
} from '@tabler/icons-react'
import { type CSSProperties, type MouseEvent, memo } from 'react'
import { day, time } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { ContactAvatar } from '../../../parts/contact-avatar.tsx'
import { draftOf } from '../../../parts/conversation/outgoing/places.ts'
import { useDraft } from '../../../parts/message/box/drafts.ts'
import { GoalLeft } from '../../../parts/ticket/goal-left.tsx'
import { LastMessage } from '../../../parts/ticket/last-message.tsx'
import { previewOf } from '../../../parts/ticket/preview.ts'
import { type PreviewWords, previewTexts } from '../../../parts/ticket/preview-texts.ts'
import { Count } from '../../../ui/count.tsx'
import { addressOf } from './address.ts'
import type { RowDeeds } from './deeds.ts'
import { RowActions } from './row-actions.tsx'
import { RowTags } from './row-tags.tsx'
import type { Shown } from './steady.ts'
import { type ListWords, listTexts } from './texts.ts'
import classes from './ticket-row.module.css'
import { waitOf } from './use-now.ts'

type Props = {
  ticket: Shown['ticket']
  gone: boolean
  selected: boolean
  /** The one row that Tab reaches; arrows lead to the others. */
  active: boolean
  swiped: boolean
  /** In pixels, of the whole list: how many tags fit follows from it. */
  width: number
  large: boolean
  /** dd/MM/yyyy: times of today are hours, others are days. */
  today: string
  /** Waits are counted to it. */
  minute: number
  /** What its reader was told of it and has not looked at. */
  told: Notice['kind'] | undefined
  deeds: RowDeeds
}

/** One ticket. Hand-written and drawn again only when something in it changed: there may be thousands. */
export const TicketRow = memo(function TicketRow(props: Props) {
  const { ticket, gone, selected, active, swiped, width, large, today, minute, told, deeds } = props
  const words = useTexts(listTexts)
  const { contact, queue, user } = ticket
  return (
    <div
      className={classes.row}
      data-selected={selected || undefined}
      data-unread={ticket.unreadMessages > 0 || told !== undefined || undefined}
      data-gone={gone || undefined}
      data-swiped={swiped || undefined}
      data-waiting={ticket.status === 'pending' || undefined}
    >
      <div className={classes.body} data-body>
        <span
          className={queue ? `${classes.strip} rc-mark` : classes.strip}
          style={queue ? ({ '--c': queue.color } as CSSProperties) : undefined}
        />
        <ContactAvatar contact={contact} size={large ? 40 : 36} isGroup={ticket.isGroup} />
        <div className={classes.lines}>
          <div className={classes.first}>
            <Opener ticket={ticket} gone={gone} selected={selected} active={active} words={words} deeds={deeds} />
            {ticket.chatbot && <IconRobot className={classes.robot} size={16} stroke={1.75} aria-label={words.bot} />}
            {ticket.goals.length > 0 ? (
              <span className={classes.goal}>
                <GoalLeft goals={ticket.goals} now={minute * 60_000} />
              </span>
            ) : (
              ticket.status !== 'closed' && <Wait since={ticket.waitingSince} minute={minute} words={words} />
            )}
            <time className={classes.time} dateTime={ticket.updatedAt}>
              {moment(ticket.updatedAt, today)}
            </time>
          </div>
          <div className={classes.second}>
            <DraftMark ticketId={ticket.id} words={words} />
            <LastMessage ticket={ticket} />
            {told && <ToldMark kind={told} words={words} />}
            {ticket.unreadMessages > 0 && <Count value={ticket.unreadMessages} kind="accent" />}
          </div>
          <div className={classes.third}>
            <RowTags ticket={ticket} width={width} large={large} words={words} />
            {user && (
              <span className={classes.who} title={words.assignedTo(user.name)}>
                {user.name}
              </span>
            )}
          </div>
        </div>
        {ticket.status === 'pending' && !gone && (
          <button
            type="button"
            className={classes.accept}
            aria-label={words.acceptName(contact.name)}
            tabIndex={active ? 0 : -1}
            onClick={() => deeds.accept(ticket)}
          >
            {words.accept}
          </button>
        )}
      </div>
      {!gone && <RowActions ticket={ticket} active={active || swiped} deeds={deeds} words={words} />}
    </div>
  )
})

/** How long the customer has been waiting for somebody's answer. */
function Wait({ since, minute, words }: { since: string | null; minute: number; words: ListWords }) {
  const wait = waitOf(since, minute)
  if (!since || !wait) return null
  return (
    <span
      className={classes.wait}
      data-long={minute - Date.parse(since) / 60_000 >= longWait || undefined}
      title={words.waits(wait)}
    >
      <IconHourglassEmpty size={12} stroke={2} aria-hidden="true" />
      <span className="rc-sr">{words.waits('')}</span>
      {wait}
    </span>
  )
}
/** Minutes: from here on it stands out. */
const longWait = 15

/** Something was begun here and not sent. */
function DraftMark({ ticketId, words }: { ticketId: number; words: ListWords }) {
  const [draft] = useDraft(draftOf(ticketId, 'reply'))
  return draft.trim() === '' ? null : <span className={classes.draft}>{words.draft}:</span>
}

const marks = {
  assigned: IconArrowsExchange,
  queued: IconInbox,
  mention: IconAt,
  held: IconCalendarPause,
  unsent: IconMessageX,
  goal: IconClockExclamation,
  resting: IconPlugConnectedX,
  'hook-rests': IconPlugConnectedX,
  'hook-off': IconPlugConnectedX,
  'hook-gave-up': IconPlugConnectedX,
}

/** It was given to its reader, or a note in it names them. */
function ToldMark({ kind, words }: { kind: Notice['kind']; words: ListWords }) {
  const Mark = marks[kind]
  return (
    <span className={classes.told} title={words.told[kind]}>
      <Mark size={13} stroke={2.2} role="img" aria-label={words.told[kind]} />
    </span>
  )
}

const moment = (updatedAt: string, today: string) => (day(updatedAt) === today ? time(updatedAt) : day(updatedAt))

type OpenerProps = Pick<Props, 'ticket' | 'gone' | 'selected' | 'active'> & {
  words: ListWords
  deeds: RowDeeds
}

/** The name, and the whole row with it: a link, but for what waits, which is looked into and accepted first. */
function Opener({ ticket, gone, selected, active, words, deeds }: OpenerProps) {
  const label = summary(ticket, words, useTexts(previewTexts).kinds)
  const shared = { className: classes.name, 'data-opener': true, tabIndex: active ? 0 : -1 }
  if (gone) {
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs; this names the row that arrows lead to.
      <div {...shared} role="group" aria-label={`${label}. ${words.gone}`}>
        {ticket.contact.name}
      </div>
    )
  }
  if (ticket.status === 'pending') {
    return (
      <button {...shared} type="button" aria-label={`${label}. ${words.peek}`} onClick={() => deeds.peek(ticket)}>
        {ticket.contact.name}
      </button>
    )
  }
  const follow = (event: MouseEvent) => {
    // Another tab or window is the browser's to open.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    deeds.open(ticket)
  }
  return (
    <a
      {...shared}
      href={addressOf(ticket)}
      aria-current={selected ? 'true' : undefined}
      aria-label={label}
      draggable={false}
      onClick={follow}
    >
      {ticket.contact.name}
    </a>
  )
}

/** What a screen reader says of the row. */
function summary(ticket: Shown['ticket'], words: ListWords, kinds: PreviewWords['kinds']): string {
  const unread = ticket.unreadMessages > 0 ? words.unread(ticket.unreadMessages) : ''
  const { hit } = ticket
  const said = hit ? `${hit.before}${hit.words}${hit.after}` : previewOf(ticket, kinds).text
  const where = ticket.queue?.name ?? words.noQueue
  return [ticket.contact.name, unread, said, where, ticket.chatbot ? words.bot : ''].filter(Boolean).join(', ')
}
