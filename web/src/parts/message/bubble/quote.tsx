import type { Message } from '@recado/contract/messages'
import { mediaSrc } from '../../../lib/media.ts'
import { useTexts } from '../../../lib/texts.ts'
import { summaryOf } from '../body/message-body.ts'
import { useScene } from '../scene.ts'
import { texts } from '../texts.ts'
import classes from './bubble.module.css'

/** What a message answers to. Leads there. */
export function Quote({ quoted }: { quoted: NonNullable<Message['quotedMsg']> }) {
  const words = useTexts(texts)
  const { hands, contact } = useScene()
  const name = quoted.fromMe ? words.us : (quoted.contact?.name ?? contact)
  const isPicture = (quoted.mediaType === 'image' || quoted.mediaType === 'sticker') && quoted.mediaUrl
  return (
    <button type="button" className={classes.quote} title={words.quoteOf(name)} onClick={() => hands.jump(quoted.id)}>
      <span className={classes.quoteWords}>
        <span className={classes.quoteName}>{name}</span>
        <span className={classes.quoteText}>{summaryOf(quoted, words)}</span>
      </span>
      {isPicture && <img className={classes.quotePicture} src={mediaSrc(quoted.mediaUrl)} alt="" loading="lazy" />}
    </button>
  )
}
