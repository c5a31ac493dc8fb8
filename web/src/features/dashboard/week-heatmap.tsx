import { SegmentedControl } from '@mantine/core'
import type { DashboardView } from '@recado/contract/dashboard/dashboard'
import { formatNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import classes from './dashboard.module.css'
import { LazyMetricDefinition } from './metric-info.tsx'
import { averageWait, formatDuration } from './metrics.ts'
import { ReportCard } from './report-card.tsx'
import { texts } from './texts.ts'
import { useCardSetting } from './use-card-setting.ts'

type HeatmapCell = DashboardView['week'][number]
/** `isOwn`: the report of one agent. It has no arrivals, only the waiting time of the tickets they accepted. */
type Props = {
  view: DashboardView
  isOwn: boolean
  onShow: (kind: 'came' | 'wait', weekday: number, hour: number) => void
}

const days = [1, 2, 3, 4, 5, 6, 7]

/** Weekday by hour as a real table, so that the figures are readable without colours. */
export function WeekHeatmap({ view, isOwn, onShow }: Props) {
  const words = useTexts(texts)
  const [chosen, setKind] = useCardSetting('heat')
  const kind = isOwn || chosen === 'wait' ? 'wait' : 'came'
  const worth = (cell: HeatmapCell | undefined) =>
    (cell && (kind === 'came' ? cell.came : (averageWait(cell) ?? 0))) || 0
  const formatValue = (value: number) => (kind === 'came' ? formatNumber(value) : formatDuration(value))
  const cells = new Map(view.week.map((cell) => [`${cell.weekday} ${cell.hour}`, cell]))
  const at = (weekday: number, hour: number) => worth(cells.get(`${weekday} ${hour}`))
  const busy = view.week.filter((cell) => worth(cell) > 0)
  const peak = busy.toSorted((a, b) => worth(b) - worth(a))[0]
  const maxValue = Math.max(1, peak ? worth(peak) : 0)
  // Quiet night hours are left out, but never hours of the working day.
  const first = Math.min(8, ...busy.map(({ hour }) => hour))
  const last = Math.max(19, ...busy.map(({ hour }) => hour))
  const hours = Array.from({ length: last - first + 1 }, (_, n) => first + n)
  const nameOf = (weekday: number, hour: number) => `${words.weekdays[weekday - 1]} ${hour}:00`
  const rows = [
    [words.day, words.hour, words.came, words.wait],
    ...view.week.map((cell) => [
      words.weekdays[cell.weekday - 1] ?? '',
      `${cell.hour}:00`,
      cell.came,
      cell.waits ? formatDuration(averageWait(cell)) : '',
    ]),
  ]
  return (
    <ReportCard
      title={words.week}
      line={kind === 'came' ? words.weekLine : words.weekWait}
      definition={<LazyMetricDefinition metric="week" />}
      rows={rows}
      tools={
        !isOwn && (
          <SegmentedControl
            size="xs"
            aria-label={words.week}
            value={kind}
            onChange={(value) => setKind(value === 'wait' ? value : undefined)}
            data={[
              { value: 'came', label: words.showCame },
              { value: 'wait', label: words.showWait },
            ]}
          />
        )
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className={classes.heat} aria-label={words.week} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <td />
              {hours.map((hour) => (
                <th key={hour} scope="col">
                  {hour}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((weekday) => (
              <tr key={weekday}>
                <th scope="row">{words.weekdays[weekday - 1]}</th>
                {hours.map((hour) => {
                  const value = at(weekday, hour)
                  const level = value ? Math.max(1, Math.ceil((value / maxValue) * 5)) : 0
                  const isPeak = peak?.weekday === weekday && peak.hour === hour
                  return (
                    <td key={hour} data-level={level} data-peak={isPeak || undefined}>
                      {value > 0 ? (
                        <button type="button" title={formatValue(value)} onClick={() => onShow(kind, weekday, hour)}>
                          <span className="rc-sr">{nameOf(weekday, hour)}: </span>
                          {kind === 'came' ? formatNumber(value) : formatShortDuration(value)}
                        </button>
                      ) : (
                        <span aria-hidden="true">·</span>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={classes.peak}>
        {peak ? words.peak(nameOf(peak.weekday, peak.hour), formatValue(worth(peak))) : words.quiet}
      </p>
    </ReportCard>
  )
}

/** Formats a duration in about three characters, because a cell has no more room. */
const formatShortDuration = (seconds: number): string =>
  seconds < 60
    ? `${Math.round(seconds)}s`
    : seconds < 3600
      ? `${Math.round(seconds / 60)}m`
      : `${Math.round(seconds / 3600)}h`
