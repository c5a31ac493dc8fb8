import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseSnoozeTime } from './parse-snooze-time.ts'

// Wednesday, 18 November 2026, 10:30 in Buenos Aires.
const place = { now: new Date('2026-11-18T13:30:00Z'), zone: 'America/Argentina/Buenos_Aires', opensAt: '09:00' }
const parse = (text: string) => parseSnoozeTime(text, place)?.toISOString() ?? null

it.each([
  ['en 3 h', '2026-11-18T16:30:00.000Z'],
  ['em 3 horas', '2026-11-18T16:30:00.000Z'],
  ['in 90 min', '2026-11-18T15:00:00.000Z'],
  ['1 h 30 min', '2026-11-18T15:00:00.000Z'],
  ['2 días', '2026-11-20T13:30:00.000Z'],
  ['vie 15:30', '2026-11-20T18:30:00.000Z'],
  ['el viernes a las 15', '2026-11-20T18:00:00.000Z'],
  ['na sexta-feira às 15h30', '2026-11-20T18:30:00.000Z'],
  ['Friday at 3 pm', '2026-11-20T18:00:00.000Z'],
  // Today's weekday is in a week.
  ['miércoles', '2026-11-25T12:00:00.000Z'],
  ['quarta', '2026-11-25T12:00:00.000Z'],
  ['mañana', '2026-11-19T12:00:00.000Z'],
  ['amanhã 14h', '2026-11-19T17:00:00.000Z'],
  ['tomorrow 8:15', '2026-11-19T11:15:00.000Z'],
  ['24/11', '2026-11-24T12:00:00.000Z'],
  ['24/11 16:00', '2026-11-24T19:00:00.000Z'],
  // A day of this year that has passed is meant in the next year.
  ['3/2', '2027-02-03T12:00:00.000Z'],
  ['24/11/27', '2027-11-24T12:00:00.000Z'],
  ['18', '2026-11-18T21:00:00.000Z'],
  ['9:00', '2026-11-19T12:00:00.000Z'],
  ['hoy 18', '2026-11-18T21:00:00.000Z'],
])('understands "%s"', (text, at) => {
  expect(parse(text)).toBe(at)
})

it.each(['', 'llamar', 'hoy 9', '31/2', '25:00', 'vie mañana tarde', '3 manzanas', '18/11/2020'])(
  'takes "%s" for no time in the future',
  (text) => {
    expect(parse(text)).toBeNull()
  },
)

it('answers any text with null or a time in the future', () => {
  const words = fc.constantFrom('en', '3', 'h', 'vie', '15:30', '24/11', 'mañana', 'pm', '99', '/', 'at', '0', 'sex')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(words, { maxLength: 5 }).map((all) => all.join(' ')),
      ),
      (text) => {
        const at = parseSnoozeTime(text, place)
        expect(at === null || at.getTime() > place.now.getTime()).toBe(true)
      },
    ),
  )
})
