import type { CSSProperties } from 'react'
import { createPortal } from 'react-dom'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import { formatShortMoment } from '../../parts/schedule/calendar.ts'
import { texts } from '../../parts/schedule/texts.ts'
import classes from './calendar.module.css'
import { ScheduleEntryText } from './schedule-entry.tsx'
import { getScheduleDisplayState } from './schedule-state.ts'
import type { HeldSchedule } from './use-carry-schedule.ts'

/** Marks the drop position. */
export function DropSlot({ heldSchedule, style }: { heldSchedule: HeldSchedule; style?: CSSProperties }) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  return (
    <span className={classes.slot} style={style} data-past={heldSchedule.isPast || undefined} aria-hidden="true">
      {heldSchedule.isPast ? words.inPast : formatShortMoment(heldSchedule.to, language)}
    </span>
  )
}

/** The element under the pointer while dragging. */
export function DraggedEntry({ heldSchedule, zone }: { heldSchedule: HeldSchedule; zone: string }) {
  if (heldSchedule.heldBy === 'keys') return null
  const { pointer, grip, row } = heldSchedule
  return createPortal(
    <div
      className={classes.lifted}
      aria-hidden="true"
      data-state={getScheduleDisplayState(row)}
      style={{ left: pointer.x - grip.x, top: pointer.y - grip.y, width: grip.width }}
    >
      <ScheduleEntryText row={row} zone={zone} />
    </div>,
    document.body,
  )
}
