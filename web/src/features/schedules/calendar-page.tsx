import { ActionIcon, Button } from '@mantine/core'
import { useDebouncedValue, useInterval } from '@mantine/hooks'
import { toWallTime } from '@recado/contract/schedules/occurrences'
import type { Schedule } from '@recado/contract/schedules/schedules'
import { IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import {
  type CalendarDay,
  type CalendarView,
  formatCalendarTitle,
  getFirstWeekday,
  getVisibleDays,
  stepCalendar,
} from '../../parts/schedule/calendar.ts'
import { texts } from '../../parts/schedule/texts.ts'
import { SearchBox } from '../../records/search-box.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import classes from './calendar.module.css'
import type { ScheduleActions } from './calendar-context.ts'
import { DraggedEntry } from './drag-feedback.tsx'
import { MonthGrid } from './month-grid.tsx'
import { ScheduleFilters } from './schedule-filters.tsx'
import { getScheduleDisplayState, scheduleDisplayStates } from './schedule-state.ts'
import { ScheduleStateIcon } from './schedule-state-chip.tsx'
import { hourHeightPx, TimeGrid } from './time-grid.tsx'
import { useCarrySchedule } from './use-carry-schedule.ts'
import { useScheduleCalendar } from './use-schedule-calendar.ts'
import type { ScheduleFilter } from './use-schedule-view.ts'

const searchDebounceMs = 250
const tickMs = 20_000

type Props = {
  view: Exclude<CalendarView, 'list'>
  setView: (view: CalendarView) => void
  filter: ScheduleFilter
  setFilter: (change: Partial<ScheduleFilter>) => void
  zone: string
  viewSwitch: ReactNode
  onCreate: () => void
  onPointerNear: () => void
  /** The actions on entries. Changes made here are applied before their event arrives. */
  actionsFor: (apply: ReturnType<typeof useScheduleCalendar>['apply']) => ScheduleActions
}

/** Scheduled messages by day and hour, in the company's time zone. */
export function CalendarPage({
  view,
  setView,
  filter,
  setFilter,
  zone,
  viewSwitch,
  onCreate,
  onPointerNear,
  actionsFor,
}: Props) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  const now = useWallClock(zone)
  const [day, setDay] = useState<CalendarDay>(now.slice(0, 10))
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), searchDebounceMs)
  const [opened, open] = useState<number | null>(null)
  const days = getVisibleDays(view, day, getFirstWeekday(language, navigator.languages))
  const { rows, isPending, isError, error, isFetching, refetch, apply, move, data } = useScheduleCalendar({
    ...{ days, zone, search, filter },
  })
  const scheduleDrag = useCarrySchedule({ zone, days, hourHeight: view === 'month' ? null : hourHeightPx, move })
  const seen = filter.state === null ? rows : rows.filter((row) => getScheduleDisplayState(row) === filter.state)
  const shown = { zone, scheduleDrag: scheduleDrag, openedId: opened, open, actions: actionsFor(apply) }
  const grid = { days, rows: seen, now, shown }
  return (
    <div className={classes.page} onPointerEnter={onPointerNear}>
      <PageHeader title={words.words.title} isWide>
        <div className={classes.bar}>
          <ActionIcon size={32} aria-label={words.earlier} onClick={() => setDay(stepCalendar(view, day, -1))}>
            <IconChevronLeft size={18} stroke={1.75} />
          </ActionIcon>
          <Button variant="default" onClick={() => setDay(now.slice(0, 10))}>
            {words.today}
          </Button>
          <ActionIcon size={32} aria-label={words.later} onClick={() => setDay(stepCalendar(view, day, 1))}>
            <IconChevronRight size={18} stroke={1.75} />
          </ActionIcon>
          <h2 className={classes.range} aria-live="polite">
            {formatCalendarTitle(view, days, day, language)}
          </h2>
          {viewSwitch}
          <Button leftSection={<IconPlus size={17} stroke={2} />} onClick={onCreate}>
            {words.words.create}
          </Button>
        </div>
      </PageHeader>
      <div className={classes.tools}>
        <SearchBox label={words.words.search} value={typed} onChange={setTyped} onClear={() => setTyped('')} />
        <ScheduleFilters filter={filter} onChange={setFilter} />
        <span className={classes.zoneName}>{words.inZone(zone)}</span>
        <StateCounts rows={rows} filter={filter} setFilter={setFilter} />
      </div>
      {isFetching && !isPending && <div className={classes.busy} />}
      {isError && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={classes.body} aria-busy={isPending}>
          {view === 'month' ? (
            <MonthGrid
              {...grid}
              month={day.slice(0, 7)}
              openDay={(one) => {
                setDay(one)
                setView('day')
              }}
            />
          ) : (
            <TimeGrid key={view} {...grid} />
          )}
          {!isPending && seen.length === 0 && (
            <p className={classes.nothing} role="status">
              {search || filter.state || filter.userId || filter.person ? words.noneFound : words.noneHere}
            </p>
          )}
          {data?.hasMore && <p className={classes.nothing}>{words.tooMany}</p>}
        </div>
      )}
      {scheduleDrag.heldSchedule && <DraggedEntry heldSchedule={scheduleDrag.heldSchedule} zone={zone} />}
      <p id="calendar-help" className="rc-sr">
        {words.calendarHelp}
      </p>
      <div className="rc-sr" aria-live="assertive">
        {scheduleDrag.announcement}
      </div>
    </div>
  )
}

/** The company's local time, updated every minute. */
function useWallClock(zone: string): string {
  const [now, setNow] = useState(() => toWallTime(new Date(), zone))
  const { start, stop } = useInterval(() => setNow(toWallTime(new Date(), zone)), tickMs)
  useEffect(() => {
    start()
    return stop
  }, [start, stop])
  return now
}

type StatesProps = { rows: Schedule[]; filter: ScheduleFilter; setFilter: (change: Partial<ScheduleFilter>) => void }

/** Counts per state; a click filters by that state. */
function StateCounts({ rows, filter, setFilter }: StatesProps) {
  const words = useTexts(texts)
  const counts = Map.groupBy(rows, getScheduleDisplayState)
  return (
    // biome-ignore lint/a11y/useSemanticElements: no field set: these are buttons.
    <div className={classes.states} role="group" aria-label={words.state}>
      {scheduleDisplayStates.map((state) => (
        <button
          key={state}
          type="button"
          className={classes.state}
          data-state={state}
          aria-pressed={filter.state === state}
          onClick={() => setFilter({ state: filter.state === state ? null : state })}
        >
          <ScheduleStateIcon state={state} />
          {words.states[state]}
          <b>{counts.get(state)?.length ?? 0}</b>
        </button>
      ))}
    </div>
  )
}
