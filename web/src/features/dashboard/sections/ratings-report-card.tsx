import type { RatingCounts, RatingsReport } from '@recado/contract/dashboard/report-sections'
import { lazy, Suspense, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import cards from '../dashboard.module.css'
import { formatLongDay, groupIntoColumns } from '../metrics.ts'
import { ReportCard } from '../report-card.tsx'
import { useChartKeyboard } from '../use-chart-keyboard.ts'
import type { DashboardQuery } from '../use-dashboard-query.ts'
import { RatingItem } from './rating-item.tsx'
import { ScaleSummary } from './scale-summary.tsx'
import classes from './sections.module.css'
import type { ShowTickets } from './show-tickets.ts'
import { reportSectionTexts } from './texts.ts'

const countRatings = ({ one, two, three }: RatingCounts) => one + two + three
const averageOfRatings = (rates: RatingCounts) =>
  countRatings(rates) ? (rates.one + 2 * rates.two + 3 * rates.three) / countRatings(rates) : null
const formatAverage = (average: number | null) =>
  average === null ? '–' : formatNumber(Math.round(average * 10) / 10, 1)
const ratingKeys = ['three', 'two', 'one'] as const
/** About this many labels are shown under the bars; the others are left out. */
const maxBarLabels = 8

const RatingComments = lazy(() => import('./rating-comments.tsx').then((m) => ({ default: m.RatingComments })))

/** Ratings over time, and the comments. */
export function RatingsReportCard({
  ratings: { all, before, series, newest, scales },
  query,
  onShow,
}: {
  ratings: RatingsReport
  query: DashboardQuery
  onShow: ShowTickets
}) {
  const words = useTexts(reportSectionTexts)
  const [showsComments, setShowsComments] = useState(false)
  // Averages of different scales are never mixed.
  const isOnlyOfThree = scales.every(({ scale }) => scale === 3)
  const byDay = new Map(series.map((one) => [one.day, one]))
  const frames = groupIntoColumns({ series: series.map(({ day }) => ({ day, hour: null, came: 0, resolved: 0 })) })
  const columns = frames.map((frame) => {
    const rates = { one: 0, two: 0, three: 0 }
    for (const [day, one] of byDay)
      if (day >= frame.from && day <= frame.to) for (const kind of ratingKeys) rates[kind] += one[kind]
    return { ...frame, rates }
  })
  const { onKeyDown, point } = useChartKeyboard(columns.length)
  const every = Math.max(1, Math.ceil(columns.length / maxBarLabels))
  const rows = [
    [words.day, words.rates.three, words.rates.two, words.rates.one, words.average],
    ...columns.map(({ from, to, rates }) => [
      from === to ? formatLongDay(from) : `${formatLongDay(from)} – ${formatLongDay(to)}`,
      ...[rates.three, rates.two, rates.one],
      formatAverage(averageOfRatings(rates)),
    ]),
  ]
  const describeRates = (when: string, rates: RatingCounts) =>
    words.ratesOf(when, formatNumber(rates.three), formatNumber(rates.two), formatNumber(rates.one))
  return (
    <ReportCard
      title={words.ratings}
      line={words.answered(countRatings(all))}
      definition={words.means.ratings}
      rows={rows}
      headerNote={
        isOnlyOfThree && (
          <span className={classes.average}>
            <strong>{formatAverage(averageOfRatings(all))}</strong> {words.ofThree}
            {before && averageOfRatings(before) !== null && (
              <small>{words.was(formatAverage(averageOfRatings(before)))}</small>
            )}
          </span>
        )
      }
    >
      {!isOnlyOfThree && scales.map((one) => <ScaleSummary key={one.scale} report={one} />)}
      {!countRatings(all) && <p className={cards.quiet}>{words.unrated}</p>}
      {/* biome-ignore lint/a11y/useSemanticElements: a group of bars is not a fieldset */}
      <div className={classes.stacks} role="group" aria-label={`${words.ratings}. ${words.walk}`} onKeyDown={onKeyDown}>
        {columns.map(({ from, to, label, description: when, rates }, n) => (
          <button
            key={from}
            type="button"
            className={cards.column}
            {...point(n)}
            onClick={() => onShow({ kind: 'rate', from, to })}
          >
            <span className={classes.stack} aria-hidden="true">
              {ratingKeys.map(
                (kind) => rates[kind] > 0 && <i key={kind} data-of={kind} style={{ flexGrow: rates[kind] }} />,
              )}
            </span>
            <span className={cards.label} aria-hidden="true">
              {n % every === 0 ? label : ''}
            </span>
            <span className={cards.tip}>{describeRates(when, rates)}</span>
          </button>
        ))}
      </div>
      <ul className={`${cards.legend} ${classes.legend}`}>
        {ratingKeys.map((kind) => (
          <li key={kind} data-of={kind}>
            {words.rates[kind]} {formatNumber(all[kind])}
          </li>
        ))}
      </ul>
      <ul className={classes.comments} hidden={!newest.length}>
        {newest.slice(0, 4).map((rating) => (
          <RatingItem key={rating.id} rating={rating} />
        ))}
      </ul>
      {newest.some(({ comment }) => comment) && (
        <p className={classes.more}>
          <button type="button" className={classes.link} onClick={() => setShowsComments(true)}>
            {words.allComments}
          </button>
        </p>
      )}
      {showsComments && (
        <Suspense fallback={null}>
          <RatingComments query={query} onClose={() => setShowsComments(false)} />
        </Suspense>
      )}
    </ReportCard>
  )
}
