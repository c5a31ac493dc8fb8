import type { BoardCard } from '@recado/contract/board/board'
import { IconArrowUpRight, IconClock, IconHourglass } from '@tabler/icons-react'
import { memo } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { ContactAvatar } from '../../parts/contact-avatar.tsx'
import { LastMessage } from '../../parts/ticket/last-message.tsx'
import { Chip } from '../../ui/chip.tsx'
import { ColorDot } from '../../ui/color-dot.tsx'
import { CountBadge } from '../../ui/count-badge.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import classes from './kanban.module.css'
import { type KanbanTexts, kanbanTexts } from './texts.ts'
import { formatDurationWords, waitUrgency } from './waiting-time.ts'

/** With more tags a card would be taller than wide. */
const maxShownTags = 3

/** The contents of a card, in its lane or being dragged. Memoized by hand, because there may be hundreds of cards. */
export const CardContent = memo(function CardFace({ card, now }: { card: BoardCard; now: number }) {
  const words = useTexts(kanbanTexts)
  const { contact, queue, user } = card
  const tags = card.tags.filter((tag) => tag.id !== card.laneId)
  return (
    <>
      <span className={classes.first}>
        <ContactAvatar contact={contact} size={24} isGroup={card.isGroup} />
        <span className={classes.contact}>{contact.name}</span>
        <span className={classes.number}>#{formatNumber(card.number)}</span>
      </span>
      <span className={classes.said}>
        <LastMessage ticket={card} />
      </span>
      {tags.length > 0 && (
        <span className={classes.tags}>
          {tags.slice(0, maxShownTags).map((tag) => (
            <Chip key={tag.id} color={tag.color}>
              {tag.name}
            </Chip>
          ))}
          {tags.length > maxShownTags && <Chip>+{tags.length - maxShownTags}</Chip>}
        </span>
      )}
      <span className={classes.foot}>
        <span className={classes.queue}>
          {queue && <ColorDot color={queue.color} size={9} />}
          <span className={classes.clip}>{queue?.name}</span>
        </span>
        <ReplyWindowLeft card={card} now={now} words={words} />
        <WaitingTime card={card} now={now} words={words} />
        {card.unreadMessages > 0 && <CountBadge value={card.unreadMessages} kind="accent" />}
        {user ? (
          <span title={user.name} className={classes.agent}>
            <PersonAvatar id={user.id} name={user.name} size={20} />
          </span>
        ) : (
          <span className={classes.nobody}>{words.noAgent}</span>
        )}
        <span className={classes.arrow}>
          <IconArrowUpRight size={16} stroke={1.75} aria-hidden="true" />
        </span>
      </span>
    </>
  )
})

type CardPartProps = { card: BoardCard; now: number; words: KanbanTexts }

/** How long the customer has waited for an answer. */
function WaitingTime({ card, now, words }: CardPartProps) {
  if (!card.waitingSince) return null
  const ms = now - Date.parse(card.waitingSince)
  const long = formatDurationWords(ms, words)
  return (
    <span className={classes.time} data-urgency={waitUrgency(ms)} title={words.waits(long)}>
      <IconHourglass size={14} stroke={1.75} aria-hidden="true" />
      {long}
    </span>
  )
}

/** The remaining time of the 24-hour window is shown below this limit. */
const warnBelowMs = 6 * 3_600_000
function ReplyWindowLeft({ card, now, words }: CardPartProps) {
  if (!card.windowEndsAt) return null
  const ms = Date.parse(card.windowEndsAt) - now
  if (ms > warnBelowMs) return null
  const long = formatDurationWords(ms, words)
  return (
    <span
      className={classes.time}
      data-urgency={ms <= 0 ? 'late' : 'soon'}
      title={ms <= 0 ? words.windowOver : words.window(long)}
    >
      <IconClock size={14} stroke={1.75} aria-hidden="true" />
      {ms <= 0 ? '24 h' : long}
    </span>
  )
}

/** The card's text for screen readers. */
export function describeCard(card: BoardCard, now: number, words: KanbanTexts): string {
  const unread = card.unreadMessages > 0 ? words.unread(card.unreadMessages) : ''
  const waits = card.waitingSince ? words.waits(formatDurationWords(now - Date.parse(card.waitingSince), words)) : ''
  const who = card.user?.name ?? words.noAgent
  return [card.contact.name, `#${card.number}`, unread, card.lastMessage, card.queue?.name, waits, who]
    .filter(Boolean)
    .join(', ')
}
