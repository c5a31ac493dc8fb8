import { Popover, Textarea } from '@mantine/core'
import { IconCornerDownLeft } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { MentionList, personId } from '../../../parts/mentions/mention-list.tsx'
import { useMentions } from '../../../parts/mentions/use-mentions.ts'
import { FieldError } from '../../../ui/text-field.tsx'
import classes from './contact-drawer.module.css'
import { texts } from './texts.ts'

/** What was begun in one ticket is there when one comes back to it. */
const begun = new Map<number, string>()

type Props = { ticketId: number; onSave: (note: string, mentions: number[]) => Promise<unknown> }

/** Enter saves, Shift and Enter break the line. What could not be saved stays. */
export function NoteBox({ ticketId, onSave }: Props) {
  const words = useTexts(texts)
  const [text, setText] = useState(begun.get(ticketId) ?? '')
  const [short, setShort] = useState(false)
  const [saving, setSaving] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const mentions = useMentions({ ticketId, on: true, text, element: () => area.current })
  const { list } = mentions
  const write = (next: string) => {
    setText(next)
    setShort(false)
    mentions.look()
    if (next) begun.set(ticketId, next)
    else begun.delete(ticketId)
  }
  const save = async () => {
    if (saving) return
    if (text.trim().length < 2) return setShort(true)
    setSaving(true)
    try {
      await onSave(text.trim(), await mentions.mentioned(text))
      write('')
      toast.ok(words.noteSaved)
    } catch (error) {
      toast.error(error)
    } finally {
      setSaving(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (mentions.onKey(event)) return
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void save()
  }
  return (
    <Popover
      opened={list.open}
      position="top-start"
      width="target"
      trapFocus={false}
      withinPortal={false}
      withRoles={false}
    >
      <Popover.Target>
        <Textarea
          ref={area}
          className={classes.noteBox ?? ''}
          aria-label={words.writeNote}
          placeholder={words.writeNote}
          minRows={1}
          maxRows={6}
          maxLength={4000}
          value={text}
          error={short && <FieldError>{words.noteShort}</FieldError>}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={mentions.close}
          {...(list.open && {
            'aria-autocomplete': 'list',
            'aria-controls': id,
            'aria-activedescendant': personId(id, list.shown[list.at]),
          })}
          aria-busy={saving}
          rightSection={
            <button type="button" className={classes.saveNote} aria-label={words.saveNote} onClick={() => void save()}>
              <IconCornerDownLeft size={16} stroke={1.75} />
            </button>
          }
        />
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <MentionList id={id} list={list} onPick={mentions.pick} />
      </Popover.Dropdown>
    </Popover>
  )
}
