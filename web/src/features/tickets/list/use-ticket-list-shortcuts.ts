import type { RefObject } from 'react'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { useTexts } from '../../../lib/texts.ts'
import { openNewTicketDialog } from '../../../parts/ticket/ticket-dialog-state.ts'
import { useTicketView } from '../../../parts/ticket/ticket-view.ts'
import { ticketListTexts } from './texts.ts'

/** Shortcuts on the whole screen: move in the list, search, new ticket. */
export function useTicketListShortcuts(onStep: RefObject<((by: number) => void) | null>): void {
  const words = useTexts(ticketListTexts).keys
  const [view, look] = useTicketView()
  useShortcut('j', () => onStep.current?.(1), { label: words.next, group: 'list' })
  useShortcut('k', () => onStep.current?.(-1), { label: words.previous, group: 'list' })
  useShortcut('Enter', null, { label: words.open, group: 'list' })
  useShortcut('/', () => look({ tab: 'search' }), {
    label: words.search,
    group: 'list',
    isActive: view.tab !== 'search',
  })
  useShortcut('c', openNewTicketDialog, { label: words.create, group: 'list' })
}
