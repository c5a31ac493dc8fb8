import type { Schedule } from '@recado/contract/schedules/schedules'
import type { Ticket } from '@recado/contract/tickets'
import { useState } from 'react'
import { getAttachedFiles, removeAttachedFile } from '../../message/composer/attached-files-store.ts'
import { readDraft, writeDraft } from '../../message/composer/drafts.ts'
import { ScheduleForm, type ScheduleStart } from '../../schedule/schedule-form.tsx'
import { draftKey, trayKey } from '../outgoing/composer-keys.ts'

type Props = { ticket: Ticket; isFromComposer: boolean; opened: boolean; onClose: () => void }

/** Schedules a message to the customer over the conversation. A text in the composer is scheduled instead of sent. */
export function ScheduleDialog({ ticket, isFromComposer, opened, onClose }: Props) {
  const { id, whatsappId, contact } = ticket
  // A scheduled message has one file, so the other files stay in the composer.
  const [attached] = useState(() => (isFromComposer ? getAttachedFiles(trayKey(id))[0] : undefined))
  const [start] = useState<ScheduleStart>(() => ({
    whatsappId,
    body: (isFromComposer && readDraft(draftKey(id, 'reply'))) || (attached?.caption ?? ''),
    file: attached?.file ?? null,
  }))
  const clearComposer = ({ mediaPath }: Schedule) => {
    if (!isFromComposer) return
    // Text typed meanwhile stays.
    if (readDraft(draftKey(id, 'reply')) === start.body) writeDraft(draftKey(id, 'reply'), '')
    if (attached?.file && mediaPath) removeAttachedFile(trayKey(id), attached.id)
  }
  return (
    <ScheduleForm
      row={null}
      opened={opened}
      onClose={onClose}
      onSaved={clearComposer}
      person={{ id: contact.id, name: contact.name, number: contact.number }}
      start={start}
    />
  )
}
