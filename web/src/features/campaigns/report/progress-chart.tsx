import { useElementSize } from '@mantine/hooks'
import type { CampaignReport } from '@recado/contract/campaigns/campaigns'
import { formatDay, formatNumber, formatTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from './report.module.css'
import { texts } from './texts.ts'
import { createTimeAxis, type TimeAxis } from './time-axis.ts'

const chartLines = ['sent', 'read', 'answered'] as const
const chartHeight = 230
const [left, right, top, bottom] = [44, 16, 22, 26]

/** The progress over time, with the whole plan drawn behind it. */
export function ProgressChart({ report }: { report: CampaignReport }) {
  const words = useTexts(texts)
  const { ref, width } = useElementSize()
  const { curve, campaign } = report
  const last = curve.at(-1)
  return (
    <section className={classes.card} aria-label={words.curve}>
      <header className={classes.head}>
        <h2>{words.curve}</h2>
        {last && campaign.status === 'EM_ANDAMENTO' && <span>{describeProgress(last.sent - last.planned, words)}</span>}
      </header>
      <div ref={ref} className={classes.chart}>
        {curve.length < 2 || !last ? (
          <p className={classes.quiet}>{words.noCurve}</p>
        ) : (
          width > 0 && (
            <ProgressDrawing
              report={report}
              width={width}
              label={words.curveSaid(formatNumber(last.sent), formatNumber(last.planned))}
            />
          )
        )}
      </div>
      <ul className={classes.legend}>
        <li data-line="planned">{words.planned}</li>
        {chartLines.map((line) => (
          <li key={line} data-line={line}>
            {words.groups[line]}
            {last && <b>{formatNumber(campaign.counts[line])}</b>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function describeProgress(ahead: number, words: (typeof texts)['es']): string {
  if (ahead === 0) return words.onPlan
  return ahead > 0 ? words.ahead(formatNumber(ahead)) : words.behindPlan(formatNumber(-ahead))
}

const toTimeSpans = (all: { from: string; until: string }[]) =>
  all.map(({ from, until }) => ({ from: Date.parse(from), until: Date.parse(until) }))

/** The points of the planned curve, which rises in sending periods and is flat in between. */
function plannedPoints(plan: CampaignReport['plan'], from: number, until: number): [number, number][] {
  let sum = 0
  const steps = plan.flatMap((run): [number, number][] => {
    const before = sum
    sum += run.count
    return [
      [Date.parse(run.from), before],
      [Date.parse(run.until), sum],
    ]
  })
  return [[from, 0], ...steps, [until, sum]]
}

const toSvgPath = (points: [number, number][]) =>
  points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')

function ProgressDrawing({ report, width, label: said }: { report: CampaignReport; width: number; label: string }) {
  const words = useTexts(texts)
  const { curve, plan, open, campaign } = report
  const [from, now] = [Date.parse(curve[0]?.at ?? ''), Date.parse(curve.at(-1)?.at ?? '')]
  const until = Math.max(now, ...plan.map((run) => Date.parse(run.until)))
  const axis = createTimeAxis(toTimeSpans(open), { from, until }, width - left - right)
  const planned = plannedPoints(plan, from, until)
  const most = roundUp(Math.max(1, planned.at(-1)?.[1] ?? 0, ...curve.map((one) => one.sent)))
  const x = (moment: number) => left + axis.xOf(moment)
  const y = (n: number) => top + (1 - n / most) * (chartHeight - top - bottom)
  const planPath = toSvgPath(planned.map(([moment, n]) => [x(moment), y(n)]))
  const ticks = [0, 1 / 3, 2 / 3, 1].map((share) => Math.round(most * share))
  const last = curve.at(-1)
  const isLive = campaign.status === 'EM_ANDAMENTO'
  return (
    <svg width={width} height={chartHeight} role="img" aria-label={said}>
      {axis.gaps.map((one) => (
        <rect
          key={one.from}
          className={classes.closed}
          x={left + one.x}
          width={one.width}
          y={top}
          height={chartHeight - top - bottom}
        />
      ))}
      {[...new Set(ticks)].map((tick) => (
        <g key={tick}>
          <line className={classes.grid} x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
          <text className={classes.tick} x={left - 8} y={y(tick) + 4} textAnchor="end">
            {formatNumber(tick)}
          </text>
        </g>
      ))}
      {axisMarks(axis, width - left - right).map(({ at, label }, i, all) => (
        <text
          key={at}
          className={classes.tick}
          x={left + at}
          y={chartHeight - 8}
          textAnchor={at < 12 ? 'start' : i === all.length - 1 && at > width - left - right - 30 ? 'end' : 'middle'}
        >
          {label}
        </text>
      ))}
      <path className={classes.planArea} d={`${planPath}L${x(until)} ${y(0)}L${left} ${y(0)}Z`} />
      <path className={classes.planned} d={planPath} />
      {chartLines.map((line) => (
        <path
          key={line}
          className={classes.line}
          data-line={line}
          d={toSvgPath(curve.map((one) => [x(Date.parse(one.at)), y(one[line])]))}
        />
      ))}
      {isLive && last && (
        <>
          <line className={classes.now} x1={x(now)} x2={x(now)} y1={top - 4} y2={chartHeight - bottom} />
          <text
            className={classes.nowText}
            x={Math.min(Math.max(x(now), left + 36), width - right - 36)}
            y={top - 9}
            textAnchor="middle"
          >
            {words.now(formatTime(now))}
          </text>
          {chartLines.map((line) => (
            <circle key={line} className={classes.dot} data-line={line} cx={x(now)} cy={y(last[line])} r={4} />
          ))}
        </>
      )}
    </svg>
  )
}

/** Width of a day or time label. */
const labelWidth = 64

/** Labels for the starts of days or, on an axis within one day, for some times. */
function axisMarks(axis: TimeAxis, width: number): { at: number; label: string }[] {
  const begins = axis.open.filter((one, i) => i === 0 || formatDay(one.from) !== formatDay(axis.open[i - 1]?.from))
  if (begins.length < 2) {
    const n = width > 4 * labelWidth ? 4 : 2
    return Array.from({ length: n }, (_, i) => {
      const at = (i / (n - 1)) * width
      return { at, label: formatTime(axis.momentAt(at)) }
    })
  }
  const every = Math.ceil(begins.length / Math.max(1, Math.floor(width / labelWidth)))
  return begins.filter((_, i) => i % every === 0).map((one) => ({ at: one.x, label: formatDay(one.from).slice(0, 5) }))
}

/** Rounds up to a round number. */
function roundUp(n: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(n)) - 1)
  return Math.ceil(n / step / 3) * step * 3
}
