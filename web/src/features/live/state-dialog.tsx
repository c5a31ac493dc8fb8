import { Button, Group, Modal, Radio, Stack, TextInput } from '@mantine/core'
import type { LivePerson } from '@recado/contract/routing/live'
import { type Availability, availabilities, usersApi } from '@recado/contract/users'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { availabilityTexts } from '../../parts/availability-texts.ts'
import { liveTexts } from './texts.ts'

/** The server's limit. */
const maxReasonLength = 60

/** Sets whether somebody gets tickets, with the reason. */
export function StateDialog({ person, onClose }: { person: LivePerson; onClose: () => void }) {
  const words = useTexts(liveTexts)
  const names = useTexts(availabilityTexts)
  const [availability, setAvailability] = useState(person.availability)
  const [reason, setReason] = useState(person.availabilityReason)
  const [isSaving, setSaving] = useState(false)
  const save = (event: FormEvent) => {
    event.preventDefault()
    setSaving(true)
    callApi(usersApi.setAvailability, { params: { id: person.id }, body: { availability, reason } })
      .then(() => {
        toast.ok(words.changed(person.name))
        onClose()
      }, toast.error)
      .finally(() => setSaving(false))
  }
  return (
    <Modal opened onClose={onClose} title={words.change(person.name)} closeButtonProps={{ 'aria-label': words.close }}>
      <form onSubmit={save}>
        <Stack gap="md">
          <Radio.Group
            aria-label={words.change(person.name)}
            value={availability}
            onChange={(value) => setAvailability(value as Availability)}
          >
            <Stack gap={8}>
              {availabilities.map((one) => (
                <Radio key={one} value={one} label={names[one]} />
              ))}
            </Stack>
          </Radio.Group>
          {availability !== 'available' && (
            <TextInput
              label={words.reason}
              description={words.reasonHelp}
              maxLength={maxReasonLength}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          )}
          <Group justify="flex-end">
            <Button type="submit" loading={isSaving}>
              {words.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
