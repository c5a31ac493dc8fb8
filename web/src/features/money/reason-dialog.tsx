import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { SheetForm } from '../../ui/sheet.tsx'
import classes from './money.module.css'
import { texts } from './texts.ts'

type Props = {
  title: string
  line: string
  hint: string
  onClose: () => void
  onConfirm: (note: string) => Promise<unknown>
  doneText: string
}

/** The dialog for an action that needs a note with the reason. */
export function ReasonDialog({ title, line, hint, onClose, onConfirm, doneText }: Props) {
  const words = useTexts(texts)
  const [note, setNote] = useState('')
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      await onConfirm(note)
      toast.ok(doneText)
      onClose()
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <SheetForm
      opened
      onClose={onClose}
      title={title}
      size={440}
      submitLabel={title}
      isBusy={busy}
      onSubmit={() => void run()}
    >
      <p className={classes.line}>{line}</p>
      <TextInput
        label={words.note}
        placeholder={hint}
        maxLength={300}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </SheetForm>
  )
}
