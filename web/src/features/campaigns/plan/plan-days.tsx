import type { SendingPlan } from '@recado/contract/campaigns/pace'
import type { Calendar } from '@recado/contract/hours/opening'
import { toWallTime } from '@recado/contract/schedules/occurrences'
import { useMemo, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage, useTexts } from '../../../lib/texts.ts'
import classes from './campaign-plan-view.module.css'
import { buildDayCharts, type DayChartRow } from './day-charts.ts'
import { texts } from './texts.ts'

type Props = { sendingPlan: SendingPlan; previousPlan: SendingPlan | null; calendar: Calendar }

/** More days than this are collapsed. */
const maxShownDays = 7

/** How many messages are sent on each day and hour; the plan before a settings change is drawn faintly behind it. */
export function PlanDays({ sendingPlan: now, previousPlan: before, calendar }: Props) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  const [open, setOpen] = useState(false)
  const allDays = [...new Set([...now.days, ...(before?.days ?? [])].map(({ day }) => day))].sort()
  const days = open ? allDays : allDays.slice(0, maxShownDays)
  const key = days.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the days are new with every drawing, their names are not
  const hours = useMemo(() => buildDayCharts(days, calendar, now, before), [key, calendar, now, before])
  const format = new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
  const timeOf = (moment: string | null, day: string) => {
    const wall = moment && toWallTime(new Date(moment), calendar.zone)
    return wall?.startsWith(day) ? wall.slice(11, 16) : null
  }
  const noteOf = (day: string) => {
    const [from, until] = [timeOf(now.firstAt, day), timeOf(now.lastAt, day)]
    const is = now.days.find((one) => one.day === day)
    const was = before?.days.find((one) => one.day === day)
    const limit = is?.full && !until ? words.full : null
    const less = !is && was ? words.before(formatNumber(was.count)) : null
    return [from && words.from(from), until && words.until(until), limit, less].filter(Boolean).join('\n')
  }
  const toPercent = (minute: number) =>
    `${((minute - hours.firstMinute) / (hours.lastMinute - hours.firstMinute)) * 100}%`
  return (
    <>
      <ol className={classes.days}>
        {hours.rows.map((row) => (
          <li key={row.day}>
            <span className={classes.day}>{format.format(new Date(`${row.day}T12:00:00Z`))}</span>
            <DayChart row={row} hours={hours} />
            <span className={classes.count}>
              <b>{formatNumber(now.days.find(({ day }) => day === row.day)?.count ?? 0)}</b>
              <small>{noteOf(row.day)}</small>
            </span>
          </li>
        ))}
        <li className={classes.axis} aria-hidden="true">
          <span />
          <span>
            {hours.hourMarks.map((minute) => (
              <i key={minute} style={{ left: toPercent(minute) }}>
                {minute / 60}
              </i>
            ))}
          </span>
        </li>
      </ol>
      {allDays.length > maxShownDays && (
        <button type="button" className={classes.more} onClick={() => setOpen(!open)}>
          {open ? words.fewer : words.moreDays(allDays.length - maxShownDays)}
        </button>
      )}
      <ul className={classes.legend} aria-hidden="true">
        <li data-kind="open">{words.openHours}</li>
        <li data-kind="now">{hours.slotMinutes === 60 ? words.eachHour : words.eachHalf}</li>
        {before && <li data-kind="before">{words.beforeChange}</li>}
      </ul>
    </>
  )
}

const chartHeight = 100
/** Minimum height, so that even a single message is visible. */
const minBarHeight = 6
/** The earlier plan is not drawn where it is this close to the current bar. */
const ghostTolerance = 0.02

function DayChart({
  row,
  hours: { firstMinute: first, lastMinute: last, slotMinutes: slot, maxPerBar: most },
}: {
  row: DayChartRow
  hours: ReturnType<typeof buildDayCharts>
}) {
  const tall = (n: number) => Math.max(minBarHeight, (n / most) * (chartHeight - minBarHeight))
  return (
    <svg
      className={classes.hours}
      viewBox={`0 0 ${last - first} ${chartHeight}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {row.open.map(({ from, until }) => (
        <rect key={from} data-kind="open" x={from - first} width={until - from} y={0} height={chartHeight} />
      ))}
      {row.bars.map(({ at, now, before }) => (
        <g key={at}>
          {now > 0 && (
            <rect
              data-kind="now"
              x={at - first + slot * 0.06}
              width={slot * 0.88}
              y={chartHeight - tall(now)}
              height={tall(now)}
            />
          )}
          {before > 0 && Math.abs(before - now) > most * ghostTolerance && (
            <rect
              data-kind="before"
              x={at - first + slot * 0.06}
              width={slot * 0.88}
              y={chartHeight - tall(before)}
              height={tall(before)}
            />
          )}
        </g>
      ))}
    </svg>
  )
}
