import { describe, expect, it } from 'vitest'
import {
  formatDaySpan,
  formatDuration,
  groupIntoColumns,
  roundUpForAxis,
  stepLinePath,
  toSpreadsheetCsv,
} from './metrics.ts'

const days = (n: number) =>
  Array.from({ length: n }, (_, i) => ({
    day: new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10),
    hour: null,
    came: 1,
    resolved: 2,
  }))

describe('chart formatting', () => {
  it('shows durations in readable units', () => {
    expect([null, 0, 59, 60, 160, 659, 6720, 7200].map(formatDuration)).toEqual([
      ...['–', '0 s', '59 s', '1 min', '2 min 40 s', '11 min', '1 h 52 min', '2 h'],
    ])
    // Half of the top value is a whole number too, so that the axis can have a second label.
    expect([0, 1, 5, 7, 73, 140, 1284].map(roundUpForAxis)).toEqual([2, 2, 6, 8, 80, 160, 1600])
  })

  it('groups days into weeks and months when there are too many, without losing any day', () => {
    expect(
      groupIntoColumns({ series: days(31) })
        .map(({ label }) => label)
        .slice(0, 2),
    ).toEqual(['01/01', '02/01'])
    const weeks = groupIntoColumns({ series: days(90) })
    // 1 January 2026 is a Thursday.
    expect(weeks[0]).toMatchObject({ from: '2026-01-01', to: '2026-01-04', came: 4, resolved: 8 })
    expect(weeks[1]).toMatchObject({ from: '2026-01-05', to: '2026-01-11', came: 7, description: '05/01 – 11/01' })
    expect(
      groupIntoColumns({ series: days(800) })
        .map(({ label }) => label)
        .slice(0, 2),
    ).toEqual(['01/26', '02/26'])
    for (const n of [31, 90, 800])
      expect(groupIntoColumns({ series: days(n) }).reduce((sum, { came }) => sum + came, 0)).toBe(n)
    expect(groupIntoColumns({ series: [{ day: '2026-01-01', hour: 9, came: 3, resolved: 0 }] })[0]).toMatchObject({
      label: '9',
      description: '9:00',
    })
  })
})

it('aligns the previous period with the current one day by day, and draws it as steps', () => {
  const series = days(90)
  const weeks = groupIntoColumns({ series, before: { series: series.map((one) => ({ ...one, came: 3 })) } })
  expect(weeks[1]?.previous).toEqual({ from: '2026-01-05', to: '2026-01-11', came: 21, resolved: 14 })
  expect(weeks.reduce((sum, { previous }) => sum + (previous?.came ?? 0), 0)).toBe(270)
  expect(groupIntoColumns({ series, before: null })[0]?.previous).toBeNull()
  expect(stepLinePath([0, 5, 10], 10)).toBe('M0 100H1V50H2V0H3')
  expect([
    formatDaySpan({ from: '2026-01-05', to: '2026-01-05' }),
    formatDaySpan({ from: '2026-01-05', to: '2026-01-11' }),
  ]).toEqual(['05/01/2026', '05/01/2026 – 11/01/2026'])
})

it('writes no formula into a spreadsheet file', () => {
  expect(
    toSpreadsheetCsv([
      ['Día', 'a;b'],
      ['=1+1', 2],
    ]),
  ).toBe('\uFEFFDía;"a;b"\r\n\'=1+1;2\r\n')
})
