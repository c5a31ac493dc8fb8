import { type Message, waitingMessageBody } from '@recado/contract/messages'
import { type Icon, IconClock, IconDownload, IconEyeOff, IconPhoneX, IconQuestionMark } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatTime } from '../../../lib/format.ts'
import { mediaSrc } from '../../../lib/media-src.ts'
import { useTexts } from '../../../lib/texts.ts'
import { fileExtensionLabel, formatFileSize } from '../../../records/fields/file-kind.ts'
import classes from '../media/media.module.css'
import { isStoredPdf, PdfLink } from '../media/pdf-link.tsx'
import { texts } from '../texts.ts'

export function DocumentMessage({ message }: { message: Message }) {
  const words = useTexts(texts)
  return (
    <DocumentCard
      name={message.mediaName ?? words.document}
      detail={describeDocument(message, words)}
      src={mediaSrc(message.mediaUrl)}
    />
  )
}

/** A document: its extension, its name, and its size and pages if known. */
export function DocumentCard({ name, detail, src }: { name: string; detail?: string; src: string }) {
  const words = useTexts(texts)
  const ending = fileExtensionLabel(name)
  const content = (
    <>
      <span className={classes.ending} data-kind={ending} aria-hidden="true">
        {ending || '?'}
      </span>
      <span>
        <span className={classes.name} title={name}>
          {name}
        </span>
        {detail && <span className={classes.small}>{detail}</span>}
      </span>
    </>
  )
  return (
    <div className={classes.document}>
      {isStoredPdf(name, src) ? (
        <PdfLink className={`${classes.face} ${classes.door}`} name={name} src={src}>
          {content}
        </PdfLink>
      ) : (
        <span className={classes.face}>{content}</span>
      )}
      <a className={classes.icon} href={src} download={name} aria-label={words.download(name)}>
        <IconDownload size={18} stroke={1.75} aria-hidden="true" />
      </a>
    </div>
  )
}

/**
 * Describes a document, for example “3 páginas · 1,2 MB”; for older files without these data, only that it is a
 * document.
 */
function describeDocument({ mediaSize, mediaPages }: Message, words: (typeof texts)['es']): string {
  const detail = [mediaPages !== null && words.pages(mediaPages), mediaSize !== null && formatFileSize(mediaSize)]
  return detail.filter(Boolean).join(' · ') || words.document
}

export function CallMessage({ message }: { message: Message }) {
  const words = useTexts(texts)
  return (
    <EventMessage icon={IconPhoneX} title={message.body === 'rejected' ? words.rejectedCall : words.missedCall} isAlert>
      <time className={classes.small} dateTime={message.createdAt}>
        {formatTime(message.createdAt)}
      </time>
    </EventMessage>
  )
}

/** A message that cannot be shown: not decrypted yet, view-once, a poll, or an unknown kind. */
export function UnsupportedMessage({ message }: { message: Message }) {
  const words = useTexts(texts)
  const [what = '', ...lines] = message.body.split('\n')
  if (what === 'poll' && lines.length > 0) return <Poll title={words.poll} lines={lines} />
  if (what === 'poll-vote' && lines.length > 0) return <Poll title={words.vote} lines={[lines.join(', ')]} />
  const known = words.unknowns[what]
  const Icon = known ? (icons[what] ?? IconQuestionMark) : IconQuestionMark
  return (
    <EventMessage icon={Icon} title={known?.title ?? words.kinds.unknown ?? ''}>
      <span className={classes.small}>{known?.line ?? words.unknownLine(what)}</span>
    </EventMessage>
  )
}

type EventProps = { icon: Icon; title: string; isAlert?: boolean; children: ReactNode }
/** A row for a received item that is neither text nor a file. */
export function EventMessage({ icon: Icon, title, isAlert, children }: EventProps) {
  return (
    <div className={classes.call}>
      <span className={classes.callIcon} data-neutral={isAlert ? undefined : true}>
        <Icon size={18} stroke={1.75} aria-hidden="true" />
      </span>
      <div>
        <b>{title}</b>
        {children}
      </div>
    </div>
  )
}

const icons: Record<string, Icon> = { [waitingMessageBody]: IconClock, 'view-once': IconEyeOff }

/** A poll is read-only: voting is done on the phone. */
function Poll({ title, lines: [question, ...options] }: { title: string; lines: string[] }) {
  return (
    <div className={classes.poll}>
      <span className={classes.small}>{title}</span>
      <b>{question}</b>
      <ul>
        {options.map((option) => (
          <li key={option}>{option}</li>
        ))}
      </ul>
    </div>
  )
}
