import type { Message } from '@recado/contract/messages'
import { findFirstLink } from '@recado/contract/text/first-link'
import { parseSignature } from '@recado/contract/text/signature'
import { lazy, type ReactNode, Suspense } from 'react'
import { mediaSrc } from '../../../lib/media-src.ts'
import { useTexts } from '../../../lib/texts.ts'
import media from '../media/media.module.css'
import { MediaThumbnail } from '../media/media-thumbnail.tsx'
import { VoicePlayer } from '../media/voice-player.tsx'
import { useMessageContext } from '../message-context.ts'
import { texts } from '../texts.ts'
import { BubbleText, DeletedLabel } from './bubble-frame.tsx'
import { BubbleMeta } from './bubble-meta.tsx'
import { CollapsibleText } from './collapsible-text.tsx'
import { ContactCards } from './contact-cards.tsx'
import { FileState } from './file-state.tsx'
import { LocationMessage } from './location-message.tsx'
import classes from './message-bubble.module.css'
import { CallMessage, DocumentMessage, UnsupportedMessage } from './message-kinds.tsx'

const LinkPreview = lazy(() => import('./link-preview.tsx').then((module) => ({ default: module.LinkPreview })))

const fileKinds = ['image', 'video', 'audio', 'application', 'sticker']
export const isMediaFramed = ({ mediaType }: Message) =>
  mediaType === 'image' || mediaType === 'video' || mediaType === 'locationMessage'
export const isMediaReady = ({ mediaState, mediaUrl }: Message) =>
  mediaUrl !== null && mediaState !== 'pending' && mediaState !== 'failed'

/** The content of a message, with the time at its end. */
export function MessageBubbleBody({ message }: { message: Message }) {
  const { mediaType, body } = message
  if (message.isDeleted)
    return (
      <>
        <DeletedLabel />
        <BubbleMeta timestamp={message.createdAt} />
      </>
    )
  const meta = <MessageMeta message={message} />
  if (fileKinds.includes(mediaType ?? '')) return <FileBody message={message} />
  switch (mediaType) {
    case 'locationMessage':
      return <LocationMessage body={body}>{meta}</LocationMessage>
    case 'contactMessage':
    case 'vcard':
      return <ContactCards body={body} meta={meta} isOwn={message.fromMe} />
    case 'call_log':
      return <CallMessage message={message} />
    case 'unknown':
      return (
        <>
          <UnsupportedMessage message={message} />
          {meta}
        </>
      )
    default:
      return <TextBody message={message} meta={meta} />
  }
}

function TextBody({ message, meta }: { message: Message; meta: ReactNode }) {
  const { text } = parseSignature(message.body)
  const { hasLinkPreviews } = useMessageContext()
  const link = hasLinkPreviews ? findFirstLink(text) : null
  return (
    <>
      <BubbleText text={text}>{meta}</BubbleText>
      {link && (
        <Suspense fallback={null}>
          <LinkPreview messageId={message.id} link={link} />
        </Suspense>
      )}
    </>
  )
}

function MessageMeta({ message, isOwnLine }: { message: Message; isOwnLine?: boolean }) {
  const { createdAt, fromMe, ack, isEdited, user } = message
  return (
    <BubbleMeta
      timestamp={createdAt}
      ack={fromMe ? ack : undefined}
      isEdited={isEdited}
      author={user?.name}
      isOwnLine={isOwnLine}
    />
  )
}

function FileBody({ message }: { message: Message }) {
  const { text } = parseSignature(message.body)
  const ready = isMediaReady(message)
  const isVoice = message.mediaType === 'audio' && ready
  return (
    <>
      {ready ? <FileContent message={message} /> : <FileState message={message} isFramed={isMediaFramed(message)} />}
      {message.transcript && <Transcript text={message.transcript} />}
      {text ? (
        <div className={isMediaFramed(message) ? media.caption : classes.text}>
          <CollapsibleText text={text} />
          {!isVoice && <MessageMeta message={message} />}
        </div>
      ) : (
        !isVoice && <MessageMeta message={message} isOwnLine />
      )}
    </>
  )
}

/** The transcript of a voice note. */
function Transcript({ text }: { text: string }) {
  const words = useTexts(texts)
  return (
    <div className={classes.transcript} title={words.transcript}>
      <span className="rc-sr">{words.transcript}: </span>
      <CollapsibleText text={text} />
    </div>
  )
}

function FileContent({ message }: { message: Message }) {
  const words = useTexts(texts)
  const { handlers } = useMessageContext()
  const { mediaType, mediaUrl } = message
  if (mediaType === 'audio')
    return (
      <VoicePlayer id={message.id} src={mediaSrc(mediaUrl)} onUrlExpired={handlers.renew}>
        <MessageMeta message={message} isOwnLine />
      </VoicePlayer>
    )
  if (mediaType === 'application') return <DocumentMessage message={message} />
  if (mediaType !== 'sticker') return <MediaThumbnail message={message} />
  return (
    <img
      className={media.sticker}
      src={mediaSrc(mediaUrl)}
      alt={words.kinds.sticker}
      loading="lazy"
      onError={handlers.renew}
    />
  )
}
