import type { RefObject } from 'react'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { useTexts } from '../../../lib/texts.ts'
import { openNewTicketDialog } from '../../../parts/ticket/ticket-dialog-state.ts'
import { useTicketView } from '../../../parts/ticket/ticket-view.ts'
import { selectionHeadTexts } from '../selection/selection-head-texts.ts'
import { ticketListTexts } from './texts.ts'

const isUnfocused = (target: EventTarget | null): boolean =>
  target === document.body || (target instanceof Element && target.id === 'content')

/** Shortcuts of the list: move, search, new ticket. */
export function useTicketListShortcuts(onStep: RefObject<((by: number) => void) | null>): void {
  const words = useTexts(ticketListTexts).keys
  const [view, look] = useTicketView()
  // The rows handle these keys themselves; here they are only listed.
  useShortcut('j', null, { label: words.next, group: 'list' })
  useShortcut('k', null, { label: words.previous, group: 'list' })
  // The arrows lead into the list when nothing has the focus.
  useShortcut('ArrowDown', () => onStep.current?.(1), { label: words.next, group: 'list', isAllowedAt: isUnfocused })
  useShortcut('ArrowUp', () => onStep.current?.(-1), { label: words.previous, group: 'list', isAllowedAt: isUnfocused })
  useShortcut('Enter', null, { label: words.open, group: 'list' })
  useShortcut('/', () => look({ tab: 'search' }), {
    label: words.search,
    group: 'list',
    isActive: view.tab !== 'search',
  })
  const checks = useTexts(selectionHeadTexts).keys
  useShortcut('x', null, { label: checks.check, group: 'list' })
  useShortcut('shift+ArrowDown', null, { label: checks.extend, group: 'list' })
  useShortcut('c', openNewTicketDialog, { label: words.create, group: 'list' })
}
