import type { Message } from '@recado/contract/messages'
import { IconClock, IconFileOff, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { mediaSrc } from '../../../lib/media.ts'
import { useTexts } from '../../../lib/texts.ts'
import { failureTexts, readError } from '../bubble/failure-texts.ts'
import { Reason } from '../bubble/reason.tsx'
import { useScene } from '../scene.ts'
import { texts } from '../texts.ts'
import classes from './media.module.css'
import { clock } from './sound.ts'
import { useNear } from './use-near.ts'

/** A picture or a video in a frame of one size: nothing jumps when it comes. It opens large. */
export function Picture({ message }: { message: Message }) {
  const words = useTexts(texts)
  const { hands, contact } = useScene()
  const name = message.fromMe ? (message.user?.name ?? words.us) : (message.contact?.name ?? contact)
  const what = message.body || (message.mediaType === 'video' ? words.videoOf(name) : words.photoOf(name))
  return (
    <button
      type="button"
      className={classes.picture}
      aria-label={words.openMedia(what)}
      onClick={() => hands.view(message)}
    >
      {message.mediaType === 'video' ? <Film message={message} /> : <Still message={message} alt={what} />}
    </button>
  )
}

function Still({ message, alt }: { message: Message; alt: string }) {
  const { hands } = useScene()
  return <img src={mediaSrc(message.mediaUrl)} alt={alt} loading="lazy" decoding="async" onError={hands.renew} />
}

/** Its first picture comes when it is near; the rest when it is opened. */
function Film({ message }: { message: Message }) {
  const [seat, isNear] = useNear<HTMLSpanElement>()
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
          {clock(seconds)}
        </span>
      )}
    </span>
  )
}

/** To ask again would bring the same answer. */
const lost = ['media-gone', 'media-missing', 'ERR_FILESIZE_OVER_LIMIT', 'ERR_FILE_TYPE']

/** A file that is still on its way, or that will not come. */
export function FileState({ message, framed }: { message: Message; framed: boolean }) {
  const words = useTexts(texts)
  const failures = useTexts(failureTexts)
  const failed = message.mediaState === 'failed'
  const { hands, readOnly } = useScene()
  const { word } = readError(message.error)
  const Icon = failed ? IconFileOff : IconClock
  return (
    <div className={framed ? classes.frame : undefined}>
      <div className={classes.waiting} data-failed={(failed && word !== 'past-media') || undefined}>
        <Icon size={18} stroke={1.75} aria-hidden="true" />
        <span>
          {failed && word !== 'past-media' && <Reason error={message.error} say={failures.notFetched} />}
          {word === 'past-media' && words.pastMedia}
          {!failed && words.mediaPending}
          <small>{message.mediaName ?? words.kinds[message.mediaType ?? '']}</small>
          {failed && !readOnly && !lost.includes(word) && (
            <button type="button" className={classes.fetch} onClick={() => hands.fetch(message)}>
              {words.fetchFile}
            </button>
          )}
        </span>
      </div>
    </div>
  )
}
