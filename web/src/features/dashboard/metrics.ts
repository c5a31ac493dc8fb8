import type { DashboardView, ReportTotals } from '@recado/contract/dashboard/dashboard'
import { formatNumber } from '../../lib/format.ts'

/** Formats a duration in readable precision: 45 s, 2 min 40 s, 11 min, 1 h 52 min. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null) return '–'
  const rounded = Math.round(seconds)
  if (rounded < 60) return `${rounded} s`
  if (rounded < 600) {
    const rest = rounded % 60
    return rest ? `${Math.floor(rounded / 60)} min ${rest} s` : `${rounded / 60} min`
  }
  const minutes = Math.round(rounded / 60)
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return rest ? `${formatNumber(Math.floor(minutes / 60))} h ${rest} min` : `${formatNumber(minutes / 60)} h`
}

const average = (sum: number, n: number): number | null => (n ? sum / n : null)
export const averageWait = (sums: Pick<ReportTotals, 'waitSeconds' | 'waits'>) => average(sums.waitSeconds, sums.waits)
export const averageTalkTime = (sums: ReportTotals) => average(sums.talkSeconds, sums.talks)
export const averageFirstAnswer = (sums: ReportTotals) => average(sums.answerSeconds, sums.answers)
export const averageNextAnswer = (sums: ReportTotals) => average(sums.nextSeconds, sums.nexts)
export const averageRating = (sums: ReportTotals) => average(sums.rateSum, sums.rated)

/** A share as a percentage. */
export const formatPercent = (part: number, whole: number): string =>
  `${formatNumber(whole ? Math.round((part / whole) * 100) : 0)} %`

/** Formats a day as dd/MM; `formatLongDay` adds the year. */
export const formatShortDay = (day: string): string => day.slice(5).split('-').reverse().join('/')
export const formatLongDay = (day: string): string => day.split('-').reverse().join('/')

export type ChartColumn = {
  from: string
  to: string
  hour: number | null
  came: number
  resolved: number
  label: string
  description: string
  /** The column at the same position in the previous period: first day with first day. */
  previous: { from: string; to: string; came: number; resolved: number } | null
}

const mondayOf = (day: string): string => {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}
/** Maximum number of columns: above it days are grouped into weeks, and weeks into months. */
const maxColumns = { days: 62, weeks: 400 }

type SeriesView = Pick<DashboardView, 'series'> & {
  before?: Pick<NonNullable<DashboardView['before']>, 'series'> | null
}

/** The columns of the chart: hours, days, weeks or months, depending on the length of the period. */
export function groupIntoColumns({ series, before }: SeriesView): ChartColumn[] {
  const groupOf =
    series.length <= maxColumns.days
      ? (day: string) => day
      : series.length <= maxColumns.weeks
        ? mondayOf
        : (day: string) => day.slice(0, 7)
  const columns: (ChartColumn & { group: string })[] = []
  for (const [n, { day, hour, came, resolved }] of series.entries()) {
    const group = hour === null ? groupOf(day) : String(hour)
    const last = columns.at(-1)
    const then = before?.series[n]
    if (last?.group === group) {
      Object.assign(last, { to: day, came: last.came + came, resolved: last.resolved + resolved })
      if (then && last.previous)
        Object.assign(last.previous, {
          ...{ to: then.day, came: last.previous.came + then.came, resolved: last.previous.resolved + then.resolved },
        })
      last.description = `${formatShortDay(last.from)} – ${formatShortDay(day)}`
    } else
      columns.push({
        ...{ group, from: day, to: day, hour, came, resolved },
        label:
          hour === null
            ? group.length === 7
              ? `${group.slice(5)}/${group.slice(2, 4)}`
              : formatShortDay(day)
            : String(hour),
        description: hour === null ? formatLongDay(day) : `${hour}:00`,
        previous: then ? { from: then.day, to: then.day, came: then.came, resolved: then.resolved } : null,
      })
  }
  return columns
}

/** A day, or a range of days. */
export const formatDaySpan = ({ from, to }: { from: string; to: string }): string =>
  from === to ? formatLongDay(from) : `${formatLongDay(from)} – ${formatLongDay(to)}`

/** A step line over the columns, with height 100 and one unit of width per column. */
export const stepLinePath = (values: number[], top: number): string =>
  values.map((value, n) => `${n ? 'V' : 'M0 '}${100 - (value / top) * 100}H${n + 1}`).join('')

/** Rounds up for the top of an axis, to an even number, so that half of it can be a label. */
export function roundUpForAxis(n: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(n, 1)))
  const steps = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10]
    .map((step) => step * power)
    .filter((top) => Number.isInteger(top / 2))
  return steps.find((top) => top >= n) ?? 10 * power
}

/** Writes CSV for spreadsheet programs: with a BOM for accents, and without formulas. */
export const toSpreadsheetCsv = (rows: (string | number)[][]): string =>
  `\uFEFF${rows.map((row) => row.map(csvCell).join(';')).join('\r\n')}\r\n`
const csvCell = (value: string | number): string => {
  const text = typeof value === 'number' ? String(value) : value.replace(/^(?=[=+\-@\t\r])/, "'")
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
