import type { Message } from '@recado/contract/messages'
import { mediaSrc } from '../../../lib/media-src.ts'
import { useTexts } from '../../../lib/texts.ts'
import { summarizeMessage } from '../body/message-body.ts'
import { texts as threadTexts } from '../texts.ts'
import { ComposerContextBar } from './composer-context-bar.tsx'
import { texts } from './texts.ts'

type Props = { message: Message; contactName: string; onClose: () => void }

/** The message being replied to. */
export function ReplyingToBar({ message, contactName, onClose }: Props) {
  const words = useTexts(texts)
  const thread = useTexts(threadTexts)
  const name = message.fromMe ? (message.user?.name ?? words.yourself) : (message.contact?.name ?? contactName)
  const picture = message.mediaType === 'image' || message.mediaType === 'sticker'
  return (
    <ComposerContextBar
      title={words.replyingTo(name)}
      text={summarizeMessage(message, thread)}
      picture={picture && message.mediaUrl ? mediaSrc(message.mediaUrl) : null}
      close={{ label: words.stopReplying, onClose }}
    />
  )
}

/** The quote as the server will store it in the reply. */
export const toQuotedMessage = ({
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
