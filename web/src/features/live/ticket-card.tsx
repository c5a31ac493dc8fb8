import { useDraggable } from '@dnd-kit/core'
import { ActionIcon } from '@mantine/core'
import type { WaitingTicket } from '@recado/contract/routing/live'
import { IconArrowsMove } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { formatTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { ContactAvatar } from '../../parts/contact-avatar.tsx'
import { GoalTimeLeft } from '../../parts/ticket/goal-time-left.tsx'
import { PriorityMark } from '../../parts/ticket/priority-mark.tsx'
import { priorityTexts } from '../../parts/ticket/priority-texts.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { CountBadge } from '../../ui/count-badge.tsx'
import { formatWait } from './format-wait.ts'
import classes from './live.module.css'
import { type LiveTexts, liveTexts } from './texts.ts'
import type { HeldTicket } from './use-give-ticket.ts'

export type CardActions = {
  open: (held: HeldTicket) => void
  move: (held: HeldTicket) => void
  onKeyDown: (event: KeyboardEvent, held: HeldTicket) => void
  canMove: boolean
}
type CardProps = { held: HeldTicket; now: number; carriedBy: 'pointer' | 'keys' | undefined; actions: CardActions }

/** A ticket with its agent: who, and since when they wait or when they were answered. */
export function HeldCard(props: CardProps) {
  const words = useTexts(liveTexts)
  const { ticket } = props.held
  const line = ticket.waitingSince
    ? words.waitsFor(formatWait(props.now - Date.parse(ticket.waitingSince), words))
    : words.answered(formatTime(ticket.updatedAt))
  return (
    <Card {...props} label={describeCard(props.held, line, words)}>
      <HeldCardFace held={props.held} now={props.now} />
    </Card>
  )
}
export function HeldCardFace({ held: { ticket }, now }: Pick<CardProps, 'held' | 'now'>) {
  const words = useTexts(liveTexts)
  return (
    <>
      <span className={classes.cardHead}>
        <span className={classes.name}>{ticket.contact.name}</span>
        <Priority ticket={ticket} />
        {ticket.unreadMessages > 0 && <CountBadge value={ticket.unreadMessages} kind="accent" />}
      </span>
      <span className={`${classes.cardLine} ${classes.heldLine}`}>
        <ColorDot color={ticket.queue?.color ?? null} size={9} />
        {ticket.waitingSince
          ? words.waitsFor(formatWait(now - Date.parse(ticket.waitingSince), words))
          : words.answered(formatTime(ticket.updatedAt))}
        <GoalTimeLeft goals={ticket.goals} now={now} />
      </span>
    </>
  )
}

/** A ticket without an agent: its place in line, since when it waits, and what for. */
export function WaitingCard({
  ticket,
  place,
  ...props
}: Omit<CardProps, 'held'> & { ticket: WaitingTicket; place: number }) {
  const words = useTexts(liveTexts)
  const held = { ticket, holderId: null }
  const long = formatWait(props.now - Date.parse(ticket.since), words)
  const line = `${words.waitsFor(long)}, ${describeReason(ticket, words)}`
  return (
    <Card {...props} held={held} label={`${place}. ${describeCard(held, line, words)}`}>
      <WaitingCardFace ticket={ticket} place={place} now={props.now} />
    </Card>
  )
}
export function WaitingCardFace({ ticket, place, now }: { ticket: WaitingTicket; place: number; now: number }) {
  const words = useTexts(liveTexts)
  return (
    <span className={classes.waitingFace}>
      <span className={classes.place}>{place}</span>
      <ContactAvatar contact={ticket.contact} size={28} isGroup={ticket.isGroup} />
      <span className={classes.waitingWords}>
        <span className={classes.cardHead}>
          <span className={classes.name}>{ticket.contact.name}</span>
          <span className={classes.time}>{formatWait(now - Date.parse(ticket.since), words)}</span>
        </span>
        <span className={classes.cardLine}>
          {ticket.queue && <ColorDot color={ticket.queue.color} size={9} />}
          {ticket.queue && <span className={classes.clip}>{ticket.queue.name}</span>}
          <Priority ticket={ticket} />
          <GoalTimeLeft goals={ticket.goals} now={now} />
        </span>
        <span className={classes.reason}>{describeReason(ticket, words)}</span>
      </span>
    </span>
  )
}

/** What the ticket waits for. */
const describeReason = ({ reason, skills, offer }: WaitingTicket, words: LiveTexts): string => {
  if (offer) return words.offeredTo(offer.userName)
  return reason === 'unskilled' && skills.length > 0 ? words.lacking(skills.join(', ')) : words.reasons[reason]
}

function Priority({ ticket: { priority } }: Pick<HeldTicket, 'ticket'>) {
  const words = useTexts(priorityTexts)
  if (priority === 'normal') return null
  return (
    <span title={words.mark(words.names[priority])} className={classes.priority}>
      <PriorityMark priority={priority} size={15} />
    </span>
  )
}

const describeCard = ({ ticket }: HeldTicket, line: string, words: LiveTexts): string =>
  [
    ticket.contact.name,
    `#${ticket.number}`,
    ticket.queue?.name,
    line,
    ticket.unreadMessages > 0 && words.unread(ticket.unreadMessages),
  ]
    .filter(Boolean)
    .join(', ')

function Card({ held, carriedBy, actions, label, children }: CardProps & { label: string; children: ReactNode }) {
  const words = useTexts(liveTexts)
  const { setNodeRef, listeners } = useDraggable({
    id: held.ticket.id,
    data: { held },
    disabled: !actions.canMove,
  })
  return (
    <li ref={setNodeRef} className={classes.card} data-card={held.ticket.id} data-carried={carriedBy} {...listeners}>
      <button
        type="button"
        className={classes.opener}
        aria-label={label}
        aria-describedby="live-help"
        onClick={() => actions.open(held)}
        onKeyDown={(event) => actions.onKeyDown(event, held)}
        // Firefox fires a click on keyup of Space, so prevent it.
        onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
      />
      {children}
      {actions.canMove && (
        <ActionIcon
          className={classes.move ?? ''}
          size={28}
          aria-label={words.move(held.ticket.contact.name)}
          onClick={() => actions.move(held)}
        >
          <IconArrowsMove size={16} stroke={1.75} />
        </ActionIcon>
      )}
    </li>
  )
}
