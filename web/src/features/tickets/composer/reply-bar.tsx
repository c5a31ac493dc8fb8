import type { Message } from '@recado/contract/messages'
import { IconX } from '@tabler/icons-react'
import { mediaSrc } from '../../../lib/media.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from './composer.module.css'
import { texts } from './texts.ts'

type Props = { message: Message; contactName: string; onClose: () => void }

/** What is being answered. */
export function ReplyBar({ message, contactName, onClose }: Props) {
  const words = useTexts(texts)
  const name = message.fromMe ? (message.user?.name ?? words.yourself) : (message.contact?.name ?? contactName)
  const picture = message.mediaType === 'image' || message.mediaType === 'sticker'
  return (
    <div className={classes.quoting}>
      <div>
        <b>{words.replyingTo(name)}</b>
        <span>{summary(message, words)}</span>
      </div>
      {picture && message.mediaUrl && <img src={mediaSrc(message.mediaUrl)} alt="" />}
      <button type="button" className={classes.tool} aria-label={words.stopReplying} onClick={onClose}>
        <IconX size={16} stroke={1.75} />
      </button>
    </div>
  )
}

type Kinds = Record<'photo' | 'audio' | 'video' | 'document' | 'place' | 'card', string>

/** Words where there are words; what it is where there are none, or where they are not meant for people. */
function summary({ body, mediaType, mediaName }: Message, words: Kinds): string {
  if (mediaType === 'locationMessage') return words.place
  if (mediaType === 'contactMessage' || mediaType === 'vcard') return words.card
  const said = body.replace(/^\*[^*\n]+:\*\n/, '')
  if (said) return said
  if (mediaType === 'image' || mediaType === 'sticker') return words.photo
  if (mediaType === 'audio') return words.audio
  if (mediaType === 'video') return words.video
  return mediaName ?? words.document
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
