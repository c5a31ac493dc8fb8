import type { SandboxPhoneMessage } from '@recado/contract/sandbox'
import { IconPhone, IconQuestionMark } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { mediaSrc } from '../../../lib/media-src.ts'
import { useTexts } from '../../../lib/texts.ts'
import { parseCoordinates } from '../../../parts/message/body/message-body.ts'
import { BubbleText } from '../../../parts/message/bubble/bubble-frame.tsx'
import { PersonCard } from '../../../parts/message/bubble/contact-cards.tsx'
import { LocationCard } from '../../../parts/message/bubble/location-message.tsx'
import { DocumentCard, EventMessage } from '../../../parts/message/bubble/message-kinds.tsx'
import { VoicePlayer } from '../../../parts/message/media/voice-player.tsx'
import { texts } from '../texts.ts'
import classes from './phone-message-bubble.module.css'

type Props = { message: SandboxPhoneMessage; meta: ReactNode }

/** The content of a message as the customer's phone shows it, with the time at its end. */
export function PhoneBubbleBody({ message, meta }: Props) {
  const words = useTexts(texts)
  const { kind, body } = message
  const src = mediaSrc(message.mediaUrl)
  switch (kind) {
    case 'image':
    case 'sticker':
    case 'video':
      return <PhonePicture message={message} meta={meta} />
    case 'audio':
      return (
        <>
          <VoicePlayer id={message.id} src={src} note={message.voice}>
            {meta}
          </VoicePlayer>
          {body && <BubbleText text={body} />}
        </>
      )
    case 'application':
      return (
        <>
          <DocumentCard name={message.mediaName ?? words.kinds.application ?? ''} src={src} />
          <BubbleText text={body}>{meta}</BubbleText>
        </>
      )
    case 'location':
      return <LocationCard {...parsePhoneLocation(body)}>{meta}</LocationCard>
    case 'contact': {
      const [name = '', number = ''] = body.split('\n')
      return (
        <PersonCard name={name} number={number}>
          {meta}
        </PersonCard>
      )
    }
    case 'call':
      return (
        <EventMessage icon={IconPhone} title={words.callMade}>
          {body === 'rejected' ? words.callRejected : words.callLine}
          {meta}
        </EventMessage>
      )
    case 'unknown':
      return (
        <EventMessage icon={IconQuestionMark} title={words.kinds.unknown ?? ''}>
          {body}
          {meta}
        </EventMessage>
      )
    default:
      return <BubbleText text={body}>{meta}</BubbleText>
  }
}

/** Parses the text of a location: its last row has the coordinates, the rows above it the name. */
function parsePhoneLocation(body: string) {
  const lines = body.split('\n')
  return { name: lines.slice(0, -1).join(' '), link: '', point: parseCoordinates(lines.at(-1) ?? '') }
}

/** A picture, which opens over the page, because the phone's screen is small. */
function PhonePicture({ message, meta }: Props) {
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
      <span className={classes.caption}>
        <BubbleText text={message.body}>{meta}</BubbleText>
      </span>
    </>
  )
}
