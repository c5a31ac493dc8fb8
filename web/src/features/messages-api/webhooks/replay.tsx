import { TextInput } from '@mantine/core'
import { type Webhook, webhookToolsApi } from '@recado/contract/doors/webhooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { SheetForm } from '../../../ui/sheet.tsx'
import { FieldError } from '../../../ui/text-field.tsx'
import { useOpening } from '../../../ui/use-opening.ts'
import { logKey } from './delivery-log.tsx'
import { webhookTexts } from './texts.ts'
import classes from './webhooks.module.css'

const hour = 3_600_000
const two = (n: number) => String(n).padStart(2, '0')
/** As an input for date and time takes it, by the browser's clocks. */
const local = (at: Date) =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`

/** Everything of a span of time once more. */
export function Replay({ hook, onClose }: { hook: Webhook; onClose: () => void }) {
  const words = useTexts(webhookTexts)
  const client = useQueryClient()
  const opened = useOpening(true)
  const [from, setFrom] = useState(() => local(new Date(Date.now() - hour)))
  const [until, setUntil] = useState(() => local(new Date(Date.now() + 60_000)))
  const [busy, setBusy] = useState(false)
  const wrong = from === '' || until === '' || from >= until
  const submit = async () => {
    if (wrong || busy) return
    setBusy(true)
    try {
      const body = { from: new Date(from).toISOString(), until: new Date(until).toISOString() }
      const { events } = await call(webhookToolsApi.replay, { params: { id: hook.id }, body })
      toast.ok(words.replayed(events))
      void client.invalidateQueries({ queryKey: logKey(hook.id) })
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
      title={words.replayTitle}
      size={440}
      verb={words.replayVerb}
      busy={busy}
      disabled={wrong}
      onSubmit={() => void submit()}
    >
      <p className={classes.quiet}>{words.replayLine}</p>
      <TextInput
        type="datetime-local"
        label={words.from}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        type="datetime-local"
        label={words.until}
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
        error={from !== '' && until !== '' && wrong ? <FieldError>{words.badSpan}</FieldError> : null}
      />
    </SheetForm>
  )
}
