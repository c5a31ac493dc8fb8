import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { FieldError } from '../../../ui/text-field.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { texts } from '../texts.ts'
import type { PhoneAction } from './use-send-as-customer.ts'

type Props = { opened: boolean; onClose: () => void; onSend: (action: PhoneAction) => void }

/** A location, prefilled so that one click is enough. */
export function PhoneLocationDialog({ opened, onClose, onSend }: Props) {
  const words = useTexts(texts)
  const [location, setLocation] = useState({ body: words.samplePlace, latitude: '-34.608300', longitude: '-58.371200' })
  const wrong = { latitude: !isWithinLimit(location.latitude, 90), longitude: !isWithinLimit(location.longitude, 180) }
  const send = () => {
    if (wrong.latitude || wrong.longitude) return
    const { body } = location
    onSend({ kind: 'location', body, latitude: Number(location.latitude), longitude: Number(location.longitude) })
  }
  const field = (name: keyof typeof location) => ({
    value: location[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setLocation({ ...location, [name]: event.currentTarget.value }),
  })
  const problem = (is: boolean) => is && <FieldError>{words.badPlace}</FieldError>
  return (
    <FormDialog opened={opened} onClose={onClose} title={words.location} submitLabel={words.send} onSubmit={send}>
      <TextInput label={words.place} maxLength={200} data-autofocus {...field('body')} />
      <div data-half>
        <TextInput label={words.latitude} inputMode="decimal" error={problem(wrong.latitude)} {...field('latitude')} />
      </div>
      <div data-half>
        <TextInput
          label={words.longitude}
          inputMode="decimal"
          error={problem(wrong.longitude)}
          {...field('longitude')}
        />
      </div>
    </FormDialog>
  )
}

const isWithinLimit = (text: string, most: number) =>
  text.trim() !== '' && Number.isFinite(Number(text)) && Math.abs(Number(text)) <= most
