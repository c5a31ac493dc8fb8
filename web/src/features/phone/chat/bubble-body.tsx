import type { PhoneMessage } from '@recado/contract/sandbox'
import { IconDownload, IconMapPin, IconPhone, IconQuestionMark, IconUser } from '@tabler/icons-react'
import { mediaSrc } from '../../../lib/media.ts'
import { useTexts } from '../../../lib/texts.ts'
import { Formatted } from '../../../parts/formatted.tsx'
import { endingOf } from '../../../records/fields/file-kind.ts'
import { texts } from '../texts.ts'
import classes from './bubble.module.css'
import { Voice } from './voice.tsx'

/** What a message is, as the customer's phone draws it. */
export function BubbleBody({ message }: { message: PhoneMessage }) {
  const { kind, body } = message
  switch (kind) {
    case 'image':
    case 'sticker':
    case 'video':
      return <Picture message={message} />
    case 'audio':
      return (
        <>
          <Voice src={mediaSrc(message.mediaUrl)} />
          {body}
        </>
      )
    case 'application':
      return <Document message={message} />
    case 'location':
      return <Place body={body} />
    case 'contact':
      return <Card body={body} />
    case 'call':
      return <Call isRejected={body === 'rejected'} />
    case 'unknown':
      return <Unknown body={body} />
    default:
      return <Formatted text={body} />
  }
}

function Picture({ message }: { message: PhoneMessage }) {
  const words = useTexts(texts)
  const src = mediaSrc(message.mediaUrl)
  const name = message.body || words.kinds[message.kind] || ''
  return (
    <>
      {!src && <span className={classes.noFile}>{words.noFile}</span>}
      {src && message.kind === 'video' && (
        // biome-ignore lint/a11y/useMediaCaption: whatever the customer filmed has no captions
        <video className={classes.picture} controls preload="metadata" src={src} />
      )}
      {src && message.kind !== 'video' && (
        <a href={src} target="_blank" rel="noreferrer">
          <img className={message.kind === 'sticker' ? classes.sticker : classes.picture} src={src} alt={name} />
        </a>
      )}
      {message.body && (
        <span className={classes.caption}>
          <Formatted text={message.body} />
        </span>
      )}
    </>
  )
}

function Document({ message }: { message: PhoneMessage }) {
  const words = useTexts(texts)
  const name = message.mediaName ?? words.kinds.application ?? ''
  return (
    <>
      <span className={classes.document}>
        <span className={classes.ending} aria-hidden="true">
          {endingOf(name)}
        </span>
        <span className={classes.fileName}>{name}</span>
        <a href={mediaSrc(message.mediaUrl)} download={name} aria-label={words.download(name)}>
          <IconDownload size={18} stroke={1.75} />
        </a>
      </span>
      {message.body && <Formatted text={message.body} />}
    </>
  )
}

/** The last line carries where, the ones above what it is called. */
function Place({ body }: { body: string }) {
  const words = useTexts(texts)
  const lines = body.split('\n')
  const where = lines.at(-1) ?? ''
  return (
    <span className={classes.block}>
      <span className={classes.blockIcon} aria-hidden="true">
        <IconMapPin size={20} stroke={1.75} />
      </span>
      <span className={classes.blockWords}>
        <b>{lines.slice(0, -1).join(' ') || words.kinds.location}</b>
        <a
          href={`https://www.openstreetmap.org/search?query=${encodeURIComponent(where)}`}
          target="_blank"
          rel="noreferrer"
        >
          {words.openMap}
        </a>
      </span>
    </span>
  )
}

function Card({ body }: { body: string }) {
  const [name, number] = body.split('\n')
  return (
    <span className={classes.block}>
      <span className={classes.blockIcon} aria-hidden="true">
        <IconUser size={20} stroke={1.75} />
      </span>
      <span className={classes.blockWords}>
        <b>{name}</b>
        {number}
      </span>
    </span>
  )
}

function Call({ isRejected }: { isRejected: boolean }) {
  const words = useTexts(texts)
  return (
    <span className={classes.block}>
      <span className={classes.blockIcon} aria-hidden="true">
        <IconPhone size={18} stroke={1.75} />
      </span>
      <span className={classes.blockWords}>
        <b>{words.callMade}</b>
        {isRejected ? words.callRejected : words.callLine}
      </span>
    </span>
  )
}

function Unknown({ body }: { body: string }) {
  const words = useTexts(texts)
  return (
    <span className={classes.block}>
      <span className={classes.blockIcon} aria-hidden="true">
        <IconQuestionMark size={18} stroke={1.75} />
      </span>
      <span className={classes.blockWords}>
        <b>{words.kinds.unknown}</b>
        {body}
      </span>
    </span>
  )
}
