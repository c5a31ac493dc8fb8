import type { DashboardView, DurationPercentiles, ReportFactKind } from '@recado/contract/dashboard/dashboard'
import {
  IconArrowRight,
  IconCircleCheck,
  IconClockHour4,
  IconHourglass,
  IconMessages,
  IconTrendingDown,
  IconTrendingUp,
  IconUserPlus,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import classes from './dashboard.module.css'
import type { DefinedMetric } from './metric-definition.tsx'
import { LazyMetricDefinition, MetricInfo } from './metric-info.tsx'
import {
  averageFirstAnswer,
  averageNextAnswer,
  averageRating,
  averageTalkTime,
  averageWait,
  formatDuration,
  formatPercent,
} from './metrics.ts'
import { type DashboardTexts, texts } from './texts.ts'
import { useNowEverySecond } from './use-now-every-second.ts'
import { useReportAudience } from './use-report-audience.ts'

type OnShowTickets = (kind: ReportFactKind) => void
type Props = { view: DashboardView; onShow: OnShowTickets }

const icon = { size: 17, stroke: 1.75, 'aria-hidden': true } as const

/** The six main counters. */
export function MainCounters({ view, onShow }: Props) {
  const words = useTexts(texts)
  const { now, sums, before, attendants } = view
  // New contacts are counted for the whole company: users with a partial view see the answer time instead.
  const { seesCompany, isAgent } = useReportAudience()
  return (
    <section className={classes.counters} data-own={isAgent || undefined} aria-label={words.counters}>
      <Counter
        name="open"
        icon={<IconMessages {...icon} />}
        value={formatNumber(now.open)}
        onShow={() => onShow('open')}
      >
        {!isAgent && words.online(attendants.filter(({ online }) => online).length)}
      </Counter>
      {/* Pending tickets are not counted here, because they are not assigned to anyone yet. */}
      {!isAgent && (
        <Counter
          name="pending"
          icon={<IconHourglass {...icon} />}
          value={formatNumber(now.pending)}
          onShow={() => onShow('pending')}
        >
          {now.oldestAt ? <OldestWait since={now.oldestAt} /> : words.nobodyWaits}
        </Counter>
      )}
      <Counter
        name="resolved"
        icon={<IconCircleCheck {...icon} />}
        value={formatNumber(sums.resolved)}
        onShow={() => onShow('resolved')}
      >
        <ChangeFromBefore current={sums.resolved} previous={before?.sums.resolved} increaseIs="good" />
      </Counter>
      {seesCompany ? (
        <Counter
          name="contacts"
          icon={<IconUserPlus {...icon} />}
          value={formatNumber(view.newContacts)}
          to="/contacts"
        >
          <ChangeFromBefore current={view.newContacts} previous={before?.newContacts} increaseIs="good" />
        </Counter>
      ) : (
        <Counter
          name="answer"
          icon={<IconClockHour4 {...icon} />}
          value={formatDuration(averageFirstAnswer(sums))}
          onShow={() => onShow('answer')}
        >
          <MedianAndPercentile percentiles={view.answer} />
          <ChangeFromBefore
            current={averageFirstAnswer(sums)}
            previous={before && averageFirstAnswer(before.sums)}
            increaseIs="bad"
            format={formatDuration}
          />
        </Counter>
      )}
      <Counter
        name="talk"
        icon={<IconClockHour4 {...icon} />}
        value={formatDuration(averageTalkTime(sums))}
        onShow={() => onShow('talk')}
      >
        <MedianAndPercentile percentiles={view.talk} />
        <ChangeFromBefore
          current={averageTalkTime(sums)}
          previous={before && averageTalkTime(before.sums)}
          increaseIs="bad"
          format={formatDuration}
        />
      </Counter>
      <Counter
        name="wait"
        icon={<IconHourglass {...icon} />}
        value={formatDuration(averageWait(sums))}
        onShow={() => onShow('wait')}
      >
        <MedianAndPercentile percentiles={view.wait} />
        <ChangeFromBefore
          current={averageWait(sums)}
          previous={before && averageWait(before.sums)}
          increaseIs="bad"
          format={formatDuration}
        />
      </Counter>
    </section>
  )
}

/** Shows the longest wait. It grows with the clock, not with events, so it is re-rendered every second. */
function OldestWait({ since }: { since: string }) {
  const words = useTexts(texts)
  const waited = (useNowEverySecond() - Date.parse(since)) / 1000
  return <span data-mood="warn">{words.oldest(formatDuration(Math.max(0, waited)))}</span>
}

const formatRating = (rate: number) => formatNumber(Math.round(rate * 10) / 10, 1)
const arrivedFacts = ['came', 'again', 'transferred'] as const
const handedOverFacts = ['transferred', 'returned'] as const

/** Counters of the second row. */
export function SecondaryCounters({ view: { sums, before, answer, next }, onShow }: Props) {
  const words = useTexts(texts)
  const { seesCompany, isAgent } = useReportAudience()
  const rate = averageRating(sums)
  const ratedBefore = before && averageRating(before.sums)
  // An agent's report has no arrivals and no bot results; users with a partial view already see the answer time in the
  // first row.
  const counted = isAgent ? handedOverFacts : seesCompany ? arrivedFacts : [...arrivedFacts, 'returned' as const]
  return (
    <section className={classes.counters} data-small data-own={isAgent || undefined} aria-label={words.counters}>
      {counted.map((name) => (
        <Counter key={name} name={name} value={formatNumber(sums[name])} onShow={() => onShow(name)}>
          <ChangeFromBefore
            current={sums[name]}
            previous={before?.sums[name]}
            increaseIs={name === 'came' ? 'good' : 'bad'}
          />
        </Counter>
      ))}
      <Counter
        name="once"
        value={`${formatNumber(sums.once)} · ${formatPercent(sums.once, sums.resolved)}`}
        onShow={() => onShow('once')}
      >
        <ChangeFromBefore current={sums.once} previous={before?.sums.once} increaseIs="good" />
      </Counter>
      {seesCompany && (
        <Counter name="answer" value={formatDuration(averageFirstAnswer(sums))} onShow={() => onShow('answer')}>
          <MedianAndPercentile percentiles={answer} />
          <ChangeFromBefore
            current={averageFirstAnswer(sums)}
            previous={before && averageFirstAnswer(before.sums)}
            increaseIs="bad"
            format={formatDuration}
          />
        </Counter>
      )}
      <Counter name="next" value={formatDuration(averageNextAnswer(sums))} onShow={() => onShow('next')}>
        <MedianAndPercentile percentiles={next} />
        <ChangeFromBefore
          current={averageNextAnswer(sums)}
          previous={before && averageNextAnswer(before.sums)}
          increaseIs="bad"
          format={formatDuration}
        />
      </Counter>
      {!isAgent && (
        <Counter
          name="alone"
          value={`${formatNumber(sums.alone)} · ${formatPercent(sums.alone, sums.resolved)}`}
          onShow={() => onShow('alone')}
        >
          <ChangeFromBefore current={sums.alone} previous={before?.sums.alone} increaseIs="good" />
        </Counter>
      )}
      <Counter name="rating" value={rate === null ? '–' : formatRating(rate)} onShow={() => onShow('rate')}>
        {words.ofThree(sums.rated)}
        {ratedBefore !== null && <span>{words.was(formatRating(ratedBefore))}</span>}
      </Counter>
    </section>
  )
}

type CounterProps = {
  name: DefinedMetric & keyof DashboardTexts
  icon?: ReactNode
  value: string
  onShow?: () => void
  /** The screen that the number links to. */
  to?: '/contacts'
  children?: ReactNode
}

/** A figure, its definition behind an (i), and its tickets on a click. */
function Counter({ name, icon, value, onShow, to, children }: CounterProps) {
  const words = useTexts(texts)
  return (
    <div className={classes.counter}>
      <span className={classes.name}>
        {icon}
        <span>{words[name]}</span>
        <MetricInfo metricName={words[name]}>
          <LazyMetricDefinition metric={name} />
        </MetricInfo>
      </span>
      {onShow ? (
        <button type="button" className={classes.value} aria-label={`${words[name]}: ${value}`} onClick={onShow}>
          {value}
        </button>
      ) : to ? (
        <Link to={to} className={classes.value} aria-label={`${words[name]}: ${value}`}>
          {value}
        </Link>
      ) : (
        <b className={classes.value}>{value}</b>
      )}
      <span className={classes.under}>{children}</span>
    </div>
  )
}

/** The median and the 90th percentile, each without a line break. */
function MedianAndPercentile({ percentiles: { median, ninety } }: { percentiles: DurationPercentiles }) {
  const words = useTexts(texts)
  if (median === null) return null
  return (
    <span className={classes.pieces}>
      <span>{words.median(formatDuration(median))}</span> <span>{words.ninety(formatDuration(ninety))}</span>
    </span>
  )
}

type ChangeProps = {
  current: number | null
  previous: number | null | undefined
  /** Whether an increase is good or bad: the colour depends on that, not on the direction. */
  increaseIs: 'good' | 'bad'
  format?: (value: number) => string
}

function ChangeFromBefore({ current: now, previous: before, increaseIs, format = formatNumber }: ChangeProps) {
  const words = useTexts(texts)
  if (before === null || before === undefined || now === null) return null
  const difference = now - before
  if (Math.round(difference) === 0)
    return (
      <span className={classes.change}>
        <IconArrowRight size={14} stroke={2} aria-hidden="true" /> {words.same}
      </span>
    )
  const Icon = difference > 0 ? IconTrendingUp : IconTrendingDown
  const sign = difference > 0 ? '+' : '−'
  const size = format === formatNumber ? formatChangeShare(Math.abs(difference), before) : format(Math.abs(difference))
  return (
    <span className={classes.change} data-mood={difference > 0 === (increaseIs === 'good') ? 'good' : 'bad'}>
      <Icon size={14} stroke={2} aria-hidden="true" /> {sign}
      {size} <small>{words.was(format(before))}</small>
    </span>
  )
}
const formatChangeShare = (difference: number, before: number) =>
  before ? `${formatNumber(Math.round((difference / before) * 100))} %` : formatNumber(difference)
