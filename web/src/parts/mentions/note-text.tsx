import type { Note } from '@recado/contract/tickets'
import { useSession } from '../../lib/session.tsx'
import { splitMentions } from './mention-text.ts'
import classes from './mentions.module.css'

/** The text of a note. Only mentions that notified a user are highlighted. */
export function NoteText({ note }: { note: Pick<Note, 'note' | 'mentions'> }) {
  const me = useSession().user?.id
  if (note.mentions.length === 0) return note.note
  return splitMentions(note.note, note.mentions).map((part, i) =>
    typeof part === 'string' ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never change places
      <span key={i} className={classes.name} data-me={part.person.id === me || undefined}>
        @{part.person.name}
      </span>
    ),
  )
}
