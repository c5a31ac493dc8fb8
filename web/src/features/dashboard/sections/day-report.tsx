import type { DashboardView } from '@recado/contract/dashboard/dashboard'
import {
  type AgentDay,
  type HourStaffing,
  reportSectionsApi,
  type StaffingDay,
} from '@recado/contract/dashboard/report-sections'
import type { ReactNode } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { MomentInput } from '../../../records/fields/moment-input.tsx'
import cards from '../dashboard.module.css'
import { formatLongDay, roundUpForAxis } from '../metrics.ts'
import { ReportCard } from '../report-card.tsx'
import { useCardSetting } from '../use-card-setting.ts'
import { useChartKeyboard } from '../use-chart-keyboard.ts'
import type { DashboardQuery } from '../use-dashboard-query.ts'
import { ReportSection } from './report-section.tsx'
import classes from './sections.module.css'
import type { ShowTickets } from './show-tickets.ts'
import {
  countMissingAgents,
  findWorstShortage,
  groupEqualQuarters,
  hoursToDraw,
  isNobodyNeeded,
} from './staffing-shortage.ts'
import { reportSectionTexts } from './texts.ts'

/** `isOwn`: the report of one agent, without arrivals or staffing. */
type Props = { address: DashboardQuery; view: DashboardView; isOwn: boolean; onShow: ShowTickets }

/** The past day with the most arrivals; for one agent, with the most resolved tickets. */
function findBusiestDay({ series, to, today }: DashboardView, isOwn: boolean): string {
  const worth = isOwn ? 'resolved' : 'came'
  const days = series.filter((one) => one.day < today && one[worth] > 0)
  const busiestDay = days.reduce<(typeof days)[number] | null>(
    (best, one) => (best && best[worth] >= one[worth] ? best : one),
    null,
  )
  return busiestDay?.day ?? (to < today ? to : today)
}
const isDay = (given: string | undefined): given is string => /^\d{4}-\d\d-\d\d$/.test(given ?? '')

/** One day by the hour: needed agents versus agents online, and each agent. */
export function DayReport({ address, view, isOwn, onShow }: Props) {
  const words = useTexts(reportSectionTexts)
  const [chosen, setChosen] = useCardSetting('day')
  const day = isDay(chosen) ? chosen : findBusiestDay(view, isOwn)
  const isOne = isOwn || address.userId !== undefined
  const { compare: _, days: _days, from: _from, to: _to, ...narrowed } = address
  const dayPicker = (
    <MomentInput
      kind="day"
      size="xs"
      aria-label={words.day}
      value={day}
      max={view.today}
      onChange={(next) => next && setChosen(next)}
    />
  )
  return (
    <ReportSection
      endpoint={reportSectionsApi.day}
      query={{ ...narrowed, day }}
      height={320}
      title={isOne ? words.dayLines : words.needs}
    >
      {(read) => (
        <>
          {!isOne && <StaffingChart day={read} dayPicker={dayPicker} onShow={onShow} />}
          <AgentTimelines day={read} dayPicker={isOne ? dayPicker : null} onShow={onShow} />
        </>
      )}
    </ReportSection>
  )
}

const formatHour = (hour: number) => `${hour}:00`

function StaffingChart({ day, dayPicker, onShow }: { day: StaffingDay; dayPicker: ReactNode; onShow: ShowTickets }) {
  const words = useTexts(reportSectionTexts)
  const hours = hoursToDraw(day.hours)
  const { onKeyDown, point } = useChartKeyboard(hours.length)
  const top = roundUpForAxis(Math.max(2, ...hours.map(({ needed, online }) => Math.max(needed, online))))
  const worst = findWorstShortage(hours)
  const hasPresence = day.agents.some(({ online }) => online.length > 0)
  const rows = [
    [words.hour, words.online, words.needed, words.missing, words.load],
    ...hours.map((one) => [formatHour(one.hour), one.online, one.needed, countMissingAgents(one), one.load]),
  ]
  const describeHour = (one: HourStaffing) =>
    words.need(formatHour(one.hour), formatNumber(one.online), formatNumber(one.needed))
  return (
    <ReportCard
      title={words.needs}
      line={formatLongDay(day.day)}
      definition={words.means.needs}
      rows={rows}
      tools={dayPicker}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a group of bars is not a fieldset */}
      <div
        className={`${cards.chart} ${classes.needs}`}
        role="group"
        aria-label={`${words.needs}. ${words.walk}`}
        onKeyDown={onKeyDown}
      >
        {[top, top / 2].map((tick) => (
          <span key={tick} className={cards.tick} style={{ bottom: `${(tick / top) * 100}%` }} aria-hidden="true">
            {formatNumber(tick)}
          </span>
        ))}
        <div className={cards.columns}>
          {hours.map((one, n) => (
            <button
              key={one.hour}
              type="button"
              className={cards.column}
              {...point(n)}
              onClick={() => onShow({ kind: 'came', from: day.day, to: day.day, hour: one.hour })}
            >
              <span className={classes.need} data-short={countMissingAgents(one) > 0 || undefined} aria-hidden="true">
                <i style={{ height: `${(one.needed / top) * 100}%` }}>
                  {countMissingAgents(one) > 0 && <em>−{formatNumber(countMissingAgents(one))}</em>}
                </i>
              </span>
              <span
                className={classes.there}
                style={{ bottom: `${(Math.round(one.online) / top) * 100}%` }}
                aria-hidden="true"
              />
              <span className={cards.label} aria-hidden="true">
                {one.hour}
              </span>
              <span className={cards.tip}>{describeHour(one)}</span>
            </button>
          ))}
        </div>
      </div>
      <ul className={`${cards.legend} ${classes.legend}`}>
        <li data-of="there">{words.online}</li>
        <li data-of="need">{words.needed}</li>
      </ul>
      <p className={cards.peak}>
        {isNobodyNeeded(hours)
          ? words.quiet
          : !hasPresence
            ? words.unknownPresence
            : `${worst ? words.lacked(worst.missing, String(worst.from), String(worst.until)) : words.enough} ${words.pace(day.perPerson)}`}
      </p>
    </ReportCard>
  )
}

const padTwoDigits = (n: number) => String(n).padStart(2, '0')
const formatMinute = (minute: number) => `${Math.floor(minute / 60)}:${padTwoDigits(minute % 60)}`
const sum = (numbers: number[]) => numbers.reduce((all, n) => all + n, 0)

/** A timeline per agent: online times, simultaneous tickets, and answers. */
function AgentTimelines({ day, dayPicker, onShow }: { day: StaffingDay; dayPicker: ReactNode; onShow: ShowTickets }) {
  const words = useTexts(reportSectionTexts)
  const minutes = day.agents.flatMap(({ online, atOnce }) => [
    ...online.flatMap(({ from, until }) => [from, until]),
    ...atOnce.flatMap((n, quarter) => (n ? [quarter * 15, quarter * 15 + 15] : [])),
  ])
  const from = Math.floor(Math.min(8 * 60, ...minutes) / 60) * 60
  const until = Math.ceil(Math.max(20 * 60, ...minutes) / 60) * 60
  const maxAtOnce = Math.max(1, ...day.agents.flatMap(({ atOnce }) => atOnce))
  const toPercent = (minute: number) => ((minute - from) / (until - from)) * 100
  const rows = [
    [
      words.agent,
      words.hour,
      words.minutesOnline,
      words.minutesOnBreak,
      words.minutesAway,
      words.atOnce,
      words.answers,
    ],
    ...day.agents.flatMap((agent) =>
      Array.from({ length: 24 }, (_, hour) => [
        ...[
          agent.name,
          formatHour(hour),
          minutesInHour(agent.online, hour),
          minutesInHour(absencesOf(agent, 'break'), hour),
          minutesInHour(absencesOf(agent, 'away'), hour),
          Math.max(...agent.atOnce.slice(hour * 4, hour * 4 + 4)),
        ],
        agent.answers[hour] ?? 0,
      ]).filter((row) => row.slice(2).some(Boolean)),
    ),
  ]
  const presenceText = (agent: AgentDay) => {
    const times = agent.online.map((one) => `${formatMinute(one.from)}–${formatMinute(one.until)}`).join(', ')
    const absent = (['break', 'away'] as const).map((kind) => [kind, countMinutes(absencesOf(agent, kind))] as const)
    const available = Math.max(0, countMinutes(agent.online) - sum(absent.map(([, n]) => n)))
    const states = [['available', available] as const, ...absent]
      .filter(([kind, n]) => n > 0 && (kind !== 'available' || agent.absences.length > 0))
      .map(([kind, n]) => words.timeIn[kind](formatMinute(n)))
    return [words.onlineAt(times || words.never), ...states].join('; ')
  }
  const did = ({ atOnce, answers }: AgentDay) =>
    words.short(formatNumber(Math.max(...atOnce)), formatNumber(sum(answers)))
  return (
    <ReportCard
      title={words.dayLines}
      line={`${formatLongDay(day.day)} · ${words.between(formatHour(from / 60), formatHour(until / 60))}`}
      definition={words.means.dayLines}
      rows={rows}
      tools={dayPicker}
    >
      {!day.agents.length && <p className={cards.quiet}>{words.nobodyThere}</p>}
      <ol className={classes.lines}>
        {day.agents.map((agent) => (
          <li key={agent.id}>
            <button
              type="button"
              title={`${agent.name}: ${presenceText(agent)}; ${did(agent)}`}
              onClick={() => onShow({ kind: 'talk', userId: agent.id, from: day.day, to: day.day })}
            >
              <span>{agent.name}</span>
              <i className={classes.track} aria-hidden="true">
                {agent.online.map((one) => (
                  <b
                    key={one.from}
                    style={{ left: `${toPercent(one.from)}%`, width: `${toPercent(one.until) - toPercent(one.from)}%` }}
                  />
                ))}
                {agent.absences.map((one) => (
                  <s
                    key={`${one.availability} ${one.from}`}
                    data-availability={one.availability}
                    style={{ left: `${toPercent(one.from)}%`, width: `${toPercent(one.until) - toPercent(one.from)}%` }}
                  />
                ))}
                {groupEqualQuarters(agent.atOnce).map((run) => (
                  <u
                    key={run.from}
                    style={{
                      left: `${toPercent(run.from)}%`,
                      width: `${toPercent(run.until) - toPercent(run.from)}%`,
                      height: `${(run.n / maxAtOnce) * 100}%`,
                    }}
                  />
                ))}
              </i>
              <span className="rc-sr">{presenceText(agent)}</span>
              <small>{did(agent)}</small>
            </button>
          </li>
        ))}
      </ol>
      {day.agents.length > 0 && (
        <div className={classes.axis} aria-hidden="true">
          <i>
            {hoursBetween(from / 60, until / 60).map((hour) => (
              <span key={hour} style={{ left: `${toPercent(hour * 60)}%` }}>
                {hour}
              </span>
            ))}
          </i>
        </div>
      )}
      <ul className={`${cards.legend} ${classes.legend}`}>
        <li data-of="online">{words.online}</li>
        {day.agents.some(({ absences }) => absences.length > 0) && <li data-of="absent">{words.absent}</li>}
        <li data-of="atOnce">{words.atOnce}</li>
      </ul>
    </ReportCard>
  )
}

/** Every second hour, and the first and last hour if they fit. */
const hoursBetween = (from: number, until: number): number[] =>
  Array.from({ length: Math.floor((until - from) / 2) + 1 }, (_, n) => from + n * 2)

const absencesOf = ({ absences }: AgentDay, availability: 'break' | 'away') =>
  absences.filter((one) => one.availability === availability)
const countMinutes = (spans: { from: number; until: number }[]): number => sum(spans.map((one) => one.until - one.from))
const minutesInHour = (spans: { from: number; until: number }[], hour: number): number =>
  sum(spans.map((one) => Math.max(0, Math.min(one.until, hour * 60 + 60) - Math.max(one.from, hour * 60))))
