import { Button, NativeSelect, SegmentedControl, Switch } from '@mantine/core'
import { connectionsApi } from '@recado/contract/connections'
import { type DashboardView, reportPeriodDays } from '@recado/contract/dashboard/dashboard'
import type { Queue } from '@recado/contract/queues'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { refetchOnOpen, useAllUsers, useTags } from '../../parts/select-option-queries.ts'
import { useQueues } from '../../parts/use-queues.ts'
import { MomentInput } from '../../records/fields/moment-input.tsx'
import classes from './dashboard.module.css'
import { formatDaySpan } from './metrics.ts'
import { texts } from './texts.ts'
import type { DashboardQuery } from './use-dashboard-query.ts'
import { useReportAudience } from './use-report-audience.ts'

type Props = {
  address: DashboardQuery
  view: DashboardView | undefined
  onChange: (change: Partial<DashboardQuery>) => void
}

/** The date filter: a range of dates (at first the month to date) or a period. Applied only on a click. */
export function DayFilter({ address, view, onChange }: Props) {
  const words = useTexts(texts)
  const [by, setBy] = useState<'date' | 'period'>(address.days ? 'period' : 'date')
  const [days, setDays] = useState(String(address.days ?? ''))
  const [dates, setDates] = useState<{ from?: string; to?: string }>({})
  const { from = view?.from ?? '', to = view?.to ?? '' } = dates
  const filter = (event: FormEvent) => {
    event.preventDefault()
    if (by === 'period' ? !days : !from || !to) return toast.warn(words.selectFilter)
    if (by === 'period') onChange({ days: Number(days), from: undefined, to: undefined })
    else onChange({ days: undefined, from, to })
  }
  return (
    <form className={classes.days} onSubmit={filter}>
      <SegmentedControl
        aria-label={words.by}
        value={by}
        onChange={(value) => setBy(value as typeof by)}
        data={[
          { value: 'period', label: words.byPeriod },
          { value: 'date', label: words.byDate },
        ]}
      />
      {by === 'period' ? (
        <NativeSelect
          aria-label={words.period}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
          data={[
            { value: '', label: words.none },
            ...reportPeriodDays.map((period) => ({ value: String(period), label: words.last(period) })),
          ]}
        />
      ) : (
        <>
          <MomentInput
            kind="day"
            aria-label={words.from}
            value={from}
            max={to}
            onChange={(day) => setDates({ from: day, to })}
          />
          <MomentInput
            kind="day"
            aria-label={words.to}
            value={to}
            min={from}
            onChange={(day) => setDates({ from, to: day })}
          />
        </>
      )}
      <Button type="submit">{words.filter}</Button>
    </form>
  )
}

/** The options of the filters. */
function useFilterChoices() {
  const words = useTexts(texts)
  const queues = useQueues()
  const { user } = useSession()
  const { seesCompany, isAgent } = useReportAudience()
  // Users who see only some queues choose among their own queues.
  const visibleQueues = (all: Queue[] = []) =>
    seesCompany ? all : all.filter(({ id }) => user?.queues.some((queue) => queue.id === id))
  const people = useAllUsers(!isAgent)
  const lines = useQuery({
    queryKey: ['connections', 'names'],
    queryFn: () => callApi(connectionsApi.list),
    ...refetchOnOpen,
  })
  const tags = useTags()
  return [
    { key: 'queueId', name: words.queue, all: words.all, rows: visibleQueues(queues.data) },
    ...(isAgent ? [] : [{ key: 'userId', name: words.agent, all: words.everybody, rows: people.data } as const]),
    { key: 'whatsappId', name: words.line, all: words.all, rows: lines.data },
    { key: 'tagId', name: words.tag, all: words.all, rows: tags.data },
  ] as const
}

/** Filters for all charts of the page. */
export function ReportFilters({ address, onChange }: Omit<Props, 'view'>) {
  return (
    <div className={classes.narrow}>
      {useFilterChoices().map(({ key, name, all, rows = [] }) => (
        <NativeSelect
          key={key}
          aria-label={name}
          data-set={address[key] !== undefined || undefined}
          value={String(address[key] ?? '')}
          onChange={(event) => onChange({ [key]: Number(event.currentTarget.value) || undefined })}
          data={[
            { value: '', label: `${name}: ${all}` },
            ...rows.map((row) => ({ value: String(row.id), label: `${name}: ${row.name}` })),
          ]}
        />
      ))}
    </div>
  )
}

/** Switches for opening hours and for the comparison. */
export function ReportSwitches({ address, view, onChange }: Props) {
  const words = useTexts(texts)
  return (
    <div className={classes.switches}>
      <Switch
        label={words.hours}
        checked={address.hours ?? false}
        onChange={(event) => onChange({ hours: event.currentTarget.checked || undefined })}
      />
      <Switch
        label={
          <>
            {words.compare}
            {view?.before && <small> ({formatDaySpan(view.before)})</small>}
          </>
        }
        checked={address.compare}
        onChange={(event) => onChange({ compare: event.currentTarget.checked })}
      />
    </div>
  )
}

/** The printed header with scope, days and filters: a printed page does not show its URL. */
export function PrintHeader({ address, view }: { address: DashboardQuery; view: DashboardView }) {
  const words = useTexts(texts)
  const { user } = useSession()
  const choices = useFilterChoices().flatMap(({ key, name, rows = [] }) =>
    rows.filter(({ id }) => id === address[key]).map((row) => `${name}: ${row.name}`),
  )
  const said = [
    ...[user?.company.name, formatDaySpan(view), ...choices],
    address.hours && words.hours,
    view.before && `${words.compare} (${formatDaySpan(view.before)})`,
  ]
  return <p className={classes.paper}>{said.filter(Boolean).join(' · ')}</p>
}
