import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../../lib/texts.ts'
import { MessageField } from '../../../../parts/message-field.tsx'
import { MessageWords } from '../../rules/editor/message-bubble.tsx'
import classes from './sequence.module.css'
import { sequenceTexts } from './texts.ts'

const maxCharacters = 4096

type Props = {
  label: string
  value: string
  isInvalid: boolean
  /** The customer whose name fills in the message. */
  customer: string | null
  onChange: (text: string) => void
}

/** The text of a message, edited where it stands. */
export function MessageText({ label, value, isInvalid, customer, onChange }: Props) {
  const words = useTexts(sequenceTexts)
  const [isEditing, setEditing] = useState(false)
  const editor = useRef<HTMLDivElement>(null)
  const shown = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isEditing) editor.current?.querySelector('textarea')?.focus()
  }, [isEditing])
  const close = () => {
    setEditing(false)
    requestAnimationFrame(() => shown.current?.focus())
  }
  if (isEditing)
    return (
      // Escape ends the editing, as the button does.
      // biome-ignore lint/a11y/noStaticElementInteractions: see above
      <div ref={editor} className={classes.editing} onKeyDown={(event) => event.key === 'Escape' && close()}>
        <MessageField label={label} limit={maxCharacters} rows={3} value={value} onChange={onChange} />
        <Button size="xs" variant="light" className={classes.done ?? ''} onClick={close}>
          {words.done}
        </Button>
      </div>
    )
  return (
    <button
      ref={shown}
      type="button"
      className={classes.text}
      data-empty={value === '' || undefined}
      data-invalid={isInvalid || undefined}
      onClick={() => setEditing(true)}
    >
      <span className="rc-sr">{label}: </span>
      {value ? <MessageWords text={value} customer={customer} /> : words.write}
    </button>
  )
}
