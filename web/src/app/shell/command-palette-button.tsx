import { ActionIcon } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { formatKeyCaps } from '../../lib/shortcut-keys.ts'
import { useAriaKeys } from '../../lib/shortcuts.ts'
import { useTexts } from '../../lib/texts.ts'
import { openPalette } from '../palette/overlay-state.ts'
import classes from './command-palette-button.module.css'
import { texts } from './texts.ts'

/** Opens the palette; its code loads on first use. */
export function CommandPaletteButton() {
  const words = useTexts(texts)
  const keys = useAriaKeys('mod+k')
  return (
    <>
      <button type="button" className={classes.pill} onClick={openPalette} aria-keyshortcuts={keys}>
        <IconSearch size={16} stroke={1.75} aria-hidden="true" />
        <span className={classes.words}>{words.search}</span>
        <span aria-hidden="true">
          <kbd>{formatKeyCaps('mod+k').join(' ')}</kbd>
        </span>
      </button>
      <ActionIcon
        className={classes.icon ?? ''}
        aria-label={words.search}
        aria-keyshortcuts={keys}
        onClick={openPalette}
      >
        <IconSearch size={18} stroke={1.75} />
      </ActionIcon>
    </>
  )
}
