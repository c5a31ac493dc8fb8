import { ActionIcon, Button } from '@mantine/core'
import { useDebouncedValue, useInterval } from '@mantine/hooks'
import { wallOf } from '@recado/contract/schedules/repetition'
import type { Schedule } from '@recado/contract/schedules/schedules'
import { IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import { SearchBox } from '../../records/search-box.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import classes from './calendar.module.css'
import { type Day, daysOf, firstWeekday, stepped, titleOf, type View } from './calendar.ts'
import { Filters } from './filters.tsx'
import { MonthGrid } from './month-grid.tsx'
import type { Deeds } from './shown.ts'
import { Lifted } from './slot.tsx'
import { stateOf, states } from './state.ts'
import { StateIcon } from './state-chip.tsx'
import { texts } from './texts.ts'
import { hourHeight, TimeGrid } from './time-grid.tsx'
import { useCalendar } from './use-calendar.ts'
import { useCarry } from './use-carry.ts'
import type { Filter } from './use-view.ts'

const searchAfter = 250
const tickMs = 20_000

type Props = {
  view: Exclude<View, 'list'>
  setView: (view: View) => void
  filter: Filter
  setFilter: (change: Partial<Filter>) => void
  zone: string
  viewSwitch: ReactNode
  onCreate: () => void
  onNear: () => void
  /** What was saved or removed here is known before it is told. */
  deeds: (apply: ReturnType<typeof useCalendar>['apply']) => Deeds
}

/** Scheduled messages on the days and at the hours at which they go out, by the company's clocks. */
export function CalendarPage({ view, setView, filter, setFilter, zone, viewSwitch, onCreate, onNear, deeds }: Props) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  const now = useNow(zone)
  const [day, setDay] = useState<Day>(now.slice(0, 10))
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), searchAfter)
  const [opened, open] = useState<number | null>(null)
  const days = daysOf(view, day, firstWeekday(language, navigator.languages))
  const { rows, isPending, isError, error, isFetching, refetch, apply, move, data } = useCalendar({
    ...{ days, zone, search, filter },
  })
  const carry = useCarry({ zone, days, hourHeight: view === 'month' ? null : hourHeight, move })
  const seen = filter.state === null ? rows : rows.filter((row) => stateOf(row) === filter.state)
  const shown = { zone, carry, opened, open, deeds: deeds(apply) }
  const grid = { days, rows: seen, now, shown }
  return (
    <div className={classes.page} onPointerEnter={onNear}>
      <PageHeader title={words.words.title} wide>
        <div className={classes.bar}>
          <ActionIcon size={32} aria-label={words.earlier} onClick={() => setDay(stepped(view, day, -1))}>
            <IconChevronLeft size={18} stroke={1.75} />
          </ActionIcon>
          <Button variant="default" onClick={() => setDay(now.slice(0, 10))}>
            {words.today}
          </Button>
          <ActionIcon size={32} aria-label={words.later} onClick={() => setDay(stepped(view, day, 1))}>
            <IconChevronRight size={18} stroke={1.75} />
          </ActionIcon>
          <h2 className={classes.range} aria-live="polite">
            {titleOf(view, days, day, language)}
          </h2>
          {viewSwitch}
          <Button leftSection={<IconPlus size={17} stroke={2} />} onClick={onCreate}>
            {words.words.create}
          </Button>
        </div>
      </PageHeader>
      <div className={classes.tools}>
        <SearchBox label={words.words.search} value={typed} onChange={setTyped} onClear={() => setTyped('')} />
        <Filters filter={filter} onChange={setFilter} />
        <span className={classes.zoneName}>{words.inZone(zone)}</span>
        <States rows={rows} filter={filter} setFilter={setFilter} />
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
      {carry.held && <Lifted held={carry.held} zone={zone} />}
      <p id="calendar-help" className="rc-sr">
        {words.calendarHelp}
      </p>
      <div className="rc-sr" aria-live="assertive">
        {carry.said}
      </div>
    </div>
  )
}

/** What the company's clocks show, minute by minute. */
function useNow(zone: string): string {
  const [now, setNow] = useState(() => wallOf(new Date(), zone))
  const { start, stop } = useInterval(() => setNow(wallOf(new Date(), zone)), tickMs)
  useEffect(() => {
    start()
    return stop
  }, [start, stop])
  return now
}

type StatesProps = { rows: Schedule[]; filter: Filter; setFilter: (change: Partial<Filter>) => void }

/** How many there are in each state; a click shows only these. */
function States({ rows, filter, setFilter }: StatesProps) {
  const words = useTexts(texts)
  const counts = Map.groupBy(rows, stateOf)
  return (
    // biome-ignore lint/a11y/useSemanticElements: no field set: these are buttons.
    <div className={classes.states} role="group" aria-label={words.state}>
      {states.map((state) => (
        <button
          key={state}
          type="button"
          className={classes.state}
          data-state={state}
          aria-pressed={filter.state === state}
          onClick={() => setFilter({ state: filter.state === state ? null : state })}
        >
          <StateIcon state={state} />
          {words.states[state]}
          <b>{counts.get(state)?.length ?? 0}</b>
        </button>
      ))}
    </div>
  )
}
