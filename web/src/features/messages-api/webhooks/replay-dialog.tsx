import { type Webhook, webhookToolsApi } from '@recado/contract/api-access/webhooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { MomentInput } from '../../../records/fields/moment-input.tsx'
import { SheetForm } from '../../../ui/sheet.tsx'
import { FieldError } from '../../../ui/text-field.tsx'
import { useDelayedOpen } from '../../../ui/use-delayed-open.ts'
import { deliveryLogKey } from './delivery-log.tsx'
import { webhookTexts } from './texts.ts'
import classes from './webhooks.module.css'

const hourMs = 3_600_000
const padTwoDigits = (n: number) => String(n).padStart(2, '0')
/** Formats for a datetime input, in the browser's time zone. */
const toLocalInputValue = (at: Date) =>
  `${at.getFullYear()}-${padTwoDigits(at.getMonth() + 1)}-${padTwoDigits(at.getDate())}T${padTwoDigits(at.getHours())}:${padTwoDigits(at.getMinutes())}`

/** Sends all deliveries of a time range again. */
export function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const words = useTexts(webhookTexts)
  const client = useQueryClient()
  const opened = useDelayedOpen(true)
  const [from, setFrom] = useState(() => toLocalInputValue(new Date(Date.now() - hourMs)))
  const [until, setUntil] = useState(() => toLocalInputValue(new Date(Date.now() + 60_000)))
  const [busy, setBusy] = useState(false)
  const wrong = from === '' || until === '' || from >= until
  const submit = async () => {
    if (wrong || busy) return
    setBusy(true)
    try {
      const body = { from: new Date(from).toISOString(), until: new Date(until).toISOString() }
      const { events } = await callApi(webhookToolsApi.replay, { params: { id: webhook.id }, body })
      toast.ok(words.replayed(events))
      void client.invalidateQueries({ queryKey: deliveryLogKey(webhook.id) })
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
      submitLabel={words.replayVerb}
      isBusy={busy}
      disabled={wrong}
      onSubmit={() => void submit()}
    >
      <p className={classes.quiet}>{words.replayLine}</p>
      <MomentInput kind="time" label={words.from} value={from} onChange={setFrom} />
      <MomentInput
        kind="time"
        label={words.until}
        value={until}
        onChange={setUntil}
        error={from !== '' && until !== '' && wrong ? <FieldError>{words.badSpan}</FieldError> : null}
      />
    </SheetForm>
  )
}
