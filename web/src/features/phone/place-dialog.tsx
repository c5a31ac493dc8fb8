import { Button, Modal, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { FieldError } from '../../ui/text-field.tsx'
import classes from './dialog.module.css'
import { texts } from './texts.ts'
import type { Deed } from './use-writing.ts'

type Props = { opened: boolean; onClose: () => void; onSend: (deed: Deed) => void }

/** A place, with one at hand so that a press is enough. */
export function PlaceDialog({ opened, onClose, onSend }: Props) {
  const words = useTexts(texts)
  const [place, setPlace] = useState({ body: words.samplePlace, latitude: '-34.608300', longitude: '-58.371200' })
  const wrong = { latitude: !within(place.latitude, 90), longitude: !within(place.longitude, 180) }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (wrong.latitude || wrong.longitude) return
    const { body } = place
    onSend({ kind: 'location', body, latitude: Number(place.latitude), longitude: Number(place.longitude) })
  }
  const field = (name: keyof typeof place) => ({
    value: place[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setPlace({ ...place, [name]: event.currentTarget.value }),
  })
  const problem = (is: boolean) => is && <FieldError>{words.badPlace}</FieldError>
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={440}
      title={words.location}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <form className={classes.form} onSubmit={send} noValidate>
        <div className={classes.fields}>
          <TextInput label={words.place} maxLength={200} data-autofocus {...field('body')} />
          <div data-half>
            <TextInput
              label={words.latitude}
              inputMode="decimal"
              error={problem(wrong.latitude)}
              {...field('latitude')}
            />
          </div>
          <div data-half>
            <TextInput
              label={words.longitude}
              inputMode="decimal"
              error={problem(wrong.longitude)}
              {...field('longitude')}
            />
          </div>
        </div>
        <footer className={classes.foot}>
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit">{words.send}</Button>
        </footer>
      </form>
    </Modal>
  )
}

const within = (text: string, most: number) =>
  text.trim() !== '' && Number.isFinite(Number(text)) && Math.abs(Number(text)) <= most
