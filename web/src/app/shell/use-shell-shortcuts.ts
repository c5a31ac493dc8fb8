import { useShortcut } from '../../lib/shortcuts.ts'
import { useTexts } from '../../lib/texts.ts'
import { openNewTicket, openShortcutSheet, togglePalette } from '../palette/overlay-state.ts'
import { moveFocusToRegion } from './regions.ts'
import { texts } from './texts.ts'

/** Shortcuts on every screen (design 11). */
export function useShellShortcuts(): void {
  const words = useTexts(texts).keys
  useShortcut('mod+k', togglePalette, { label: words.palette })
  useShortcut('F6', () => moveFocusToRegion(1), { label: words.nextRegion })
  useShortcut('shift+F6', () => moveFocusToRegion(-1), { label: words.regionBefore })
  useShortcut('c', () => openNewTicket(), { label: words.newTicket, isDefault: true })
  useShortcut('?', openShortcutSheet, { label: words.sheet })
}
