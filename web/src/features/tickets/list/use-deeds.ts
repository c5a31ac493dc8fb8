import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useCan } from '../../../lib/can.tsx'
import { useTicketActions } from '../../../parts/ticket/actions.ts'
import { openPeek, openTransfer } from '../../../parts/ticket/wanted.ts'
import { addressOf } from './address.ts'
import type { RowDeeds } from './deeds.ts'

/** What a row can do, the same object for all of them: a new one would draw every row again. */
export function useDeeds(): RowDeeds {
  const navigate = useNavigate()
  const actions = useTicketActions()
  const peeksAll = useCan()('tickets-manager:showall')
  return useMemo(
    () => ({
      open: (ticket) => void navigate({ href: addressOf(ticket) }),
      accept: (ticket) => void actions.accept(ticket),
      resolve: (ticket) => void actions.resolve(ticket),
      reopen: (ticket) => void actions.reopen(ticket),
      transfer: openTransfer,
      peek: openPeek,
      peeksAll,
    }),
    [navigate, actions, peeksAll],
  )
}
