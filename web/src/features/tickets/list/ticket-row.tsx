import type { Notice } from '@recado/contract/notices'
import {
  IconArrowsExchange,
  IconAt,
  IconCalendarPause,
  IconClockExclamation,
  IconClockPause,
  IconClockPlay,
  IconHourglassEmpty,
  IconInbox,
  IconMessageReply,
  IconMessageX,
  IconNote,
  IconPinnedFilled,
  IconPlugConnectedX,
  IconRobot,
} from '@tabler/icons-react'
import { type CSSProperties, type MouseEvent, memo } from 'react'
import { formatDay, formatTime } from '../../../lib/format.ts'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { ContactAvatar } from '../../../parts/contact-avatar.tsx'
import { draftKey } from '../../../parts/conversation/outgoing/composer-keys.ts'
import { stripFormatting } from '../../../parts/message/body/rich-text.ts'
import { useDraft } from '../../../parts/message/composer/drafts.ts'
import { GoalTimeLeft } from '../../../parts/ticket/goal-time-left.tsx'
import { LastMessage } from '../../../parts/ticket/last-message.tsx'
import { PriorityMark } from '../../../parts/ticket/priority-mark.tsx'
import { priorityTexts } from '../../../parts/ticket/priority-texts.ts'
import { formatReturn } from '../../../parts/ticket/snooze/format-return.ts'
import { snoozeTexts } from '../../../parts/ticket/snooze/texts.ts'
import { buildTicketPreview } from '../../../parts/ticket/ticket-preview.ts'
import { type PreviewTexts, ticketPreviewTexts } from '../../../parts/ticket/ticket-preview-texts.ts'
import { CountBadge } from '../../../ui/count-badge.tsx'
import { selectionHeadTexts } from '../selection/selection-head-texts.ts'
import type { RowActionHandlers } from './row-action-handlers.ts'
import { RowTags } from './row-tags.tsx'
import type { ShownRow } from './steady-rows.ts'
import { type TicketListTexts, ticketListTexts } from './texts.ts'
import { ticketAddress } from './ticket-address.ts'
import classes from './ticket-row.module.css'
import { TicketRowActions } from './ticket-row-actions.tsx'
import { formatWait } from './use-today-and-minute.ts'

type Props = {
  ticket: ShownRow['ticket']
  isGone: boolean
  selected: boolean
  /** Whether this row is in the tab order; arrows move to the other rows. */
  isActive: boolean
  isSwiped: boolean
  isPinned: boolean
  /** Whether the row is checked, and whether any row is. */
  isChecked: boolean
  isChecking: boolean
  /** `isRange`: with all rows from the last checked one to this one. */
  onCheck: (ticket: ShownRow['ticket'], isRange: boolean) => void
  /** The width of the whole list in pixels, which decides how many tags fit. */
  width: number
  isLarge: boolean
  /** dd/MM/yyyy. Times of today are shown as hours, other times as days. */
  today: string
  /** The current minute, from which waiting times are calculated. */
  minute: number
  /** The user's unseen notification about this ticket. */
  noticeKind: Notice['kind'] | undefined
  actions: RowActionHandlers
}

/** One ticket. Memoized by hand and re-rendered only on changes, because there may be thousands of rows. */
export const TicketRow = memo(function TicketRow(props: Props) {
  const { ticket, isGone, selected, isActive, isSwiped, isPinned, width, isLarge, today, minute, noticeKind, actions } =
    props
  const { isChecked, isChecking, onCheck } = props
  const words = useTexts(ticketListTexts)
  const marks = useTexts(priorityTexts)
  const selectionWords = useTexts(selectionHeadTexts)
  const { contact, queue, user } = ticket
  const me = useSession().user?.id
  // On a phone the user's own rows need no name: the room is for tags.
  const assignee = isLarge && user?.id === me ? null : user
  return (
    <div
      className={classes.row}
      data-selected={selected || isChecked || undefined}
      data-checking={isChecking || undefined}
      data-unread={ticket.unreadMessages > 0 || noticeKind !== undefined || undefined}
      data-gone={isGone || undefined}
      data-swiped={isSwiped || undefined}
      data-waiting={ticket.status === 'pending' || undefined}
    >
      <div className={classes.body} data-body>
        <span
          className={queue ? `${classes.strip} rc-mark` : classes.strip}
          style={queue ? ({ '--c': queue.color } as CSSProperties) : undefined}
        />
        <span className={classes.face}>
          <ContactAvatar contact={contact} size={isLarge ? 40 : 36} isGroup={ticket.isGroup} />
          {!isGone && (
            <input
              type="checkbox"
              className={classes.check}
              tabIndex={-1}
              aria-label={selectionWords.check(contact.name)}
              checked={isChecked}
              onChange={() => undefined}
              onClick={(event) => onCheck(ticket, event.shiftKey)}
            />
          )}
          {ticket.priority !== 'normal' && !isChecking && (
            <span className={classes.priority} title={marks.mark(marks.names[ticket.priority])}>
              <PriorityMark priority={ticket.priority} size={16} />
            </span>
          )}
        </span>
        <div className={classes.lines}>
          <div className={classes.first}>
            <RowLink
              ticket={ticket}
              isGone={isGone}
              selected={selected}
              isActive={isActive}
              isPinned={isPinned}
              isChecking={isChecking && isLarge}
              onCheck={onCheck}
              words={words}
              actions={actions}
            />
            {isPinned && (
              <span className={classes.pin} title={marks.pinned}>
                <IconPinnedFilled size={14} aria-hidden="true" />
              </span>
            )}
            <span className={classes.gap} />
            {ticket.chatbot && <IconRobot className={classes.robot} size={16} stroke={1.75} aria-label={words.bot} />}
            {ticket.snooze ? null : ticket.goals.length > 0 ? (
              <span className={classes.goal}>
                <GoalTimeLeft goals={ticket.goals} now={minute * 60_000} />
              </span>
            ) : (
              ticket.status !== 'closed' && <WaitingTime since={ticket.waitingSince} minute={minute} words={words} />
            )}
            {ticket.snooze ? (
              <ReturnTime snooze={ticket.snooze} />
            ) : (
              <time className={classes.time} dateTime={ticket.updatedAt}>
                {formatMoment(ticket.updatedAt, today)}
              </time>
            )}
          </div>
          <div className={classes.second}>
            {ticket.snooze?.note ? (
              <SnoozeNote note={ticket.snooze.note} />
            ) : (
              <>
                {ticket.returned && <ReturnedMark note={ticket.returned.note} />}
                <DraftOrLastMessage ticket={ticket} words={words} />
              </>
            )}
            {noticeKind && <NoticeMark kind={noticeKind} words={words} />}
            {ticket.unreadMessages > 0 && <CountBadge value={ticket.unreadMessages} kind="accent" />}
          </div>
          <div className={classes.third}>
            <RowTags ticket={ticket} assignee={assignee} width={width} isLarge={isLarge} words={words} />
            {assignee && (
              <span className={classes.who} title={words.assignedTo(assignee.name)}>
                {assignee.name}
              </span>
            )}
          </div>
        </div>
        {ticket.status === 'pending' && !isGone && (
          <button
            type="button"
            className={classes.accept}
            aria-label={words.acceptName(contact.name)}
            tabIndex={isActive ? 0 : -1}
            onClick={() => actions.accept(ticket)}
          >
            {words.accept}
          </button>
        )}
      </div>
      {!isGone && <TicketRowActions ticket={ticket} isActive={isActive || isSwiped} actions={actions} words={words} />}
    </div>
  )
})

/** When a snoozed ticket comes back: at an hour of its group's day, or with the customer's next message. */
function ReturnTime({ snooze }: { snooze: NonNullable<ShownRow['ticket']['snooze']> }) {
  const words = useTexts(snoozeTexts)
  const ReturnIcon = snooze.until ? IconClockPause : IconMessageReply
  const label = snooze.until ? words.backAt(formatReturn(snooze.until)) : words.untilMessage
  return (
    <span className={classes.back} title={label}>
      <ReturnIcon size={14} stroke={1.75} aria-hidden="true" />
      {snooze.until ? formatTime(snooze.until) : formatDay(snooze.since)}
    </span>
  )
}

/** What a snoozed ticket is to come back for. */
const SnoozeNote = ({ note }: { note: string }) => (
  <>
    <IconNote size={16} stroke={1.75} aria-hidden="true" />
    <span className={classes.draftText}>{note}</span>
  </>
)

/** Marks a ticket that came back from a snooze, until it is opened. */
function ReturnedMark({ note }: { note: string }) {
  const words = useTexts(snoozeTexts)
  return (
    <span className={classes.returned}>
      <IconClockPlay size={14} stroke={1.75} aria-hidden="true" />
      <span className={classes.clip}>{note ? words.returnedFor(note) : words.returned}</span>
    </span>
  )
}

/** How long the customer has been waiting for an answer. */
function WaitingTime({ since, minute, words }: { since: string | null; minute: number; words: TicketListTexts }) {
  const wait = formatWait(since, minute)
  if (!since || !wait) return null
  return (
    <span
      className={classes.wait}
      data-long={minute - Date.parse(since) / 60_000 >= longWaitMinutes || undefined}
      title={words.waits(wait)}
    >
      <IconHourglassEmpty size={12} stroke={2} aria-hidden="true" />
      <span className="rc-sr">{words.waits('')}</span>
      {wait}
    </span>
  )
}
/** Waits longer than this many minutes are highlighted. */
const longWaitMinutes = 15

/** An unsent draft takes the place of the last message, but not of an unread one or a search hit. */
function DraftOrLastMessage({ ticket, words }: { ticket: ShownRow['ticket']; words: TicketListTexts }) {
  const [draft] = useDraft(draftKey(ticket.id, 'reply'))
  const text = draft.trim()
  if (text === '') return <LastMessage ticket={ticket} />
  const isHidden = ticket.unreadMessages > 0 || ticket.hit !== undefined
  return (
    <>
      <span className={classes.draft}>{words.draft}:</span>
      {isHidden ? (
        <LastMessage ticket={ticket} />
      ) : (
        <span className={classes.draftText}>{text.slice(0, maxPreviewLength)}</span>
      )}
    </>
  )
}
/** Maximum length of the preview, longer than what fits into a row. */
const maxPreviewLength = 200

const noticeIcons = {
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

/** Marks a ticket that was assigned to the user, or a note that mentions the user. */
function NoticeMark({ kind, words }: { kind: Notice['kind']; words: TicketListTexts }) {
  const Mark = noticeIcons[kind]
  return (
    <span className={classes.told} title={words.told[kind]}>
      <Mark size={13} stroke={2.2} role="img" aria-label={words.told[kind]} />
    </span>
  )
}

const formatMoment = (updatedAt: string, today: string) =>
  formatDay(updatedAt) === today ? formatTime(updatedAt) : formatDay(updatedAt)

type OpenerProps = Pick<
  Props,
  'ticket' | 'isGone' | 'selected' | 'isActive' | 'isPinned' | 'isChecking' | 'onCheck'
> & {
  words: TicketListTexts
  actions: RowActionHandlers
}

/** The name, which makes the row clickable: a link, except for pending tickets, which are previewed and accepted. */
function RowLink(props: OpenerProps) {
  const { ticket, isGone, selected, isActive, isPinned, isChecking, onCheck, words, actions } = props
  const marks = useTexts(priorityTexts)
  const priority = ticket.priority === 'normal' ? '' : marks.mark(marks.names[ticket.priority])
  const label = [
    describeRow(ticket, words, useTexts(ticketPreviewTexts).kinds),
    ...[priority, isPinned ? marks.pinned : '', describeSnooze(ticket, useTexts(snoozeTexts))].filter(Boolean),
  ].join(', ')
  const shared = { className: classes.name, 'data-opener': true, tabIndex: isActive ? 0 : -1 }
  if (isGone) {
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs; this names the row that arrows lead to.
      <div {...shared} role="group" aria-label={`${label}. ${words.gone}`}>
        {ticket.contact.name}
      </div>
    )
  }
  if (ticket.status === 'pending') {
    return (
      <button
        {...shared}
        type="button"
        aria-label={`${label}. ${words.peek}`}
        onClick={(event) => (event.shiftKey || isChecking ? onCheck(ticket, event.shiftKey) : actions.peek(ticket))}
      >
        {ticket.contact.name}
      </button>
    )
  }
  const follow = (event: MouseEvent) => {
    // With a modifier key, let the browser open a new tab.
    if (event.metaKey || event.ctrlKey || event.button !== 0) return
    event.preventDefault()
    if (event.shiftKey || isChecking) onCheck(ticket, event.shiftKey)
    else actions.open(ticket)
  }
  return (
    <a
      {...shared}
      href={ticketAddress(ticket)}
      aria-current={selected ? 'true' : undefined}
      aria-label={label}
      draggable={false}
      onClick={follow}
    >
      {ticket.contact.name}
    </a>
  )
}

function describeSnooze({ snooze, returned }: ShownRow['ticket'], words: (typeof snoozeTexts)['es']): string {
  if (returned) return returned.note ? words.returnedFor(returned.note) : words.returned
  if (!snooze) return ''
  const end = snooze.until ? words.backAt(formatReturn(snooze.until)) : words.untilMessage
  return [end, snooze.note].filter(Boolean).join(', ')
}

/** The row's text for screen readers. */
function describeRow(ticket: ShownRow['ticket'], words: TicketListTexts, kinds: PreviewTexts['kinds']): string {
  const unread = ticket.unreadMessages > 0 ? words.unread(ticket.unreadMessages) : ''
  const { hit } = ticket
  const said = hit ? stripFormatting(`${hit.before}${hit.words}${hit.after}`) : buildTicketPreview(ticket, kinds).text
  const where = ticket.queue?.name ?? words.noQueue
  // A screen reader would read the marks of bold and italic text.
  return [stripFormatting(ticket.contact.name), unread, said, where, ticket.chatbot ? words.bot : '']
    .filter(Boolean)
    .join(', ')
}
