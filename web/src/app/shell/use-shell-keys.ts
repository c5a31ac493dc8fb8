import { useShortcut } from '../../lib/shortcuts.ts'
import { useTexts } from '../../lib/texts.ts'
import { openNewTicket, openSheet, togglePalette } from '../palette/asked.ts'
import { goToRegion } from './regions.ts'
import { texts } from './texts.ts'

/** Keys that work on every screen (design 11). */
export function useShellKeys(): void {
  const words = useTexts(texts).keys
  useShortcut('mod+k', togglePalette, { label: words.palette })
  useShortcut('F6', () => goToRegion(1), { label: words.nextRegion })
  useShortcut('shift+F6', () => goToRegion(-1), { label: words.regionBefore })
  useShortcut('c', () => openNewTicket(), { label: words.newTicket, weak: true })
  useShortcut('?', openSheet, { label: words.sheet })
}
