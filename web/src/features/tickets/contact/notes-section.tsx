import { Button } from '@mantine/core'
import type { Note, Ticket } from '@recado/contract/tickets'
import { IconAt, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useCan } from '../../../lib/can.tsx'
import { formatDay, formatDayTime, formatNumber, formatTime } from '../../../lib/format.ts'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { NoteText } from '../../../parts/mentions/note-text.tsx'
import { openConfirm } from '../../../ui/confirm.tsx'
import classes from './contact-drawer.module.css'
import { DrawerSection } from './drawer-section.tsx'
import { NoteForm } from './note-form.tsx'
import { texts } from './texts.ts'
import { useContactNotes } from './use-contact-notes.ts'

/** Up to this many notes are shown at once. */
const maxShownNotes = 5

export function NotesSection({ ticket }: { ticket: Ticket }) {
  const words = useTexts(texts)
  const list = useContactNotes(ticket)
  const [showsAll, setShowsAll] = useState(false)
  const [ofMe, setOfMe] = useState(false)
  const { user: me } = useSession()
  const mayAll = useCan()('ticket-options:deleteTicket')
  const namesMe = (note: Note) => note.mentions.some((one) => one.id === me?.id)
  const canNarrow = list.notes.some(namesMe)
  const notes = ofMe && canNarrow ? list.notes.filter(namesMe) : list.notes
  const remove = async (note: Note) => {
    const question = { title: words.removeNoteAsk, consequence: words.removeNoteLine, verb: words.removeNoteVerb }
    if (!(await openConfirm(question))) return
    list.remove(note).then(() => toast.ok(words.noteRemoved), toast.error)
  }
  return (
    <DrawerSection
      title={words.notes}
      count={list.notes.length}
      state={list}
      emptyText={notes.length === 0 && words.noNotes}
      footer={<NoteForm key={ticket.id} ticketId={ticket.id} onSave={list.add} />}
    >
      {canNarrow && (
        <button type="button" className={classes.narrow} aria-pressed={ofMe} onClick={() => setOfMe(!ofMe)}>
          <IconAt size={14} stroke={2} aria-hidden="true" />
          {words.ofMe}
        </button>
      )}
      <ul className={classes.notes}>
        {(showsAll ? notes : notes.slice(0, maxShownNotes)).map((note) => (
          <NoteItem
            key={note.id}
            note={note}
            isOfThisTicket={note.ticketId === ticket.id}
            onRemove={mayAll || note.user.id === me?.id ? () => void remove(note) : undefined}
          />
        ))}
      </ul>
      {!showsAll && notes.length > maxShownNotes && (
        <Button
          className={classes.more ?? ''}
          size="xs"
          variant="subtle"
          color="gray"
          onClick={() => setShowsAll(true)}
        >
          {words.allNotes(notes.length)}
        </Button>
      )}
    </DrawerSection>
  )
}

type OneProps = { note: Note; isOfThisTicket: boolean; onRemove: (() => void) | undefined }
function NoteItem({ note, isOfThisTicket, onRemove }: OneProps) {
  const words = useTexts(texts)
  return (
    <li className={classes.note}>
      <small>
        <span className={classes.author}>
          {note.user.name}
          {!isOfThisTicket && (
            <span className={classes.elsewhere}> · {words.ofTicket(`#${formatNumber(note.ticketNumber)}`)}</span>
          )}
        </span>
        <time dateTime={note.createdAt} title={formatDayTime(note.createdAt)}>
          {formatShortTime(note.createdAt)}
        </time>
      </small>
      <p>
        <NoteText note={note} />
      </p>
      {onRemove && (
        <button
          type="button"
          className={classes.removeNote}
          aria-label={words.removeNote(note.user.name)}
          onClick={onRemove}
        >
          <IconTrash size={15} stroke={1.75} />
        </button>
      )}
    </li>
  )
}

/** Formats a moment: HH:mm for today, else the date. */
const formatShortTime = (moment: string) =>
  formatDay(moment) === formatDay(Date.now()) ? formatTime(moment) : formatDay(moment)
