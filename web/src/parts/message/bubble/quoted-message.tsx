import type { Message } from '@recado/contract/messages'
import { mediaSrc } from '../../../lib/media-src.ts'
import { useTexts } from '../../../lib/texts.ts'
import { summarizeMessage } from '../body/message-body.ts'
import { useMessageContext } from '../message-context.ts'
import { texts } from '../texts.ts'
import classes from './message-bubble.module.css'

/** The quoted message, with a link to it. */
export function QuotedMessage({ quoted }: { quoted: NonNullable<Message['quotedMsg']> }) {
  const words = useTexts(texts)
  const { handlers, contact } = useMessageContext()
  const name = quoted.fromMe ? words.us : (quoted.contact?.name ?? contact)
  const isPicture = (quoted.mediaType === 'image' || quoted.mediaType === 'sticker') && quoted.mediaUrl
  return (
    <QuoteBlock
      name={name}
      text={summarizeMessage(quoted, words)}
      picture={isPicture ? mediaSrc(quoted.mediaUrl) : null}
      onJump={() => handlers.jump(quoted.id)}
    />
  )
}

type BlockProps = { name: string; text: string; picture?: string | null; onJump?: () => void }
export function QuoteBlock({ name, text, picture, onJump }: BlockProps) {
  const words = useTexts(texts)
  const inside = (
    <>
      <span className={classes.quoteWords}>
        {name && <span className={classes.quoteName}>{name}</span>}
        <span className={classes.quoteText}>{text}</span>
      </span>
      {picture && <img className={classes.quotePicture} src={picture} alt="" loading="lazy" />}
    </>
  )
  if (!onJump) return <div className={classes.quote}>{inside}</div>
  return (
    <button type="button" className={classes.quote} title={words.quoteOf(name)} onClick={onJump}>
      {inside}
    </button>
  )
}
