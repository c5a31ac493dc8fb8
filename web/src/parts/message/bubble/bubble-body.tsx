import type { Message } from '@recado/contract/messages'
import { signed } from '@recado/contract/words/signature'
import { mediaSrc } from '../../../lib/media.ts'
import { useTexts } from '../../../lib/texts.ts'
import media from '../media/media.module.css'
import { Picture } from '../media/pictures.tsx'
import { VoicePlayer } from '../media/voice-player.tsx'
import { useScene } from '../scene.ts'
import { texts } from '../texts.ts'
import classes from './bubble.module.css'
import { ContactCards } from './contact-cards.tsx'
import { FileState } from './file-state.tsx'
import { FoldedWords } from './folded-words.tsx'
import { Deleted, Said } from './frame.tsx'
import { Call, Document, Unknown } from './kinds.tsx'
import { Meta } from './meta.tsx'
import { Place } from './place.tsx'

const fileKinds = ['image', 'video', 'audio', 'application', 'sticker']
export const isFramed = ({ mediaType }: Message) =>
  mediaType === 'image' || mediaType === 'video' || mediaType === 'locationMessage'
export const isReady = ({ mediaState, mediaUrl }: Message) =>
  mediaUrl !== null && mediaState !== 'pending' && mediaState !== 'failed'

/** What a message is, and at its end when. */
export function BubbleBody({ message }: { message: Message }) {
  const { mediaType, body } = message
  if (message.isDeleted)
    return (
      <>
        <Deleted />
        <Meta at={message.createdAt} />
      </>
    )
  const meta = <MessageMeta message={message} />
  if (fileKinds.includes(mediaType ?? '')) return <FileBody message={message} />
  switch (mediaType) {
    case 'locationMessage':
      return <Place body={body}>{meta}</Place>
    case 'contactMessage':
    case 'vcard':
      return <ContactCards body={body} meta={meta} ours={message.fromMe} />
    case 'call_log':
      return <Call message={message} />
    case 'unknown':
      return (
        <>
          <Unknown message={message} />
          {meta}
        </>
      )
    default:
      return <Said text={signed(body).text}>{meta}</Said>
  }
}

function MessageMeta({ message, alone }: { message: Message; alone?: boolean }) {
  const { createdAt, fromMe, ack, isEdited, user } = message
  return <Meta at={createdAt} ack={fromMe ? ack : undefined} isEdited={isEdited} by={user?.name} alone={alone} />
}

function FileBody({ message }: { message: Message }) {
  const { text } = signed(message.body)
  const ready = isReady(message)
  const isVoice = message.mediaType === 'audio' && ready
  return (
    <>
      {ready ? <File message={message} /> : <FileState message={message} framed={isFramed(message)} />}
      {message.transcript && <Transcript text={message.transcript} />}
      {text ? (
        <div className={isFramed(message) ? media.caption : classes.text}>
          <FoldedWords text={text} />
          {!isVoice && <MessageMeta message={message} />}
        </div>
      ) : (
        !isVoice && <MessageMeta message={message} alone />
      )}
    </>
  )
}

/** The words of a voice note, as a machine heard them. */
function Transcript({ text }: { text: string }) {
  const words = useTexts(texts)
  return (
    <div className={classes.transcript} title={words.transcript}>
      <span className="rc-sr">{words.transcript}: </span>
      <FoldedWords text={text} />
    </div>
  )
}

function File({ message }: { message: Message }) {
  const words = useTexts(texts)
  const { hands } = useScene()
  const { mediaType, mediaUrl } = message
  if (mediaType === 'audio')
    return (
      <VoicePlayer id={message.id} src={mediaSrc(mediaUrl)} onLost={hands.renew}>
        <MessageMeta message={message} alone />
      </VoicePlayer>
    )
  if (mediaType === 'application') return <Document message={message} />
  if (mediaType !== 'sticker') return <Picture message={message} />
  return (
    <img
      className={media.sticker}
      src={mediaSrc(mediaUrl)}
      alt={words.kinds.sticker}
      loading="lazy"
      onError={hands.renew}
    />
  )
}
