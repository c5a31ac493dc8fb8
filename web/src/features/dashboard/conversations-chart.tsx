import type { DashboardView } from '@recado/contract/dashboard/dashboard'
import { formatNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import classes from './dashboard.module.css'
import { LazyMetricDefinition } from './metric-info.tsx'
import { type ChartColumn, formatDaySpan, groupIntoColumns, roundUpForAxis, stepLinePath } from './metrics.ts'
import { ReportCard } from './report-card.tsx'
import { type DashboardTexts, texts } from './texts.ts'
import { useChartKeyboard } from './use-chart-keyboard.ts'

type BarRange = { from: string; to: string; hour?: number | undefined }
/** `isOwn`: the report of one agent, without arrivals, because a ticket belongs to nobody until it is accepted. */
type Props = { view: DashboardView; isOwn: boolean; onShow: (range: BarRange) => void }

/** Filled and framed bars are distinguishable without colour. */
const barStyles = ['full', 'framed'] as const
/** Up to this many bars have room for their values on top. */
const maxBarsWithValues = 31
/** A chart shows about this many labels; the others are left out. */
const maxBarLabels = { screen: 16, phone: 6 }

function chartTitle(columns: ChartColumn[], { series }: DashboardView, words: DashboardTexts): string {
  if (series[0]?.hour !== null) return words.perHour
  if (columns.length === series.length) return words.perDay
  return columns[0]?.label.includes('/') && series.length > 400 ? words.perMonth : words.perWeek
}

/** New conversations per day or hour. The keyboard moves from bar to bar. */
export function ConversationsChart({ view, isOwn, onShow }: Props) {
  const words = useTexts(texts)
  const columns = groupIntoColumns(view)
  const title = chartTitle(columns, view, words)
  const { onKeyDown, point } = useChartKeyboard(columns.length)
  const seriesKeys = isOwn ? (['resolved'] as const) : (['came', 'resolved'] as const)
  const [first] = seriesKeys
  const earlier = columns.flatMap(({ previous: before }) => (before ? before[first] : []))
  const top = roundUpForAxis(Math.max(1, ...earlier, ...columns.map(({ came, resolved }) => Math.max(came, resolved))))
  const hourly = view.series[0]?.hour !== null
  const every = (room: number) => Math.max(1, Math.ceil(columns.length / room))
  const { before } = view
  const rows = [
    [
      ...[hourly ? words.hour : words.day, ...seriesKeys.map((kind) => words[kind])],
      ...(before ? [words.earlier.days, ...seriesKeys.map((kind) => words.earlier[kind])] : []),
    ],
    ...columns.map((column) => [
      ...[column.hour === null ? formatDaySpan(column) : column.description, ...seriesKeys.map((kind) => column[kind])],
      ...(column.previous
        ? [formatDaySpan(column.previous), ...seriesKeys.map((kind) => column.previous?.[kind] ?? 0)]
        : []),
    ]),
  ]
  const total = words.total(formatNumber(view.sums[first]))
  const describeColumn = (column: ChartColumn) => {
    const point = isOwn
      ? words.ownPoint(column.description, column.resolved)
      : words.point(column.description, column.came, column.resolved)
    return column.previous
      ? `${point}; ${words.earlier.point(formatDaySpan(column.previous), formatNumber(column.previous[first]))}`
      : point
  }
  return (
    <ReportCard
      title={title}
      line={before ? `${total} · ${words.was(formatNumber(before.sums[first]))}` : total}
      definition={<LazyMetricDefinition metric="perDay" />}
      rows={rows}
    >
      {view.sums.came + view.sums.resolved === 0 && <p className={classes.quiet}>{words.quiet}</p>}
      {/* biome-ignore lint/a11y/useSemanticElements: a group of bars is not a fieldset */}
      <div className={classes.chart} role="group" aria-label={`${title}. ${words.walk}`} onKeyDown={onKeyDown}>
        {[top, top / 2].map((tick) => (
          <span key={tick} className={classes.tick} style={{ bottom: `${(tick / top) * 100}%` }} aria-hidden="true">
            {formatNumber(tick)}
          </span>
        ))}
        <div className={classes.columns}>
          {columns.map((column, n) => (
            <button
              key={`${column.from} ${column.hour}`}
              type="button"
              className={classes.column}
              data-now={isToday(column, view) || undefined}
              {...point(n)}
              onClick={() =>
                onShow({ from: column.from, to: column.to, ...(column.hour !== null && { hour: column.hour }) })
              }
            >
              <span className={classes.pair} aria-hidden="true">
                {seriesKeys.map((kind, place) => (
                  <i
                    key={kind}
                    data-of={column[kind] > 0 ? barStyles[place] : undefined}
                    style={{ height: `${(column[kind] / top) * 100}%` }}
                  >
                    {place === 0 && columns.length <= maxBarsWithValues && column[kind] > 0 && (
                      <em>{formatNumber(column[kind])}</em>
                    )}
                  </i>
                ))}
              </span>
              <span
                className={classes.label}
                data-screen={n % every(maxBarLabels.phone) !== 0 || undefined}
                aria-hidden="true"
              >
                {n % every(maxBarLabels.screen) === 0 ? column.label : ''}
              </span>
              <span className={classes.tip}>{describeColumn(column)}</span>
            </button>
          ))}
          {before && (
            <svg
              className={classes.before}
              viewBox={`0 0 ${columns.length} 100`}
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              {/* The previous period is drawn twice: an outline in the background colour separates it from the bars. */}
              <path vectorEffect="non-scaling-stroke" d={stepLinePath(earlier, top)} />
              <path vectorEffect="non-scaling-stroke" d={stepLinePath(earlier, top)} />
            </svg>
          )}
        </div>
      </div>
      <ul className={classes.legend}>
        {seriesKeys.map((kind, n) => (
          <li key={kind} data-of={barStyles[n]}>
            {words[kind]}
          </li>
        ))}
        {before && <li data-of="before">{`${words.earlier[first]} (${formatDaySpan(before)})`}</li>}
      </ul>
    </ReportCard>
  )
}

const isToday = ({ from, to, hour }: ChartColumn, { today }: DashboardView) =>
  hour === null && from <= today && today <= to

/** Resolved tickets per agent. */
export function ResolvedPerAgent({ view, onShow }: { view: DashboardView; onShow: (userId: number) => void }) {
  const words = useTexts(texts)
  const people = view.attendants.toSorted((a, b) => b.resolved - a.resolved)
  const top = Math.max(1, ...people.map(({ resolved }) => resolved))
  return (
    <ReportCard
      title={words.perAgent}
      line={words.sameDays}
      definition={<LazyMetricDefinition metric="resolved" />}
      rows={[[words.name, words.resolved], ...people.map(({ name, resolved }) => [name, resolved])]}
    >
      {!people.length && <p className={classes.quiet}>{words.quiet}</p>}
      <ol className={classes.people}>
        {people.map(({ id, name, resolved }) => (
          <li key={id}>
            <button type="button" onClick={() => onShow(id)}>
              <span>{name}</span>
              <i aria-hidden="true">
                <b style={{ width: `${(resolved / top) * 100}%` }} />
              </i>
              <strong>{formatNumber(resolved)}</strong>
            </button>
          </li>
        ))}
      </ol>
    </ReportCard>
  )
}
