import { IconCornerDownLeft } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { MentionArea } from '../../../parts/mentions/mention-area.tsx'
import { useMentions } from '../../../parts/mentions/use-mentions.ts'
import { FieldError } from '../../../ui/text-field.tsx'
import classes from './contact-drawer.module.css'
import { texts } from './texts.ts'

/** Unsaved notes per ticket, kept while the user is on another ticket or screen. */
const unsavedNotes = new Map<number, string>()

type Props = { ticketId: number; onSave: (note: string, mentions: number[]) => Promise<unknown> }

/** Enter saves, Shift and Enter insert a line break. A note that could not be saved stays in the field. */
export function NoteForm({ ticketId, onSave }: Props) {
  const words = useTexts(texts)
  const [text, setText] = useState(unsavedNotes.get(ticketId) ?? '')
  const [short, setShort] = useState(false)
  const [saving, setSaving] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const mentions = useMentions({ ticketId, isEnabled: true, text, element: () => area.current })
  const write = (next: string) => {
    setText(next)
    setShort(false)
    if (next) unsavedNotes.set(ticketId, next)
    else unsavedNotes.delete(ticketId)
  }
  const save = async () => {
    if (saving) return
    if (text.trim().length < 2) return setShort(true)
    setSaving(true)
    try {
      await onSave(text.trim(), await mentions.findMentioned(text))
      write('')
      toast.ok(words.noteSaved)
    } catch (error) {
      toast.error(error)
    } finally {
      setSaving(false)
    }
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void save()
  }
  return (
    <MentionArea
      areaRef={area}
      mentions={mentions}
      onChange={write}
      onKey={onKey}
      className={classes.noteBox ?? ''}
      aria-label={words.writeNote}
      placeholder={words.writeNote}
      minRows={1}
      maxRows={6}
      value={text}
      error={short && <FieldError>{words.noteShort}</FieldError>}
      aria-busy={saving}
      rightSection={
        <button type="button" className={classes.saveNote} aria-label={words.saveNote} onClick={() => void save()}>
          <IconCornerDownLeft size={16} stroke={1.75} />
        </button>
      }
    />
  )
}
