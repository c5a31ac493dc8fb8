import { type ReactNode, useContext } from 'react'
import classes from './mention-context.module.css'
import { MentionContext, type MentionPart } from './mention-context.ts'
import { parseRichText, type RichTextPart } from './rich-text.ts'

/** Text with WhatsApp formatting and links. Telephones and e-mail addresses open the program for them. */
export function RichText({ text }: { text: string }): ReactNode {
  const names = useContext(MentionContext)
  return parseRichText(text).map((part, index) => renderPart(part, index, names))
}

function renderPart(part: RichTextPart, index: number, names: ((text: string) => MentionPart[]) | null): ReactNode {
  if (typeof part === 'string') return names ? names(part).map(renderMention) : part
  if ('link' in part)
    // A URL is always left-to-right, even in right-to-left text.
    return (
      <a key={index} href={part.link} dir="ltr" {...(part.link.startsWith('http') && newTab)}>
        {part.text}
      </a>
    )
  const inside = part.parts.map((one, i) => renderPart(one, i, names))
  if (part.mark === 'b') return <b key={index}>{inside}</b>
  if (part.mark === 'i') return <em key={index}>{inside}</em>
  if (part.mark === 's') return <s key={index}>{inside}</s>
  return <code key={index}>{inside}</code>
}

const newTab = { target: '_blank', rel: 'noopener noreferrer nofollow' }

const renderMention = (part: MentionPart, index: number): ReactNode =>
  typeof part === 'string' ? (
    part
  ) : (
    <span key={index} className={classes.name} data-me={part.isMe || undefined}>
      {part.name}
    </span>
  )
