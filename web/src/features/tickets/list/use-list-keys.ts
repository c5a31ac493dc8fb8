import type { RefObject } from 'react'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { useTexts } from '../../../lib/texts.ts'
import { useView } from '../../../parts/ticket/view.ts'
import { openNewTicket } from '../../../parts/ticket/wanted.ts'
import { listTexts } from './texts.ts'

/** From anywhere on the screen: along the list, to the search, to a new ticket. */
export function useListKeys(onStep: RefObject<((by: number) => void) | null>): void {
  const words = useTexts(listTexts).keys
  const [view, look] = useView()
  useShortcut('j', () => onStep.current?.(1), { label: words.next, group: 'list' })
  useShortcut('k', () => onStep.current?.(-1), { label: words.previous, group: 'list' })
  useShortcut('Enter', null, { label: words.open, group: 'list' })
  useShortcut('/', () => look({ tab: 'search' }), { label: words.search, group: 'list', when: view.tab !== 'search' })
  useShortcut('c', openNewTicket, { label: words.create, group: 'list' })
}
