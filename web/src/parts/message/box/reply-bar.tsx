import type { Message } from '@recado/contract/messages'
import { IconX } from '@tabler/icons-react'
import { mediaSrc } from '../../../lib/media.ts'
import { useTexts } from '../../../lib/texts.ts'
import { summaryOf } from '../body/message-body.ts'
import { texts as threadTexts } from '../texts.ts'
import classes from './box.module.css'
import { texts } from './texts.ts'

type Props = { message: Message; contactName: string; onClose: () => void }

/** What is being answered. */
export function ReplyBar({ message, contactName, onClose }: Props) {
  const words = useTexts(texts)
  const thread = useTexts(threadTexts)
  const name = message.fromMe ? (message.user?.name ?? words.yourself) : (message.contact?.name ?? contactName)
  const picture = message.mediaType === 'image' || message.mediaType === 'sticker'
  return (
    <div className={classes.quoting}>
      <div>
        <b>{words.replyingTo(name)}</b>
        <span>{summaryOf(message, thread)}</span>
      </div>
      {picture && message.mediaUrl && <img src={mediaSrc(message.mediaUrl)} alt="" />}
      <button type="button" className={classes.tool} aria-label={words.stopReplying} onClick={onClose}>
        <IconX size={16} stroke={1.75} />
      </button>
    </div>
  )
}

/** As the server will store it inside the answer. */
export const quoteOf = ({
  id,
  fromMe,
  body,
  mediaType,
  mediaUrl,
  isDeleted,
  contact,
}: Message): Message['quotedMsg'] => ({
  id,
  fromMe,
  body,
  mediaType,
  mediaUrl,
  isDeleted,
  contact,
})
