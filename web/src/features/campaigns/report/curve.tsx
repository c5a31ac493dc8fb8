import { useElementSize } from '@mantine/hooks'
import type { CampaignReport } from '@recado/contract/campaigns/campaigns'
import { day, number, time } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from './report.module.css'
import { texts } from './texts.ts'

type Points = CampaignReport['curve']
const lines = ['sent', 'read', 'answered'] as const
const height = 220
const [left, right, top, bottom] = [44, 12, 10, 26]

/** How it went over time, and behind it what was planned. */
export function Curve({ curve }: { curve: Points }) {
  const words = useTexts(texts)
  const { ref, width } = useElementSize()
  const last = curve.at(-1)
  return (
    <section className={classes.card} aria-label={words.curve}>
      <header className={classes.head}>
        <h2>{words.curve}</h2>
        {last && <span>{verdict(last.sent - last.planned, words)}</span>}
      </header>
      <div ref={ref} className={classes.chart}>
        {curve.length < 2 || !last ? (
          <p className={classes.quiet}>{words.noCurve}</p>
        ) : (
          width > 0 && (
            <Drawn curve={curve} width={width} said={words.curveSaid(number(last.sent), number(last.planned))} />
          )
        )}
      </div>
      <ul className={classes.legend}>
        <li data-line="planned">{words.planned}</li>
        {lines.map((line) => (
          <li key={line} data-line={line}>
            {words.groups[line]}
            {last && <b>{number(last[line])}</b>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function verdict(ahead: number, words: (typeof texts)['es']): string {
  if (ahead === 0) return words.onPlan
  return ahead > 0 ? words.ahead(number(ahead)) : words.behindPlan(number(-ahead))
}

function Drawn({ curve, width, said }: { curve: Points; width: number; said: string }) {
  const [from, until] = [Date.parse(curve[0]?.at ?? ''), Date.parse(curve.at(-1)?.at ?? '')]
  const most = roundUp(Math.max(1, ...curve.map((one) => Math.max(one.planned, one.sent))))
  const x = (at: string) => left + ((Date.parse(at) - from) / Math.max(1, until - from)) * (width - left - right)
  const y = (n: number) => top + (1 - n / most) * (height - top - bottom)
  const path = (of: 'planned' | (typeof lines)[number]) =>
    curve.map((one, i) => `${i === 0 ? 'M' : 'L'}${x(one.at).toFixed(1)} ${y(one[of]).toFixed(1)}`).join('')
  const area = `${path('planned')}L${x(curve.at(-1)?.at ?? '')} ${y(0)}L${left} ${y(0)}Z`
  const ticks = [0, 1 / 3, 2 / 3, 1].map((share) => Math.round(most * share))
  const moments = [0, 0.5, 1].map((share) => from + (until - from) * share)
  const isLong = until - from > 86_400_000
  return (
    <svg width={width} height={height} role="img" aria-label={said}>
      {[...new Set(ticks)].map((tick) => (
        <g key={tick}>
          <line className={classes.grid} x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
          <text className={classes.tick} x={left - 8} y={y(tick) + 4} textAnchor="end">
            {number(tick)}
          </text>
        </g>
      ))}
      {moments.map((moment, i) => (
        <text
          key={moment}
          className={classes.tick}
          x={left + (i / 2) * (width - left - right)}
          y={height - 6}
          textAnchor={i === 0 ? 'start' : i === 1 ? 'middle' : 'end'}
        >
          {isLong ? `${day(moment).slice(0, 5)} ${time(moment)}` : time(moment)}
        </text>
      ))}
      <path className={classes.planned} d={area} />
      {lines.map((line) => (
        <path key={line} className={classes.line} data-line={line} d={path(line)} />
      ))}
    </svg>
  )
}

/** To a number that people count in. */
function roundUp(n: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(n)) - 1)
  return Math.ceil(n / step / 3) * step * 3
}
