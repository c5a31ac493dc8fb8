import { useNavigate } from '@tanstack/react-router'
import { useSession } from '../../lib/session.tsx'
import { NewTicketDialog } from '../../parts/new-ticket/new-ticket-dialog.tsx'
import { changeTicketView } from '../../parts/ticket/ticket-view.ts'
import { useDelayedOpen } from '../../ui/use-delayed-open.ts'
import { closeOverlay, type OverlayContact } from './overlay-state.ts'

/** Starts a conversation from any screen. */
export function NewTicketOverlay({
  overlayId,
  isRequested,
  contact,
}: {
  overlayId: number
  isRequested: boolean
  contact: OverlayContact | null
}) {
  const navigate = useNavigate()
  const me = useSession().user?.id ?? 0
  const opened = useDelayedOpen(isRequested)
  const go = (uuid: string) => {
    changeTicketView(me, { tab: 'open', sub: 'open', search: '' })
    void navigate({ href: `/tickets/${uuid}` })
  }
  return (
    <NewTicketDialog
      opened={opened}
      onClose={() => closeOverlay(overlayId)}
      contact={contact}
      onCreated={(ticket) => go(ticket.uuid)}
      onOpen={go}
    />
  )
}
