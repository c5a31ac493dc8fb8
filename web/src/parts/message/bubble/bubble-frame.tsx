import { IconArrowForwardUp, IconBan } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { senderColor } from '../sender-color.ts'
import { texts } from '../texts.ts'
import { CollapsibleText } from './collapsible-text.tsx'
import classes from './message-bubble.module.css'

type Props = {
  /** The message id; while the message is being sent, the client id. */
  id?: string
  outgoing?: string
  /** Whether the message was sent from the viewer's side. */
  isOutgoing: boolean
  /** Whether the previous message has the same sender. */
  isSameSender: boolean
  isNew?: boolean
  bot?: boolean
  hasFailed?: boolean
  isDeleted?: boolean
  hasReactions?: boolean
  shape?: 'frame' | 'sound' | 'sticker' | undefined
  /** The status under the bubble. */
  statusLine?: ReactNode
  children: ReactNode
}

const attributeFlag = (is: boolean | undefined) => is || undefined

/** A row with an empty bubble. */
export function BubbleFrame({ id, outgoing, isOutgoing, isSameSender, shape, statusLine, children, ...is }: Props) {
  return (
    <div
      className={classes.row}
      data-row={attributeFlag(id !== undefined)}
      data-out={attributeFlag(isOutgoing)}
      data-follows={attributeFlag(isSameSender)}
      data-bot={attributeFlag(is.bot)}
      data-failed={attributeFlag(is.hasFailed)}
      data-deleted={attributeFlag(is.isDeleted)}
      data-frame={attributeFlag(shape === 'frame')}
      data-sound={attributeFlag(shape === 'sound')}
      data-sticker={attributeFlag(shape === 'sticker')}
      data-new={attributeFlag(is.isNew)}
    >
      <article
        className={classes.bubble}
        tabIndex={id === undefined ? undefined : -1}
        data-message={id}
        data-outgoing={outgoing}
        data-reacted={attributeFlag(is.hasReactions)}
      >
        {children}
      </article>
      {statusLine}
    </div>
  )
}

/** The sender in a group, in their own colour. */
export function SenderName({ name }: { name: string }) {
  return (
    <span className={classes.sender} style={{ '--c': senderColor(name) } as CSSProperties}>
      {name}
    </span>
  )
}

/** Marks a forwarded message. */
export function ForwardedLabel() {
  const words = useTexts(texts)
  return (
    <span className={classes.forwarded}>
      <IconArrowForwardUp size={14} stroke={1.75} aria-hidden="true" />
      {words.forwarded}
    </span>
  )
}

/** The text of a message, with its metadata at the end. */
export function BubbleText({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <span className={classes.text}>
      <CollapsibleText text={text} />
      {children}
    </span>
  )
}

export function DeletedLabel() {
  const words = useTexts(texts)
  return (
    <span className={classes.deleted}>
      <IconBan size={15} stroke={1.75} aria-hidden="true" />
      {words.deleted}
    </span>
  )
}
