import { expect, test } from 'vitest'
import { createHolidayRow, findHolidayProblems, toHolidayRows, toHolidaysBody } from './holiday-rows.ts'

const holiday = (day: string, yearly: boolean, name = day) => ({ day, name, yearly })

test('lists yearly days first, in the order of the year', () => {
  const days = toHolidayRows([holiday('2027-02-08', false), holiday('2020-12-25', true), holiday('2026-01-01', true)])
  expect(days.map((day) => day.day)).toEqual(['2026-01-01', '2020-12-25', '2027-02-08'])
})

test('requires a date for each holiday, and allows only one holiday per date', () => {
  const days = [
    ...toHolidayRows([holiday('2026-12-25', true), holiday('2026-12-25', false)]),
    { ...createHolidayRow(), day: '2031-12-25' },
    createHolidayRow(),
  ]
  expect(findHolidayProblems(days)).toEqual([null, null, 'twice', 'missing'])
  expect(toHolidaysBody(days)).toHaveLength(3)
})
