import { planSending, sendingWindowsBetween } from '@recado/contract/campaigns/pace'
import { describe, expect, test } from 'vitest'
import { buildDayCharts } from './day-charts.ts'

const zone = 'America/Argentina/Buenos_Aires'
const working = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const
const week = working.flatMap((weekdayEn) => [
  { weekday: '', weekdayEn, startTime: '09:00', endTime: '13:00' },
  { weekday: '', weekdayEn, startTime: '15:00', endTime: '19:00' },
])
const calendar = { week, holidays: [], zone }
const pace = { messageInterval: 60, longerIntervalAfter: 0, greaterInterval: 0 }
const line = { perMinute: null, caps: [null], sentToday: 0, ahead: 0 }
/** A Thursday, 10:00 local time. */
const from = new Date('2026-11-19T13:00:00Z')
const planFor = (count: number, dailyLimit: number) => planSending({ count, from, calendar, pace, dailyLimit, line })

describe('day charts of a sending plan', () => {
  test('show nothing to send at night, at noon and on the weekend, but include every person', () => {
    const plan = planFor(1000, 0)
    const {
      rows,
      firstMinute: first,
      lastMinute: last,
    } = buildDayCharts(
      plan.days.map(({ day }) => day),
      calendar,
      plan,
      null,
    )
    expect([first, last]).toEqual([9 * 60, 19 * 60])
    expect(rows.map(({ day }) => day)).toEqual(['2026-11-19', '2026-11-20', '2026-11-23'])
    const atNoon = rows.flatMap(({ bars }) => bars.filter(({ at }) => at >= 13 * 60 && at < 15 * 60))
    expect(atNoon.every(({ now }) => now === 0)).toBe(true)
    const all = rows.flatMap(({ bars }) => bars).reduce((sum, { now }) => sum + now, 0)
    expect(all).toBeCloseTo(1000, 6)
    expect(rows[0]?.open).toEqual([
      { from: 9 * 60, until: 13 * 60 },
      { from: 15 * 60, until: 19 * 60 },
    ])
  })

  test('leave out the people who do not fit into the days that a plan looks ahead', () => {
    const tight = planSending({ count: 1000, from, calendar, pace, dailyLimit: 0, line: { ...line, caps: [3, 2] } })
    expect(tight.unplanned).toBeGreaterThan(0)
    expect(tight.unplanned + tight.days.reduce((sum, { count }) => sum + count, 0)).toBe(1000)
    expect(planFor(1000, 0).unplanned).toBe(0)
  })

  test('mark days that reached their limit, and show the plan before the change', () => {
    const [now, before] = [planFor(500, 200), planFor(500, 0)]
    expect(now.days.map(({ count, full }) => [count, full])).toEqual([
      [200, true],
      [200, true],
      [100, false],
    ])
    expect(now.overLimit).toBe(300)
    const { rows } = buildDayCharts(
      now.days.map(({ day }) => day),
      calendar,
      now,
      before,
    )
    const sums = rows.map(({ bars }) => Math.round(bars.reduce((sum, bar) => sum + bar.before, 0)))
    expect(sums).toEqual(
      before.days
        .map(({ count }) => count)
        .concat(0)
        .slice(0, 3),
    )
  })

  test('allow sending at any time when no hours are set, and join two adjacent ranges', () => {
    const always = sendingWindowsBetween({ ...calendar, week: [] }, from, new Date(from.getTime() + 3 * 86_400_000))
    expect(always).toHaveLength(1)
  })
})
