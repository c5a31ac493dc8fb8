import { Button, TextInput } from '@mantine/core'
import { escapeLocation, formatStoredLocation } from '@recado/contract/text/location-and-card'
import { IconCurrentLocation } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { SheetForm } from '../../../ui/sheet.tsx'
import { FieldError } from '../../../ui/text-field.tsx'
import { formatCoordinates } from '../body/message-body.ts'
import { LocationMessage } from '../bubble/location-message.tsx'
import classes from './attach.module.css'
import type { LocationOrCard } from './location-or-card.ts'
import { parseLocation } from './parse-location.ts'
import { texts } from './texts.ts'

type Props = { opened: boolean; onClose: () => void; onSend: (body: string, thing: LocationOrCard) => void }

/** A location with a name and a preview. No map service is called, because it would learn the location. */
export function LocationDialog({ opened, onClose, onSend }: Props) {
  const words = useTexts(texts)
  const [where, setWhere] = useState('')
  const [name, setName] = useState('')
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const currentLocation = useCurrentLocation((point) => {
    setWhere(point)
    setName((before) => before || words.myself)
  })
  const point = parseLocation(where)
  const called = name.trim()
  const body = point && escapeLocation(formatStoredLocation({ ...point, name: called }).body)
  const submit = () => {
    setWasSubmitted(true)
    if (point && body) onSend(body, { kind: 'locationMessage', location: { ...point, name: called } })
  }
  return (
    <SheetForm
      opened={opened}
      onClose={onClose}
      size={440}
      title={words.placeTitle}
      submitLabel={words.send}
      isBusy={false}
      onSubmit={submit}
    >
      <TextInput
        label={words.where}
        description={words.whereLine}
        placeholder={words.whereHint}
        required
        data-autofocus
        autoComplete="off"
        maxLength={2000}
        value={where}
        error={wasSubmitted && !point && <FieldError>{words.whereMissing}</FieldError>}
        onChange={(event) => setWhere(event.currentTarget.value)}
      />
      {currentLocation.isSupported && (
        <div>
          <Button
            variant="light"
            loading={currentLocation.busy}
            leftSection={<IconCurrentLocation size={16} stroke={1.75} />}
            onClick={currentLocation.requestLocation}
          >
            {words.myPlace}
          </Button>
          <p className={classes.line} role="status">
            {currentLocation.busy ? words.locating : currentLocation.hasFailed ? words.noPlace : ''}
          </p>
        </div>
      )}
      <TextInput
        label={words.called}
        placeholder={words.calledHint}
        maxLength={200}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {body && (
        <section aria-label={words.seen}>
          <p className={classes.label}>{words.seen}</p>
          <div className={classes.paper}>
            <div className={classes.place}>
              <LocationMessage body={body}>{null}</LocationMessage>
            </div>
          </div>
        </section>
      )}
    </SheetForm>
  )
}

/** The browser's location, if allowed. */
function useCurrentLocation(onFound: (point: string) => void) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  return {
    // Without TLS, browsers do not share the location.
    isSupported: isSecureContext && 'geolocation' in navigator,
    busy: state === 'busy',
    hasFailed: state === 'failed',
    requestLocation: () => {
      setState('busy')
      navigator.geolocation.getCurrentPosition(
        ({ coords }) => {
          setState('idle')
          onFound(formatCoordinates(coords))
        },
        () => setState('failed'),
        { enableHighAccuracy: true, timeout: 10_000 },
      )
    },
  }
}
