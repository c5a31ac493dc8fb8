import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useSession } from '../../../lib/session.tsx'
import { closeTicketDialog, useOpenDialog } from '../../ticket/ticket-dialog-state.ts'
import { changeTicketView } from '../../ticket/ticket-view.ts'

const TransferDialog = lazy(() => import('./transfer-dialog.tsx').then((m) => ({ default: m.TransferDialog })))
const PeekDialog = lazy(() => import('./peek-dialog.tsx').then((m) => ({ default: m.PeekDialog })))
const TemplateDialog = lazy(() =>
  import('../templates/template-dialog.tsx').then((m) => ({ default: m.TemplateDialog })),
)
const NewTicketDialog = lazy(() =>
  import('../../new-ticket/new-ticket-dialog.tsx').then((m) => ({ default: m.NewTicketDialog })),
)

/** Rendered once by the screen: components request its dialogs by `wanted.ts`. */
export function TicketDialogs() {
  const wanted = useOpenDialog()
  const navigate = useNavigate()
  const me = useSession().user?.id ?? 0
  useEffect(() => closeTicketDialog, [])
  if (!wanted) return null
  const { openCount: turn, isOpen: open } = wanted
  const show = (uuid: string) => {
    changeTicketView(me, { tab: 'open', sub: 'open', search: '' })
    void navigate({ href: `/tickets/${uuid}` })
  }
  return (
    <Suspense fallback={null}>
      {wanted.kind === 'transfer' && (
        <TransferDialog key={turn} ticket={wanted.ticket} opened={open} onClose={closeTicketDialog} />
      )}
      {wanted.kind === 'peek' && (
        <PeekDialog key={turn} ticket={wanted.ticket} opened={open} onClose={closeTicketDialog} />
      )}
      {wanted.kind === 'templates' && (
        <TemplateDialog key={turn} ticket={wanted.ticket} opened={open} onClose={closeTicketDialog} />
      )}
      {wanted.kind === 'new' && (
        <NewTicketDialog
          key={turn}
          opened={open}
          onClose={closeTicketDialog}
          onCreated={(ticket) => show(ticket.uuid)}
          onOpen={(uuid) => void navigate({ href: `/tickets/${uuid}` })}
        />
      )}
    </Suspense>
  )
}
