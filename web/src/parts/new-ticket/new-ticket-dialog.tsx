import { Select } from '@mantine/core'
import type { Contact } from '@recado/contract/contacts'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { toSelectOptions } from '../../ui/select-options.ts'
import { SheetForm } from '../../ui/sheet.tsx'
import { FieldError } from '../../ui/text-field.tsx'
import { ContactSearch, type SelectedContact } from './contact-search.tsx'
import { NoLineDialog } from './no-line-dialog.tsx'
import { newTicketTexts } from './texts.ts'
import { TicketHeldNotice } from './ticket-held-notice.tsx'
import { type CreatedTicket, useNewTicket } from './use-new-ticket.ts'

const ContactDialog = lazy(() =>
  import('../contact-form/contact-dialog.tsx').then((module) => ({ default: module.ContactDialog })),
)

export type NewTicketProps = {
  opened: boolean
  onClose: () => void
  /** The recipient, if already known. */
  contact?: SelectedContact | null | undefined
  onCreated: (ticket: CreatedTicket) => void
  /** Called when the contact already has a ticket that this user may see. */
  onOpen: (uuid: string) => void
}

/** Starts a conversation. Needs a new `key` each time it is opened. */
export function NewTicketDialog({ opened, onClose, contact = null, onCreated, onOpen }: NewTicketProps) {
  const words = useTexts(newTicketTexts)
  const [person, setPerson] = useState<SelectedContact | null>(contact)
  const [adding, setAdding] = useState<{ name: string; number: string } | null>(null)
  const form = useNewTicket({ contact: person, onClose, onCreated })
  const selectContact = ({ id, name, number }: Contact) => setPerson({ id, name, number })
  const openHeld = (uuid: string) => {
    onClose()
    onOpen(uuid)
  }
  if (form.hasNoLine) return <NoLineDialog opened={opened} onClose={onClose} />
  const shared = { placeholder: words.choose, searchable: true, nothingFoundMessage: words.nobody }
  return (
    <>
      <SheetForm
        opened={opened}
        onClose={onClose}
        size={440}
        title={words.title}
        submitLabel={words.create}
        isBusy={form.busy}
        onSubmit={() => void form.create()}
      >
        <ContactSearch
          contact={person}
          isMissing={form.wasSubmitted && !person}
          onChange={setPerson}
          onAdd={(name, number) => setAdding({ name, number })}
        />
        <Select
          {...shared}
          label={words.queue}
          required={!form.isAdmin}
          placeholder={form.isAdmin ? words.noQueue : words.choose}
          clearable={form.isAdmin}
          data={toSelectOptions(form.queues)}
          value={form.queueId}
          onChange={form.setQueueId}
          error={form.queueProblem && <FieldError>{form.queueProblem}</FieldError>}
        />
        {form.lines.length > 1 && (
          <Select
            {...shared}
            label={words.line}
            placeholder={words.mainLine}
            clearable
            data={toSelectOptions(form.lines)}
            value={form.lineId}
            onChange={form.setLineId}
          />
        )}
        {form.holder && <TicketHeldNotice holder={form.holder} onOpen={openHeld} />}
      </SheetForm>
      {adding && (
        <Suspense fallback={null}>
          <ContactDialog
            opened
            initial={adding}
            onClose={() => setAdding(null)}
            onSaved={(saved) => {
              selectContact(saved)
              setAdding(null)
            }}
            onUseExisting={selectContact}
          />
        </Suspense>
      )}
    </>
  )
}
