import type { Contact } from '@recado/contract/contacts'
import { useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useDelayedOpen } from '../../ui/use-delayed-open.ts'

const NewTicketDialog = lazy(() =>
  import('../../parts/new-ticket/new-ticket-dialog.tsx').then((module) => ({ default: module.NewTicketDialog })),
)

/** Starts a conversation with a contact and opens it. */
export function useStartConversation(): { startWith: (contact: Contact) => void; dialog: ReactNode } {
  const [{ contact, wanted: isRequested, used }, set] = useState({
    contact: null as Contact | null,
    wanted: false,
    used: 0,
  })
  return {
    startWith: (contact) => set((before) => ({ contact, wanted: true, used: before.used + 1 })),
    dialog: contact && (
      <Suspense fallback={null}>
        <StartConversation
          key={used}
          contact={contact}
          isRequested={isRequested}
          onClose={() => set((before) => ({ ...before, wanted: false }))}
        />
      </Suspense>
    ),
  }
}

function StartConversation({
  contact,
  isRequested,
  onClose,
}: {
  contact: Contact
  isRequested: boolean
  onClose: () => void
}) {
  const navigate = useNavigate()
  const opened = useDelayedOpen(isRequested)
  const go = (uuid: string) => void navigate({ to: `/tickets/${uuid}` })
  return (
    <NewTicketDialog
      opened={opened}
      onClose={onClose}
      contact={contact}
      onCreated={(ticket) => go(ticket.uuid)}
      onOpen={go}
    />
  )
}
