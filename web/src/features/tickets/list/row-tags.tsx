import type { Ticket } from '@recado/contract/tickets'
import type { CSSProperties } from 'react'
import { measureTextWidth } from '../filters/measure-text-width.ts'
import { fitTags } from './fit-tags.ts'
import type { TicketListTexts } from './texts.ts'
import classes from './ticket-row.module.css'

/** Widths in a row: paddings with avatar and gap, the queue's dot, and the gap between queue, line and tags. */
const rowPaddingPx = { small: 15 + 36 + 10 + 12, large: 17 + 40 + 12 + 14 }
/** The accept button of pending tickets, see the stylesheet. */
const acceptButtonPx = 96
const queueDotPx = 14
const gapPx = 6
/** Maximum width of a name, see the stylesheet. */
const maxNameWidthPx = 108

/** The width of the assignee's name with padding, up to a maximum (see the stylesheet). */
const assigneeWidth = (name: string) => Math.min(96, measureTextWidth(name) + 12)
const nameWidth = (name: string) => Math.min(maxNameWidthPx, measureTextWidth(name))

type Props = { ticket: Ticket; assignee: Ticket['user']; width: number; isLarge: boolean; words: TicketListTexts }

/** Queue, line, and as many tags as fit. */
export function RowTags({ ticket, assignee, width, isLarge, words }: Props) {
  const { queue, whatsapp, tags } = ticket
  const queueName = queue?.name ?? words.noQueue
  const used = queueDotPx + nameWidth(queueName) + gapPx + (whatsapp ? nameWidth(whatsapp.name) + gapPx : 0)
  const beside = ticket.status === 'pending' ? acceptButtonPx : assignee ? assigneeWidth(assignee.name) + gapPx : 0
  const room = width - rowPaddingPx[isLarge ? 'large' : 'small'] - used - beside
  const visibleTags = fitTags(tags, room, measureTextWidth)
  const hiddenTags = tags.slice(visibleTags.length)
  return (
    <>
      <span className={classes.queue}>
        <span
          className={queue ? `${classes.dot} rc-dot` : classes.dot}
          style={queue ? ({ '--c': queue.color } as CSSProperties) : undefined}
        />
        <span className={classes.clip}>{queueName}</span>
      </span>
      {whatsapp && (
        <span className={classes.line} title={`${words.line}: ${whatsapp.name}`}>
          {whatsapp.name}
        </span>
      )}
      {visibleTags.map((tag) => (
        <span key={tag.id} className={`${classes.tag} rc-tint`} style={{ '--c': tag.color } as CSSProperties}>
          <span className={classes.clip}>{tag.name}</span>
        </span>
      ))}
      {hiddenTags.length > 0 && (
        <span className={classes.rest} title={words.moreTags(hiddenTags.map((tag) => tag.name).join(', '))}>
          +{hiddenTags.length}
        </span>
      )}
    </>
  )
}
