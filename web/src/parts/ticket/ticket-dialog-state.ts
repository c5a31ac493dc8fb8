import type { Ticket } from '@recado/contract/tickets'
import type { ClosingForm } from '@recado/contract/tickets/closing'
import { useSyncExternalStore } from 'react'
import type { ClosingAnswer } from './closing/closing-forms.ts'

/** The requested dialog; a closed dialog is kept while it fades out. */
export type OpenDialog = (
  | { kind: 'transfer' | 'peek' | 'templates' | 'priority' | 'snooze' | 'flow'; ticket: Ticket }
  | { kind: 'schedule'; ticket: Ticket; isFromComposer: boolean }
  | { kind: 'resolve'; ticket: Ticket; form: ClosingForm; isQuiet: boolean; onAnswer: (answer: ClosingAnswer) => void }
  | { kind: 'new' }
) & {
  isOpen: boolean
  openCount: number
}

let openDialog: OpenDialog | null = null
/** Called when the dialog that asks how to close a ticket goes without an answer. */
let onUnanswered: (() => void) | null = null
let openingCount = 0
const listeners = new Set<() => void>()

function setOpenDialog(next: OpenDialog | null): void {
  onUnanswered?.()
  onUnanswered = null
  openDialog = next
  for (const listener of listeners) listener()
}

export const openTransferDialog = (ticket: Ticket): void =>
  setOpenDialog({ kind: 'transfer', ticket, isOpen: true, openCount: ++openingCount })
export const openPeekDialog = (ticket: Ticket): void =>
  setOpenDialog({ kind: 'peek', ticket, isOpen: true, openCount: ++openingCount })
export const openPriorityDialog = (ticket: Ticket): void =>
  setOpenDialog({ kind: 'priority', ticket, isOpen: true, openCount: ++openingCount })
export const openSnoozeDialog = (ticket: Ticket): void =>
  setOpenDialog({ kind: 'snooze', ticket, isOpen: true, openCount: ++openingCount })
export const openStartFlowDialog = (ticket: Ticket): void =>
  setOpenDialog({ kind: 'flow', ticket, isOpen: true, openCount: ++openingCount })
export const openTemplateDialog = (ticket: Ticket): void =>
  setOpenDialog({ kind: 'templates', ticket, isOpen: true, openCount: ++openingCount })
/** `isFromComposer`: the dialog takes over the text and file of the composer. */
export const openScheduleDialog = (ticket: Ticket, isFromComposer = false): void =>
  setOpenDialog({ kind: 'schedule', ticket, isFromComposer, isOpen: true, openCount: ++openingCount })
/** Asks how to close the ticket; null: it stays open. */
export const askInResolveDialog = (
  ticket: Ticket,
  form: ClosingForm,
  isQuiet: boolean,
): Promise<ClosingAnswer | null> =>
  new Promise((resolve) => {
    const onAnswer = (answer: ClosingAnswer) => {
      resolve(answer)
      closeTicketDialog()
    }
    setOpenDialog({ kind: 'resolve', ticket, form, isQuiet, onAnswer, isOpen: true, openCount: ++openingCount })
    onUnanswered = () => resolve(null)
  })
export const openNewTicketDialog = (): void => setOpenDialog({ kind: 'new', isOpen: true, openCount: ++openingCount })
export const closeTicketDialog = (): void => setOpenDialog(openDialog && { ...openDialog, isOpen: false })

export const useOpenDialog = (): OpenDialog | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => openDialog,
  )
