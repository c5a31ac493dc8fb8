import type { Message } from '@recado/contract/messages'
import { useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { summarizeMessage } from '../../message/body/message-body.ts'
import { stripFormatting } from '../../message/body/rich-text.ts'
import { texts } from '../../message/texts.ts'
import { threadTexts } from './texts.ts'

type Props = { messages: Message[]; typing: boolean; contact: string }

/** Announces new messages politely: only messages that arrived after the conversation was rendered. */
export function NewMessageAnnouncer({ messages, typing, contact }: Props) {
  const words = useTexts(threadTexts)
  const kinds = useTexts(texts)
  const newest = messages.at(-1)
  const [first, setFirst] = useState(newest?.id)
  if (first === undefined && newest) setFirst(newest.id)
  const isNews = newest && newest.id !== first && !newest.fromMe
  const said = isNews
    ? words.said(stripFormatting(newest.contact?.name ?? contact), summarizeMessage(newest, kinds))
    : ''
  return (
    <div className="rc-sr" role="status" aria-live="polite">
      {typing ? words.customerTypes(stripFormatting(contact)) : said}
    </div>
  )
}
