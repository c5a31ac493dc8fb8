import type { ReactNode } from 'react'
import { type Rich, richText } from './rich-text.ts'

/** What somebody wrote, with WhatsApp's marks and with links. */
export function RichWords({ text }: { text: string }): ReactNode {
  return richText(text).map(drawn)
}

function drawn(part: Rich, index: number): ReactNode {
  if (typeof part === 'string') return part
  if ('link' in part)
    // An address reads from left to right, whatever is written around it.
    return (
      <a key={index} href={part.link} dir="ltr" target="_blank" rel="noopener noreferrer nofollow">
        {part.text}
      </a>
    )
  const inside = part.inside.map(drawn)
  if (part.mark === 'b') return <b key={index}>{inside}</b>
  if (part.mark === 'i') return <em key={index}>{inside}</em>
  if (part.mark === 's') return <s key={index}>{inside}</s>
  return <code key={index}>{inside}</code>
}
