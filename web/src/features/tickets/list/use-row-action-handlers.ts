import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useCan } from '../../../lib/can.tsx'
import { isTicketPinned } from '../../../parts/ticket/pins.ts'
import { useTicketActions } from '../../../parts/ticket/ticket-actions.ts'
import { openPeekDialog, openTransferDialog } from '../../../parts/ticket/ticket-dialog-state.ts'
import type { RowActionHandlers } from './row-action-handlers.ts'
import { ticketAddress } from './ticket-address.ts'

/** The actions of a row. All rows share one stable object: a new object would re-render every row. */
export function useRowActionHandlers(): RowActionHandlers {
  const navigate = useNavigate()
  const client = useQueryClient()
  const actions = useTicketActions()
  const peeksAll = useCan()('tickets-manager:showall')
  return useMemo(
    () => ({
      open: (ticket) => void navigate({ href: ticketAddress(ticket) }),
      accept: (ticket) => void actions.accept(ticket),
      resolve: (ticket) => void actions.resolve(ticket),
      reopen: (ticket) => void actions.reopen(ticket),
      transfer: openTransferDialog,
      togglePin: (ticket) => void actions.setPinned(ticket, !isTicketPinned(client, ticket.id)),
      peek: openPeekDialog,
      peeksAll,
    }),
    [navigate, client, actions, peeksAll],
  )
}
