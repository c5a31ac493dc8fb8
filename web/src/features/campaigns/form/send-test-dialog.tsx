import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { SheetForm } from '../../../ui/sheet.tsx'
import { useDelayedOpen } from '../../../ui/use-delayed-open.ts'
import { texts } from './texts.ts'

type Props = {
  onClose: () => void
  /** Saves the form and returns the id; null when there are errors to correct first. */
  campaign: () => Promise<number | null>
  send: (id: number, number: string) => Promise<{ sent: number }>
}

/** Sends each text to one number through the campaign's line, without counting it anywhere. */
export function SendTestDialog({ onClose, campaign, send }: Props) {
  const words = useTexts(texts)
  const opened = useDelayedOpen(true)
  const [number, setNumber] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    try {
      const id = await campaign()
      if (id !== null) {
        const { sent } = await send(id, number)
        toast.ok(words.testSent(sent))
      }
      onClose()
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <SheetForm
      opened={opened}
      onClose={onClose}
      size={440}
      title={words.test}
      submitLabel={words.sendTest}
      isBusy={busy}
      disabled={number.replace(/\D/g, '').length < 8}
      onSubmit={() => void submit()}
    >
      <TextInput
        label={words.myNumber}
        description={words.myNumberLine}
        inputWrapperOrder={['label', 'input', 'description']}
        inputMode="tel"
        data-autofocus
        maxLength={30}
        value={number}
        onChange={(event) => setNumber(event.currentTarget.value)}
      />
    </SheetForm>
  )
}
