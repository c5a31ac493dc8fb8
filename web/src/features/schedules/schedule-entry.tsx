import { Popover } from '@mantine/core'
import { toWallTime } from '@recado/contract/schedules/occurrences'
import type { Schedule } from '@recado/contract/schedules/schedules'
import { IconRepeat } from '@tabler/icons-react'
import { type CSSProperties, lazy, Suspense } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { renderScheduleText } from '../../parts/schedule/render-schedule-text.ts'
import { texts } from '../../parts/schedule/texts.ts'
import classes from './calendar.module.css'
import type { CalendarContext } from './calendar-context.ts'
import { getScheduleDisplayState } from './schedule-state.ts'
import { ScheduleStateIcon, useScheduleReason } from './schedule-state-chip.tsx'

const ScheduleDetails = lazy(() =>
  import('./schedule-details.tsx').then((module) => ({ default: module.ScheduleDetails })),
)

/** `isFlat`: the entry has one row. `isNarrow`: the name replaces the text. */
type EntryStyle = { isFlat?: boolean; isNarrow?: boolean }
type Props = EntryStyle & { row: Schedule; calendar: CalendarContext; style?: CSSProperties }

/** One calendar entry: state, time, recipient, and the start of the text or the failure reason. */
export function ScheduleEntry({ row, calendar, style, isFlat = false, isNarrow = false }: Props) {
  const { zone, scheduleDrag, openedId, open, actions } = calendar
  const isOpened = openedId === row.id
  const button = (
    <button
      type="button"
      className={classes.entry}
      style={style}
      data-entry={row.id}
      data-state={getScheduleDisplayState(row)}
      data-flat={isFlat || undefined}
      data-held={scheduleDrag.heldSchedule?.row.id === row.id || undefined}
      aria-describedby="calendar-help"
      aria-expanded={isOpened}
      onPointerDown={(event) => scheduleDrag.onPointerDown(event, row)}
      onKeyDown={(event) => scheduleDrag.onKeyDown(event, row)}
      onClick={() => !scheduleDrag.wasDragged() && open(isOpened ? null : row.id)}
    >
      <ScheduleEntryText row={row} zone={zone} isFlat={isFlat} isNarrow={isNarrow} />
    </button>
  )
  if (!isOpened) return button
  return (
    <Popover
      opened
      onChange={(on) => !on && open(null)}
      width={320}
      position="right-start"
      shadow="md"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown>
        <Suspense fallback={null}>
          <ScheduleDetails row={row} zone={zone} actions={actions} onClose={() => open(null)} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}

export function ScheduleEntryText({
  row,
  zone,
  isFlat = false,
  isNarrow = false,
}: EntryStyle & { row: Schedule; zone: string }) {
  const words = useTexts(texts)
  const reason = useScheduleReason()
  const state = getScheduleDisplayState(row)
  const name = <span className={classes.clip}>{row.contact.name}</span>
  return (
    <>
      <span className={classes.entryHead}>
        <ScheduleStateIcon state={state} />
        <span className="rc-sr">{words.states[state]}</span>
        <b>{toWallTime(new Date(row.sendAt), zone).slice(11)}</b>
        {!isNarrow && name}
        {row.repeat && <IconRepeat size={13} stroke={2} aria-label={words.repeated} role="img" />}
      </span>
      {isNarrow
        ? name
        : !isFlat && <span className={classes.clip}>{reason(row) || renderScheduleText(row, zone)}</span>}
    </>
  )
}
