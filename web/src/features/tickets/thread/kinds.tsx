import type { Message } from '@recado/contract/messages'
import { IconDownload, IconMapPin, IconPhoneX, IconQuestionMark } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { time } from '../../../lib/format.ts'
import { mediaSrc } from '../../../lib/media.ts'
import { useTexts } from '../../../lib/texts.ts'
import { endingOf } from '../../../records/fields/file-kind.ts'
import classes from './media.module.css'
import { placeOf } from './message-body.ts'
import { texts } from './texts.ts'

export function Document({ message }: { message: Message }) {
  const words = useTexts(texts)
  const name = message.mediaName ?? words.document
  const ending = endingOf(name)
  return (
    <div className={classes.document}>
      <span className={classes.ending} data-kind={ending} aria-hidden="true">
        {ending || '?'}
      </span>
      <div>
        <div className={classes.name} title={name}>
          {name}
        </div>
        <div className={classes.small}>{words.document}</div>
      </div>
      <a className={classes.icon} href={mediaSrc(message.mediaUrl)} download={name} aria-label={words.download(name)}>
        <IconDownload size={18} stroke={1.75} aria-hidden="true" />
      </a>
    </div>
  )
}

/** Only the picture that came with it: asking a map for one would tell it where customers are. */
export function Place({ body, children }: { body: string; children: ReactNode }) {
  const words = useTexts(texts)
  const { image, link, name } = placeOf(body)
  return (
    <>
      {image ? (
        <img className={classes.placePicture} src={image} alt={name || words.kinds.locationMessage} />
      ) : (
        <span className={classes.placeGround}>
          <IconMapPin size={28} stroke={1.75} aria-hidden="true" />
        </span>
      )}
      <span className={classes.place}>
        <b>{name || words.kinds.locationMessage}</b>
        {link && (
          <a href={link} target="_blank" rel="noopener noreferrer">
            {words.openMap}
          </a>
        )}
        {children}
      </span>
    </>
  )
}

export function Call({ message }: { message: Message }) {
  const words = useTexts(texts)
  return (
    <div className={classes.call}>
      <span className={classes.callIcon}>
        <IconPhoneX size={18} stroke={1.75} aria-hidden="true" />
      </span>
      <div>
        <b>{words.missedCall}</b>
        <time className={classes.small} dateTime={message.createdAt}>
          {time(message.createdAt)}
        </time>
      </div>
    </div>
  )
}

/** Honest about what this screen cannot show. */
export function Unknown({ message }: { message: Message }) {
  const words = useTexts(texts)
  return (
    <div className={classes.call}>
      <span className={classes.callIcon} data-neutral>
        <IconQuestionMark size={18} stroke={1.75} aria-hidden="true" />
      </span>
      <div>
        <b>{words.kinds.unknown}</b>
        <span className={classes.small}>{words.unknownLine(message.body)}</span>
      </div>
    </div>
  )
}
