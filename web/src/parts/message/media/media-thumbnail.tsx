import type { Message } from '@recado/contract/messages'
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { mediaSrc } from '../../../lib/media-src.ts'
import { useTexts } from '../../../lib/texts.ts'
import { useMessageContext } from '../message-context.ts'
import { texts } from '../texts.ts'
import { formatSeconds } from './audio-waveform.ts'
import classes from './media.module.css'
import { useNearViewport } from './use-near-viewport.ts'

/** A picture or video in a fixed frame, so that nothing jumps when it loads. A click opens it large. */
export function MediaThumbnail({ message }: { message: Message }) {
  const words = useTexts(texts)
  const { handlers, contact } = useMessageContext()
  const name = message.fromMe ? (message.user?.name ?? words.us) : (message.contact?.name ?? contact)
  const what = message.body || (message.mediaType === 'video' ? words.videoOf(name) : words.photoOf(name))
  return (
    <button
      type="button"
      className={classes.picture}
      aria-label={words.openMedia(what)}
      onClick={() => handlers.view(message)}
    >
      {message.mediaType === 'video' ? (
        <VideoThumbnail message={message} />
      ) : (
        <ImageThumbnail message={message} alt={what} />
      )}
    </button>
  )
}

function ImageThumbnail({ message, alt }: { message: Message; alt: string }) {
  const { handlers } = useMessageContext()
  return <img src={mediaSrc(message.mediaUrl)} alt={alt} loading="lazy" decoding="async" onError={handlers.renew} />
}

/** The video's first frame loads when it is near the screen; the rest loads on opening. */
function VideoThumbnail({ message }: { message: Message }) {
  const [seat, isNear] = useNearViewport<HTMLSpanElement>()
  const [seconds, setSeconds] = useState(0)
  return (
    <span ref={seat}>
      {isNear && (
        <video
          src={`${mediaSrc(message.mediaUrl)}#t=0.1`}
          preload="metadata"
          muted
          playsInline
          tabIndex={-1}
          onLoadedMetadata={(event) => setSeconds(event.currentTarget.duration)}
        />
      )}
      <span className={classes.play}>
        <IconPlayerPlayFilled size={20} aria-hidden="true" />
      </span>
      {Number.isFinite(seconds) && seconds > 0 && (
        <span className={classes.length} aria-hidden="true">
          {formatSeconds(seconds)}
        </span>
      )}
    </span>
  )
}
