import { describe, expect, it } from 'vitest'
import {
  addDays,
  formatCalendarDay,
  formatCalendarTitle,
  formatShortMoment,
  getFirstWeekday,
  getVisibleDays,
  layOutSideBySide,
  stepCalendar,
  wallTimeAt,
} from './calendar.ts'

describe('calendar days', () => {
  it('are whole weeks, starting on the first weekday of the reader’s locale', () => {
    expect(getFirstWeekday('es', ['es-AR'])).toBe(0)
    expect(getFirstWeekday('pt', ['es-AR', 'pt-BR'])).toBe(6)
    expect(getFirstWeekday('en', [])).toBe(6)
    expect(getVisibleDays('week', '2026-11-12', 0)).toEqual(
      Array.from({ length: 7 }, (_, n) => addDays('2026-11-09', n)),
    )
    expect(getVisibleDays('week', '2026-11-15', 6)[0]).toBe('2026-11-15')
    const month = getVisibleDays('month', '2026-11-12', 0)
    expect([month[0], month.at(-1), month.length]).toEqual(['2026-10-26', '2026-12-06', 42])
    // A February of exactly four weeks.
    expect(getVisibleDays('month', '2027-02-01', 0)).toHaveLength(28)
  })

  it('move by a day, week or month, across the ends of months and years', () => {
    expect(stepCalendar('month', '2026-01-31', 1)).toBe('2026-02-28')
    expect(stepCalendar('month', '2026-01-15', -1)).toBe('2025-12-15')
    expect(stepCalendar('week', '2026-12-28', 1)).toBe('2027-01-04')
    expect(stepCalendar('day', '2026-03-01', -1)).toBe('2026-02-28')
  })

  it('have names in the reader’s language', () => {
    const days = getVisibleDays('week', '2026-11-12', 0)
    expect(formatCalendarTitle('week', days, '2026-11-12', 'es')).toMatch(/9.*15 de noviembre de 2026/)
    expect(formatCalendarTitle('month', days, '2026-11-12', 'pt')).toBe('novembro de 2026')
    expect(formatCalendarDay('2026-11-12', 'en')).toBe('Thursday, November 12')
    expect(formatShortMoment(wallTimeAt('2026-11-14', 915), 'es')).toBe('sáb 14, 15:15')
  })
})

it('show two overlapping entries side by side, and further entries as a count', () => {
  const at = (...minutes: number[]) => minutes.map((minute, one) => ({ one, minute }))
  const apart = layOutSideBySide(at(540, 600), 40)
  expect(apart.placed.map(({ column, columns }) => [column, columns])).toEqual([
    [0, 1],
    [0, 1],
  ])
  const meet = layOutSideBySide(at(540, 560, 590), 40)
  expect(meet.placed.map(({ column, columns }) => [column, columns])).toEqual([
    [0, 2],
    [1, 2],
    [0, 2],
  ])
  const batch = layOutSideBySide(at(540, 540, 540, 550), 40)
  expect(batch.placed.map(({ isCrowded }) => isCrowded)).toEqual([true, true])
  expect(batch.hidden).toEqual([{ minute: 540, all: [2, 3] }])
})
