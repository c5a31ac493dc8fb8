import { useNavigate } from '@tanstack/react-router'
import { useSession } from '../../lib/session.tsx'
import { NewTicketDialog } from '../../parts/new-ticket/new-ticket-dialog.tsx'
import { lookAt } from '../../parts/ticket/view.ts'
import { useOpening } from '../../ui/use-opening.ts'
import { closeAsked, type Person } from './asked.ts'

/** A conversation begun from any screen. */
export function NewTicket({ turn, wanted, contact }: { turn: number; wanted: boolean; contact: Person | null }) {
  const navigate = useNavigate()
  const me = useSession().user?.id ?? 0
  const opened = useOpening(wanted)
  const go = (uuid: string) => {
    lookAt(me, { tab: 'open', sub: 'open', search: '' })
    void navigate({ href: `/tickets/${uuid}` })
  }
  return (
    <NewTicketDialog
      opened={opened}
      onClose={() => closeAsked(turn)}
      contact={contact}
      onCreated={(ticket) => go(ticket.uuid)}
      onOpen={go}
    />
  )
}
