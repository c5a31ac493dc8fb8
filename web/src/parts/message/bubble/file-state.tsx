import type { Message } from '@recado/contract/messages'
import { IconClock, IconFileOff } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import classes from '../media/media.module.css'
import { useMessageContext } from '../message-context.ts'
import { texts } from '../texts.ts'
import { messageFailureTexts, parseMessageError } from './message-failure-texts.ts'
import { ThreadFailureReason } from './thread-failure-reason.tsx'

/** Errors after which a retry would give the same result. */
const unrecoverableErrors = ['media-gone', 'media-missing', 'ERR_FILESIZE_OVER_LIMIT', 'ERR_FILE_TYPE']

/** A file that is still loading, or that failed. */
export function FileState({ message, isFramed }: { message: Message; isFramed: boolean }) {
  const words = useTexts(texts)
  const failures = useTexts(messageFailureTexts)
  const failed = message.mediaState === 'failed'
  const { handlers, readOnly } = useMessageContext()
  const { word } = parseMessageError(message.error)
  const Icon = failed ? IconFileOff : IconClock
  return (
    <div className={isFramed ? classes.frame : undefined}>
      <div className={classes.waiting} data-failed={(failed && word !== 'past-media') || undefined}>
        <Icon size={18} stroke={1.75} aria-hidden="true" />
        <span>
          {failed && word !== 'past-media' && (
            <ThreadFailureReason error={message.error} toSentence={failures.notFetched} />
          )}
          {word === 'past-media' && words.pastMedia}
          {!failed && words.mediaPending}
          <small>{message.mediaName ?? words.kinds[message.mediaType ?? '']}</small>
          {failed && !readOnly && !unrecoverableErrors.includes(word) && (
            <button type="button" className={classes.fetch} onClick={() => handlers.fetch(message)}>
              {words.fetchFile}
            </button>
          )}
        </span>
      </div>
    </div>
  )
}
