import type { CSSProperties } from 'react'
import { createPortal } from 'react-dom'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import classes from './calendar.module.css'
import { formatShortMoment } from './calendar.ts'
import { ScheduleEntryText } from './schedule-entry.tsx'
import { getScheduleDisplayState } from './schedule-state.ts'
import { texts } from './texts.ts'
import type { HeldSchedule } from './use-carry-schedule.ts'

/** The drop position. */
export function DropSlot({ heldSchedule: held, style }: { heldSchedule: HeldSchedule; style?: CSSProperties }) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  return (
    <span className={classes.slot} style={style} data-past={held.isPast || undefined} aria-hidden="true">
      {held.isPast ? words.inPast : formatShortMoment(held.to, language)}
    </span>
  )
}

/** The element under the pointer while dragging. */
export function DraggedEntry({ heldSchedule: held, zone }: { heldSchedule: HeldSchedule; zone: string }) {
  if (held.heldBy === 'keys') return null
  const { pointer: at, grip, row } = held
  return createPortal(
    <div
      className={classes.lifted}
      aria-hidden="true"
      data-state={getScheduleDisplayState(row)}
      style={{ left: at.x - grip.x, top: at.y - grip.y, width: grip.width }}
    >
      <ScheduleEntryText row={row} zone={zone} />
    </div>,
    document.body,
  )
}
