import type { Ticket } from '@recado/contract/tickets'
import { useSession } from '../../lib/session.tsx'
import { useShortcut } from '../../lib/shortcuts.ts'
import { useTexts } from '../../lib/texts.ts'
import { ticketActionTexts } from '../../parts/ticket/texts.ts'
import { useTicketActions } from '../../parts/ticket/ticket-actions.ts'
import { openTransferDialog } from '../../parts/ticket/ticket-dialog-state.ts'

/** Shortcuts for the open ticket. */
export function useTicketShortcuts(ticket: Ticket | undefined): void {
  const words = useTexts(ticketActionTexts).keys
  const actions = useTicketActions()
  const me = useSession().user?.id
  const status = ticket?.status
  const group = 'ticket' as const
  const on = (act: (ticket: Ticket) => unknown) => () => void (ticket && act(ticket))
  useShortcut('a', on(actions.accept), {
    label: words.accept,
    group,
    isActive: status === 'pending',
    needsConfirm: true,
  })
  useShortcut(
    'e',
    on((one) => actions.resolve(one)),
    {
      label: words.resolve,
      group,
      isActive: status === 'open' || status === 'pending',
      needsConfirm: true,
    },
  )
  useShortcut('u', on(actions.markUnread), {
    label: words.unread,
    group,
    isActive: status === 'open' && ticket?.userId === me,
    // Customers do not notice this action, but an accidental key press would leave the conversation.
    needsConfirm: true,
  })
  useShortcut('t', on(openTransferDialog), {
    label: words.transfer,
    group,
    isActive: status === 'open' || status === 'pending',
  })
}
