import { ActionIcon } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import classes from './command-pill.module.css'
import { texts } from './texts.ts'

const Command = lazy(() => import('./command.tsx').then((module) => ({ default: module.Command })))

/** Opens the palette; its code comes with the first use. */
export function CommandPill() {
  const words = useTexts(texts)
  const [asked, setAsked] = useState(0)
  const open = () => setAsked((times) => times + 1)
  // Also while typing in a field: Ctrl K is no letter.
  useHotkeys([['mod+K', open]], [])
  return (
    <>
      <button type="button" className={classes.pill} onClick={open} aria-keyshortcuts="Control+K">
        <IconSearch size={16} stroke={1.75} aria-hidden="true" />
        <span className={classes.words}>{words.search}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <ActionIcon className={classes.icon ?? ''} aria-label={words.search} onClick={open}>
        <IconSearch size={18} stroke={1.75} />
      </ActionIcon>
      {asked > 0 && (
        <Suspense fallback={null}>
          <Command asked={asked} />
        </Suspense>
      )}
    </>
  )
}
