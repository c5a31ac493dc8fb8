import type { Ticket } from '@recado/contract/tickets'
import type { CSSProperties } from 'react'
import { fitTags } from './fit-tags.ts'
import { widthOf } from './measure.ts'
import type { ListWords } from './texts.ts'
import classes from './ticket-row.module.css'

/** Paddings, avatar and its gap; the dot of the queue; gaps between queue, line and tags. */
const around = { small: 15 + 36 + 10 + 12, large: 17 + 40 + 12 + 14 }
/** The button of what waits, see the stylesheet. */
const accept = 96
const dot = 14
const gap = 6
/** Names are cut there, see the stylesheet. */
const widestName = 108

/** At most, and with its padding (see the stylesheet). */
const assigneeWidth = (name: string) => Math.min(96, widthOf(name) + 12)
const nameWidth = (name: string) => Math.min(widestName, widthOf(name))

type Props = { ticket: Ticket; width: number; large: boolean; words: ListWords }

/** Queue, line, and as many tags as there is room for. */
export function RowTags({ ticket, width, large, words }: Props) {
  const { queue, whatsapp, tags } = ticket
  const queueName = queue?.name ?? words.noQueue
  const used = dot + nameWidth(queueName) + gap + (whatsapp ? nameWidth(whatsapp.name) + gap : 0)
  const beside = ticket.status === 'pending' ? accept : ticket.user ? assigneeWidth(ticket.user.name) + gap : 0
  const room = width - around[large ? 'large' : 'small'] - used - beside
  const shown = fitTags(tags, room, widthOf)
  const rest = tags.slice(shown.length)
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
      {shown.map((tag) => (
        <span key={tag.id} className={`${classes.tag} rc-tint`} style={{ '--c': tag.color } as CSSProperties}>
          <span className={classes.clip}>{tag.name}</span>
        </span>
      ))}
      {rest.length > 0 && (
        <span className={classes.rest} title={words.moreTags(rest.map((tag) => tag.name).join(', '))}>
          +{rest.length}
        </span>
      )}
    </>
  )
}
