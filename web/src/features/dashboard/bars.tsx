import type { DashboardView } from '@recado/contract/dashboard/dashboard'
import { number } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { Card } from './card.tsx'
import classes from './dashboard.module.css'
import { Means } from './meaning.tsx'
import { type Column, columnsOf, roundUp, spanOf, stepsOver } from './measure.ts'
import { texts, type Words } from './texts.ts'
import { useWalk } from './use-walk.ts'

type Range = { from: string; to: string; hour?: number | undefined }
/** `isOwn`: of one person, to whom nothing comes, since it is nobody's until they take it. */
type Props = { view: DashboardView; isOwn: boolean; onShow: (range: Range) => void }

/** Full, and with a frame: told apart without their colours. */
const looks = ['full', 'framed'] as const
/** Figures on top of the bars fit up to here. */
const roomForValues = 31
/** Names under them are left out so that about so many stay. */
const roomForNames = { screen: 16, phone: 6 }

function titleOf(columns: Column[], { series }: DashboardView, words: Words): string {
  if (series[0]?.hour !== null) return words.perHour
  if (columns.length === series.length) return words.perDay
  return columns[0]?.label.includes('/') && series.length > 400 ? words.perMonth : words.perWeek
}

/** Conversations that began, by the day or by the hour. One bar at a time is walked to with the keyboard. */
export function Bars({ view, isOwn, onShow }: Props) {
  const words = useTexts(texts)
  const columns = columnsOf(view)
  const title = titleOf(columns, view, words)
  const { onKeyDown, point } = useWalk(columns.length)
  const shown = isOwn ? (['resolved'] as const) : (['came', 'resolved'] as const)
  const [first] = shown
  const earlier = columns.flatMap(({ before }) => (before ? before[first] : []))
  const top = roundUp(Math.max(1, ...earlier, ...columns.map(({ came, resolved }) => Math.max(came, resolved))))
  const hourly = view.series[0]?.hour !== null
  const every = (room: number) => Math.max(1, Math.ceil(columns.length / room))
  const { before } = view
  const rows = [
    [
      ...[hourly ? words.hour : words.day, ...shown.map((kind) => words[kind])],
      ...(before ? [words.earlier.days, ...shown.map((kind) => words.earlier[kind])] : []),
    ],
    ...columns.map((column) => [
      ...[column.hour === null ? spanOf(column) : column.said, ...shown.map((kind) => column[kind])],
      ...(column.before ? [spanOf(column.before), ...shown.map((kind) => column.before?.[kind] ?? 0)] : []),
    ]),
  ]
  const total = words.total(number(view.sums[first]))
  const said = (column: Column) => {
    const point = isOwn
      ? words.ownPoint(column.said, column.resolved)
      : words.point(column.said, column.came, column.resolved)
    return column.before
      ? `${point}; ${words.earlier.point(spanOf(column.before), number(column.before[first]))}`
      : point
  }
  return (
    <Card
      title={title}
      line={before ? `${total} · ${words.was(number(before.sums[first]))}` : total}
      means={<Means of="perDay" />}
      rows={rows}
    >
      {view.sums.came + view.sums.resolved === 0 && <p className={classes.quiet}>{words.quiet}</p>}
      {/* biome-ignore lint/a11y/useSemanticElements: a group of bars is no fieldset */}
      <div className={classes.chart} role="group" aria-label={`${title}. ${words.walk}`} onKeyDown={onKeyDown}>
        {[top, top / 2].map((tick) => (
          <span key={tick} className={classes.tick} style={{ bottom: `${(tick / top) * 100}%` }} aria-hidden="true">
            {number(tick)}
          </span>
        ))}
        <div className={classes.columns}>
          {columns.map((column, n) => (
            <button
              key={`${column.from} ${column.hour}`}
              type="button"
              className={classes.column}
              data-now={isNow(column, view) || undefined}
              {...point(n)}
              onClick={() =>
                onShow({ from: column.from, to: column.to, ...(column.hour !== null && { hour: column.hour }) })
              }
            >
              <span className={classes.pair} aria-hidden="true">
                {shown.map((kind, place) => (
                  <i
                    key={kind}
                    data-of={column[kind] > 0 ? looks[place] : undefined}
                    style={{ height: `${(column[kind] / top) * 100}%` }}
                  >
                    {place === 0 && columns.length <= roomForValues && column[kind] > 0 && (
                      <em>{number(column[kind])}</em>
                    )}
                  </i>
                ))}
              </span>
              <span
                className={classes.label}
                data-screen={n % every(roomForNames.phone) !== 0 || undefined}
                aria-hidden="true"
              >
                {n % every(roomForNames.screen) === 0 ? column.label : ''}
              </span>
              <span className={classes.tip}>{said(column)}</span>
            </button>
          ))}
          {before && (
            <svg
              className={classes.before}
              viewBox={`0 0 ${columns.length} 100`}
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              {/* Twice: a line in the colour of the ground lifts it off the bars. */}
              <path vectorEffect="non-scaling-stroke" d={stepsOver(earlier, top)} />
              <path vectorEffect="non-scaling-stroke" d={stepsOver(earlier, top)} />
            </svg>
          )}
        </div>
      </div>
      <ul className={classes.legend}>
        {shown.map((kind, n) => (
          <li key={kind} data-of={looks[n]}>
            {words[kind]}
          </li>
        ))}
        {before && <li data-of="before">{`${words.earlier[first]} (${spanOf(before)})`}</li>}
      </ul>
    </Card>
  )
}

const isNow = ({ from, to, hour }: Column, { today }: DashboardView) => hour === null && from <= today && today <= to

/** How many each person resolved. */
export function PerAgent({ view, onShow }: { view: DashboardView; onShow: (userId: number) => void }) {
  const words = useTexts(texts)
  const people = view.attendants.toSorted((a, b) => b.resolved - a.resolved)
  const top = Math.max(1, ...people.map(({ resolved }) => resolved))
  return (
    <Card
      title={words.perAgent}
      line={words.sameDays}
      means={<Means of="resolved" />}
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
              <strong>{number(resolved)}</strong>
            </button>
          </li>
        ))}
      </ol>
    </Card>
  )
}
