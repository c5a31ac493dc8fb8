import type { Note } from '@recado/contract/tickets'
import {
  IconArrowBackUp,
  IconArrowsExchange,
  IconCheck,
  IconChevronDown,
  IconNote,
  IconPhone,
  IconTrash,
  IconUserCheck,
} from '@tabler/icons-react'
import { memo, useState } from 'react'
import { day, number, time } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { NoteWords } from '../../mentions/note-words.tsx'
import type { Item } from '../messages/items.ts'
import { filled, type SystemLine } from '../messages/system-lines.ts'
import classes from './rows.module.css'
import { type ThreadTexts, threadTexts } from './texts.ts'

export const DayMark = memo(function DayMark({ date }: { date: string }) {
  return (
    <div className={classes.day}>
      <span>{date}</span>
    </div>
  )
})

export function NewMark() {
  return (
    <div className={classes.new} data-mark>
      <span>{useTexts(threadTexts).unread}</span>
    </div>
  )
}

/** dd/MM/yyyy HH:mm:ss, as the spec has it. */
const moment = (at: string) => `${day(at)} ${time(at)}:${String(new Date(at).getSeconds()).padStart(2, '0')}`

type Cut = Extract<Item, { kind: 'cut' }>
export const TicketCut = memo(function TicketCut({ ended, started }: Pick<Cut, 'ended' | 'started'>) {
  const words = useTexts(threadTexts)
  const id = (of: number) => `#${number(of)}`
  return (
    <div className={classes.cut}>
      <div className={classes.cutLines}>
        <span>{words.ended(id(ended.number))}</span>
        <time dateTime={ended.at}>{moment(ended.at)}</time>
        <span data-now>{words.started(id(started.number))}</span>
        <time data-now dateTime={started.at}>
          {moment(started.at)}
        </time>
      </div>
    </div>
  )
})

/** What was done with the ticket. Many at once are one line that opens. */
export const SystemRow = memo(function SystemRow({ lines }: { lines: SystemLine[] }) {
  const words = useTexts(threadTexts)
  const [open, setOpen] = useState(false)
  if (lines.length < 3) return <div className={classes.system}>{lines.map(drawn)}</div>
  return (
    <div className={classes.system}>
      <button type="button" className={classes.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
        {words.changes(lines.length)}
        <IconChevronDown size={14} stroke={2} aria-hidden="true" />
      </button>
      {open && lines.map(drawn)}
    </div>
  )
})
const drawn = (line: SystemLine) => <Line key={line.id} line={line} />

const icons = {
  accepted: IconUserCheck,
  returned: IconArrowBackUp,
  resolved: IconCheck,
  reopened: IconArrowBackUp,
  transferred: IconArrowsExchange,
  opened: IconUserCheck,
  renumbered: IconPhone,
}

function Line({ line }: { line: SystemLine }) {
  const words = useTexts(threadTexts)
  const Icon = icons[line.what]
  const blanks = { who: line.who || words.somebody, to: line.to || words.noQueue, from: line.from || words.noNumber }
  return (
    <span className={classes.systemLine}>
      <Icon size={14} stroke={1.75} aria-hidden="true" />
      <span>
        {filled(sentenceOf(line, words), blanks).map(({ text, strong }) => (strong ? <b key={text}>{text}</b> : text))}
        {' · '}
        <time dateTime={line.at}>{time(line.at)}</time>
      </span>
    </span>
  )
}

function sentenceOf({ what, why, who }: SystemLine, words: ThreadTexts): string {
  if (why === 'same-person') return words.samePerson
  return who || why === 'by-person' ? words.happened[what] : (words.happenedAlone[what] ?? words.happened[what])
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
            <time dateTime={note.createdAt}>{time(note.createdAt)}</time> · {words.teamOnly}
          </span>
        </div>
        <NoteWords note={note} />
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
