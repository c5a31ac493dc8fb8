import type { Contact } from '@recado/contract/contacts'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { ContactDialog } from '../../contact-form/contact-dialog.tsx'
import { findContactByNumber } from '../../contact-form/find-contact-by-number.ts'
import { NewTicketDialog } from '../../new-ticket/new-ticket-dialog.tsx'
import type { VcardContact } from '../body/message-body.ts'

export type ContactCardAction = 'save' | 'write'

type Props = { card: VcardContact; action: ContactCardAction; onDone: () => void }
type CardContact = Pick<Contact, 'id' | 'name' | 'number'>

/** Saves a contact card or writes to the contact. An existing contact is not created again. */
export function ContactCardActions({ card, action, onDone }: Props) {
  const navigate = useNavigate()
  const go = (uuid: string) => void navigate({ href: `/tickets/${uuid}` })
  const [existingContact, setExistingContact] = useState<CardContact | null | undefined>(undefined)
  const look = useEffectEvent(() => findContactByNumber(card.number).then(setExistingContact))
  useEffect(() => void look(), [])
  if (existingContact === undefined) return null
  if (action === 'write' && existingContact)
    return (
      <NewTicketDialog
        opened
        contact={existingContact}
        onClose={onDone}
        onCreated={(ticket) => go(ticket.uuid)}
        onOpen={go}
      />
    )
  return (
    <ContactDialog
      opened
      contactId={existingContact?.id ?? null}
      initial={card}
      onClose={onDone}
      onSaved={(contact) => (action === 'write' ? setExistingContact(contact) : onDone())}
      onUseExisting={action === 'write' ? setExistingContact : undefined}
    />
  )
}
