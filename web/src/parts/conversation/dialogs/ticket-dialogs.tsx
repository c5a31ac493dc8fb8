import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useSession } from '../../../lib/session.tsx'
import { useClosingForms } from '../../ticket/closing/closing-forms.ts'
import { closeTicketDialog, useOpenDialog } from '../../ticket/ticket-dialog-state.ts'
import { changeTicketView } from '../../ticket/ticket-view.ts'

const TransferDialog = lazy(() => import('./transfer-dialog.tsx').then((m) => ({ default: m.TransferDialog })))
const PeekDialog = lazy(() => import('./peek-dialog.tsx').then((m) => ({ default: m.PeekDialog })))
const PriorityDialog = lazy(() => import('./priority-dialog.tsx').then((m) => ({ default: m.PriorityDialog })))
const SnoozeDialog = lazy(() => import('./snooze-dialog.tsx').then((m) => ({ default: m.SnoozeDialog })))
const StartFlowDialog = lazy(() => import('./start-flow-dialog.tsx').then((m) => ({ default: m.StartFlowDialog })))
const ResolveDialog = lazy(() => import('./resolve-dialog.tsx').then((m) => ({ default: m.ResolveDialog })))
const TemplateDialog = lazy(() =>
  import('../templates/template-dialog.tsx').then((m) => ({ default: m.TemplateDialog })),
)
const ScheduleDialog = lazy(() => import('./schedule-dialog.tsx').then((m) => ({ default: m.ScheduleDialog })))
const NewTicketDialog = lazy(() =>
  import('../../new-ticket/new-ticket-dialog.tsx').then((m) => ({ default: m.NewTicketDialog })),
)

/** Rendered once by the screen; components open its dialogs through `ticket-dialog-state.ts`. */
export function TicketDialogs() {
  const requestedDialog = useOpenDialog()
  useClosingForms()
  const navigate = useNavigate()
  const me = useSession().user?.id ?? 0
  useEffect(() => closeTicketDialog, [])
  if (!requestedDialog) return null
  const { openCount, isOpen } = requestedDialog
  const show = (uuid: string) => {
    changeTicketView(me, { tab: 'open', sub: 'open', search: '' })
    void navigate({ href: `/tickets/${uuid}` })
  }
  return (
    <Suspense fallback={null}>
      {requestedDialog.kind === 'transfer' && (
        <TransferDialog key={openCount} ticket={requestedDialog.ticket} opened={isOpen} onClose={closeTicketDialog} />
      )}
      {requestedDialog.kind === 'peek' && (
        <PeekDialog key={openCount} ticket={requestedDialog.ticket} opened={isOpen} onClose={closeTicketDialog} />
      )}
      {requestedDialog.kind === 'priority' && (
        <PriorityDialog key={openCount} ticket={requestedDialog.ticket} opened={isOpen} onClose={closeTicketDialog} />
      )}
      {requestedDialog.kind === 'snooze' && (
        <SnoozeDialog key={openCount} ticket={requestedDialog.ticket} opened={isOpen} onClose={closeTicketDialog} />
      )}
      {requestedDialog.kind === 'flow' && (
        <StartFlowDialog key={openCount} ticket={requestedDialog.ticket} opened={isOpen} onClose={closeTicketDialog} />
      )}
      {requestedDialog.kind === 'resolve' && (
        <ResolveDialog
          key={openCount}
          ticket={requestedDialog.ticket}
          form={requestedDialog.form}
          isQuiet={requestedDialog.isQuiet}
          opened={isOpen}
          onClose={closeTicketDialog}
          onAnswer={requestedDialog.onAnswer}
        />
      )}
      {requestedDialog.kind === 'templates' && (
        <TemplateDialog key={openCount} ticket={requestedDialog.ticket} opened={isOpen} onClose={closeTicketDialog} />
      )}
      {requestedDialog.kind === 'schedule' && (
        <ScheduleDialog
          key={openCount}
          ticket={requestedDialog.ticket}
          isFromComposer={requestedDialog.isFromComposer}
          opened={isOpen}
          onClose={closeTicketDialog}
        />
      )}
      {requestedDialog.kind === 'new' && (
        <NewTicketDialog
          key={openCount}
          opened={isOpen}
          onClose={closeTicketDialog}
          onCreated={(ticket) => show(ticket.uuid)}
          onOpen={(uuid) => void navigate({ href: `/tickets/${uuid}` })}
        />
      )}
    </Suspense>
  )
}
