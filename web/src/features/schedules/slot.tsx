import type { CSSProperties } from 'react'
import { createPortal } from 'react-dom'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import classes from './calendar.module.css'
import { shortMoment } from './calendar.ts'
import { EntryWords } from './entry.tsx'
import { stateOf } from './state.ts'
import { texts } from './texts.ts'
import type { Held } from './use-carry.ts'

/** Where it would stand if it were let go. */
export function Slot({ held, style }: { held: Held; style?: CSSProperties }) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  return (
    <span className={classes.slot} style={style} data-past={held.isPast || undefined} aria-hidden="true">
      {held.isPast ? words.inPast : shortMoment(held.to, language)}
    </span>
  )
}

/** What the pointer carries. */
export function Lifted({ held, zone }: { held: Held; zone: string }) {
  if (held.by === 'keys') return null
  const { at, grip, row } = held
  return createPortal(
    <div
      className={classes.lifted}
      aria-hidden="true"
      data-state={stateOf(row)}
      style={{ left: at.x - grip.x, top: at.y - grip.y, width: grip.width }}
    >
      <EntryWords row={row} zone={zone} />
    </div>,
    document.body,
  )
}
