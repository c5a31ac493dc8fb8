import type { Ticket } from '@recado/contract/tickets'
import { useSession } from '../../lib/session.tsx'
import { isInOverlay, isTextField } from '../../lib/shortcut-keys.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { useTexts } from '../../lib/texts.ts'
import { usePinnedIds } from '../../parts/ticket/pins.ts'
import { priorityTexts } from '../../parts/ticket/priority-texts.ts'
import { resolveKeys } from '../../parts/ticket/resolve-keys.ts'
import { snoozeTexts } from '../../parts/ticket/snooze/texts.ts'
import { ticketActionTexts } from '../../parts/ticket/texts.ts'
import { useTicketActions } from '../../parts/ticket/ticket-actions.ts'
import { openPriorityDialog, openSnoozeDialog, openTransferDialog } from '../../parts/ticket/ticket-dialog-state.ts'

/**
 * Whether the shortcut to resolve acts here: not in an overlay or while a dialog is open, and in no text field except
 * the composer, which handles a text of its own first.
 */
const canResolveAt = (target: EventTarget | null): boolean =>
  !isInOverlay(target) &&
  !document.querySelector('[aria-modal="true"]') &&
  (!isTextField(target) || (target instanceof Element && target.closest('[data-composer]') !== null))

/**
 * Registers the actions on the open ticket for the palette. Of their keys only the one that resolves acts outside of
 * the list: a typed letter must never change a ticket.
 */
export function useTicketShortcuts(ticket: Ticket | undefined): void {
  const words = useTexts(ticketActionTexts).keys
  const marks = useTexts(priorityTexts)
  const actions = useTicketActions()
  const pinnedIds = usePinnedIds()
  const isPinned = ticket !== undefined && pinnedIds.has(ticket.id)
  const me = useSession().user?.id
  const status = ticket?.status
  const group = 'ticket' as const
  const on = (act: (ticket: Ticket) => unknown) => () => void (ticket && act(ticket))
  useShortcut('a', on(actions.accept), {
    label: words.accept,
    group,
    isActive: status === 'pending',
  })
  useShortcut(
    resolveKeys,
    on((one) => actions.resolve(one)),
    {
      label: words.resolve,
      group,
      isActive: status === 'open' || status === 'pending',
      isAllowedAt: canResolveAt,
    },
  )
  useShortcut('u', on(actions.markUnread), {
    label: words.unread,
    group,
    isActive: status === 'open' && ticket?.userId === me,
  })
  useShortcut('h', on(openSnoozeDialog), {
    label: useTexts(snoozeTexts).change,
    group,
    isActive: status === 'open' || status === 'pending',
  })
  useShortcut('p', on(openPriorityDialog), {
    label: marks.change,
    group,
    isActive: status === 'open' || status === 'pending',
  })
  useShortcut(
    'f',
    on((one) => actions.setPinned(one, !isPinned)),
    {
      label: isPinned ? marks.unpin : marks.pin,
      group,
      isActive: status === 'open' || status === 'pending',
    },
  )
  useShortcut('t', on(openTransferDialog), {
    label: words.transfer,
    group,
    isActive: status === 'open' || status === 'pending',
  })
}
