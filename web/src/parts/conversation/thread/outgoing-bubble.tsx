import { parseSignature } from '@recado/contract/text/signature'
import { IconAlertCircle, IconClock, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useErrorText } from '../../../lib/errors.ts'
import { useTexts } from '../../../lib/texts.ts'
import { fileExtensionLabel, formatFileSize } from '../../../records/fields/file-kind.ts'
import { macroTexts } from '../../macros/texts.ts'
import { BubbleFrame } from '../../message/bubble/bubble-frame.tsx'
import { BubbleMeta } from '../../message/bubble/bubble-meta.tsx'
import { CollapsibleText } from '../../message/bubble/collapsible-text.tsx'
import { ContactCards } from '../../message/bubble/contact-cards.tsx'
import { LocationMessage } from '../../message/bubble/location-message.tsx'
import classes from '../../message/bubble/message-bubble.module.css'
import { QuotedMessage } from '../../message/bubble/quoted-message.tsx'
import media from '../../message/media/media.module.css'
import { discardSend, type OutgoingMessage, retrySend, returnToComposer } from '../outgoing/outgoing-messages.ts'
import { threadTexts } from './texts.ts'

type Props = { outgoing: OutgoingMessage; isSameSender: boolean }

/** A pending message looks like a stored message with a clock. A failed message shows why and offers a retry. */
export function OutgoingBubble({ outgoing, isSameSender }: Props) {
  const { body, file, thing, quotedMsg, state, createdAt } = outgoing
  const { name, text } = thing ? { name: '', text: '' } : parseSignature(body)
  const failed = state === 'failed'
  const isPicture = file !== null && file.preview !== null && /^(image|video)\//.test(file.type)
  const isFramed = isPicture || thing?.kind === 'locationMessage'
  // It has the same shape as the stored message, so that its width does not jump.
  const shape = isFramed ? 'frame' : file?.type.startsWith('audio/') ? 'sound' : undefined
  const meta = <BubbleMeta timestamp={createdAt} ack={failed ? undefined : 1} />
  return (
    <BubbleFrame
      outgoing={outgoing.clientId}
      isOutgoing
      isNew
      isSameSender={isSameSender}
      hasFailed={failed}
      shape={shape}
      statusLine={<OutgoingState outgoing={outgoing} />}
    >
      {name && <span className={classes.signature}>{name}</span>}
      {quotedMsg && <QuotedMessage quoted={quotedMsg} />}
      {file && <OutgoingFileBody outgoing={outgoing} isFramed={isPicture} />}
      {thing?.kind === 'locationMessage' && <LocationMessage body={body}>{meta}</LocationMessage>}
      {thing?.kind === 'contactMessage' && <ContactCards body={body} meta={meta} isOwn />}
      {!thing && (
        <div className={isFramed ? media.caption : classes.text}>
          <CollapsibleText text={text} />
          {meta}
        </div>
      )}
    </BubbleFrame>
  )
}

function OutgoingFileBody({ outgoing, isFramed }: { outgoing: OutgoingMessage; isFramed: boolean }) {
  const words = useTexts(threadTexts)
  const { file, progress } = outgoing
  if (!file) return null
  const percent = Math.round((progress ?? 0) * 100)
  return (
    <>
      {isFramed ? (
        <span className={media.picture}>
          {file.type.startsWith('video/') ? (
            <>
              <video src={file.preview ?? undefined} preload="metadata" muted playsInline tabIndex={-1} />
              <span className={media.play}>
                <IconPlayerPlayFilled size={20} aria-hidden="true" />
              </span>
            </>
          ) : (
            <img src={file.preview ?? undefined} alt={file.name} />
          )}
        </span>
      ) : (
        <div className={media.document}>
          <span className={media.face}>
            <span className={media.ending} data-kind={fileExtensionLabel(file.name)} aria-hidden="true">
              {fileExtensionLabel(file.name) || '?'}
            </span>
            <span>
              <span className={media.name}>{file.name}</span>
              <span className={media.small}>{formatFileSize(file.size)}</span>
            </span>
          </span>
        </div>
      )}
      {progress !== null && (
        <div
          className={classes.progress}
          role="progressbar"
          aria-label={words.sendingShare(percent)}
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <i style={{ width: `${percent}%` }} />
        </div>
      )}
    </>
  )
}

function OutgoingState({
  outgoing: { clientId, thing, state, error, progress, stepCount },
}: {
  outgoing: OutgoingMessage
}) {
  const words = useTexts(threadTexts)
  const macroWords = useTexts(macroTexts)
  const errorText = useErrorText()
  if (state === 'failed')
    return (
      <div className={classes.failure} role="alert">
        <IconAlertCircle size={15} stroke={1.75} aria-hidden="true" />
        <span>
          {errorText(error)}
          {stepCount > 0 && ` ${macroWords.waits(stepCount)}.`}
        </span>
        <button type="button" onClick={() => retrySend(clientId)}>
          {words.retry}
        </button>
        {!thing && (
          <button type="button" onClick={() => returnToComposer(clientId)}>
            {words.edit}
          </button>
        )}
        <button type="button" onClick={() => discardSend(clientId)}>
          {words.discard}
        </button>
      </div>
    )
  // The message waits for the network, or its upload is running; both can be discarded.
  if (!error && progress === null) return null
  return (
    <div className={classes.failure} data-quiet>
      {Boolean(error) && <IconClock size={14} stroke={1.75} aria-hidden="true" />}
      {Boolean(error) && <span>{words.waitsNetwork}</span>}
      <button type="button" onClick={() => discardSend(clientId)}>
        {words.discard}
      </button>
    </div>
  )
}
