import type { Note } from '@recado/contract/tickets'
import {
  IconAntennaBars5,
  IconArrowBackUp,
  IconArrowsExchange,
  IconCheck,
  IconChevronDown,
  IconClockPause,
  IconClockPlay,
  IconNote,
  IconPhone,
  IconStar,
  IconTrash,
  IconUserCheck,
} from '@tabler/icons-react'
import { Fragment, memo, useState } from 'react'
import { formatDay, formatNumber, formatTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { useToday } from '../../../ui/use-today.ts'
import { NoteText } from '../../mentions/note-text.tsx'
import { type RoutingReason, type SystemLine, splitTemplate } from '../messages/system-lines.ts'
import type { ThreadItem } from '../messages/thread-items.ts'
import classes from './divider-and-note-rows.module.css'
import { type ThreadTexts, threadTexts } from './texts.ts'

/** A date divider as in the spec, with a word for today and yesterday. */
export const DayDivider = memo(function DayMark({ date }: { date: string }) {
  const words = useTexts(threadTexts)
  const today = useToday()
  const name = date === today ? words.today : date === dayBefore(today) ? words.yesterday : null
  return (
    <div className={classes.day}>
      <span>{name ? `${name} · ${date}` : date}</span>
    </div>
  )
})

function dayBefore(date: string): string {
  const [day, month, year] = date.split('/').map(Number) as [number, number, number]
  return formatDay(new Date(year, month - 1, day - 1, 12))
}

export function UnreadDivider() {
  return (
    <div className={classes.new} data-mark>
      <span>{useTexts(threadTexts).unread}</span>
    </div>
  )
}

/** Formats a moment as dd/MM/yyyy HH:mm:ss, as in the spec. */
const formatDateTime = (at: string) =>
  `${formatDay(at)} ${formatTime(at)}:${String(new Date(at).getSeconds()).padStart(2, '0')}`

type TicketDividerItem = Extract<ThreadItem, { kind: 'cut' }>
export const TicketDivider = memo(function TicketCut({ ended, started }: Pick<TicketDividerItem, 'ended' | 'started'>) {
  const words = useTexts(threadTexts)
  const id = (of: number) => `#${formatNumber(of)}`
  return (
    <div className={classes.cut}>
      <div className={classes.cutLines}>
        <span>{words.ended(id(ended.number))}</span>
        <time dateTime={ended.at}>{formatDateTime(ended.at)}</time>
        <span data-now>{words.started(id(started.number))}</span>
        <time data-now dateTime={started.at}>
          {formatDateTime(started.at)}
        </time>
      </div>
    </div>
  )
})

/** Changes to the ticket. Many changes at once are one expandable row. */
export const SystemRow = memo(function SystemRow({ lines }: { lines: SystemLine[] }) {
  const words = useTexts(threadTexts)
  const [open, setOpen] = useState(false)
  if (lines.length < 3) return <div className={classes.system}>{lines.map(renderSystemLine)}</div>
  return (
    <div className={classes.system}>
      <button type="button" className={classes.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
        {words.changes(lines.length)}
        <IconChevronDown size={14} stroke={2} aria-hidden="true" />
      </button>
      {open && lines.map(renderSystemLine)}
    </div>
  )
})
const renderSystemLine = (line: SystemLine) => <SystemLineText key={line.id} line={line} />

const icons = {
  accepted: IconUserCheck,
  returned: IconArrowBackUp,
  resolved: IconCheck,
  reopened: IconArrowBackUp,
  transferred: IconArrowsExchange,
  opened: IconUserCheck,
  renumbered: IconPhone,
  prioritized: IconAntennaBars5,
  snoozed: IconClockPause,
  'returned-to-inbox': IconClockPlay,
  rated: IconStar,
  'rating-comment': IconStar,
  'offer-declined': IconArrowsExchange,
  'offer-missed': IconArrowsExchange,
}

function SystemLineText({ line }: { line: SystemLine }) {
  const words = useTexts(threadTexts)
  const Icon = icons[line.step]
  const blanks = {
    who: line.actorName || words.somebody,
    to: words.priorities[line.target] ?? (line.target || words.noQueue),
    from: line.from || words.noNumber,
    load: line.routed?.load ?? '',
  }
  return (
    <span className={classes.systemLine}>
      <Icon size={14} stroke={1.75} aria-hidden="true" />
      <span>
        {splitTemplate(systemLineSentence(line, words), blanks).map(({ text, strong }) =>
          strong ? <b key={text}>{text}</b> : text,
        )}
        {line.closing.map(({ name, value }) => (
          <Fragment key={`${name} ${value}`}>
            {' · '}
            {name && `${name}: `}
            <b>{typeof value === 'boolean' ? words.yesNo[value ? 'yes' : 'no'] : value}</b>
          </Fragment>
        ))}
        {line.routed && describeDetails(line.routed, words)}
        {' · '}
        <time dateTime={line.at}>{formatTime(line.at)}</time>
      </span>
    </span>
  )
}

/** Which skills counted and who was skipped when the server chose an agent. */
const describeDetails = ({ details }: RoutingReason, words: ThreadTexts): string =>
  details.map(({ kind, names }) => `; ${words.routingDetails[kind]}: ${names}`).join('')

function systemLineSentence({ step, reason, actorName, routed: choice }: SystemLine, words: ThreadTexts): string {
  if (choice?.isOffered) return words.offered
  if (reason === 'same-person') return words.samePerson
  const routed = words.routed[reason]
  if (routed) return routed
  return actorName || reason === 'by-person'
    ? words.happened[step]
    : (words.happenedAlone[step] ?? words.happened[step])
}

type NoteProps = { note: Note; onRemove?: ((note: Note) => void) | undefined }
export const NoteRow = memo(function NoteRow({ note, onRemove }: NoteProps) {
  const words = useTexts(threadTexts)
  return (
    <div className={classes.note}>
      <IconNote size={18} stroke={1.75} aria-hidden="true" />
      <div>
        <div className={classes.noteHead}>
          {words.noteOf(note.user.name)}
          <span>
            <time dateTime={note.createdAt}>{formatTime(note.createdAt)}</time> · {words.teamOnly}
          </span>
        </div>
        <NoteText note={note} />
      </div>
      {onRemove && (
        <button
          type="button"
          className={classes.noteButton}
          aria-label={words.removeNote}
          onClick={() => onRemove(note)}
        >
          <IconTrash size={16} stroke={1.75} aria-hidden="true" />
        </button>
      )}
    </div>
  )
})
