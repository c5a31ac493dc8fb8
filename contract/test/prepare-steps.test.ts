import { expect, it } from 'vitest'
import { prepareSteps } from '../src/macros/prepare-steps.ts'

const times = {
  timezone: 'America/Sao_Paulo',
  queue: 'Ventas',
  tomorrow: { at: '2026-11-18T12:00:00.000Z', holiday: null },
  nextWeek: { at: '2026-11-23T12:00:00.000Z', holiday: null },
}
const now = Date.parse('2026-11-17T19:00:00Z')
const values = { me: 7, now, times, fillVariables: (text: string) => text.replace('{{firstName}}', 'Sol') }
const snooze = { kind: 'snooze', hours: 3, wakesOnMessage: false, note: 'Seña' } as const

it.each([
  ['tomorrow', '2026-11-18T12:00:00.000Z', false],
  ['nextWeek', '2026-11-23T12:00:00.000Z', false],
  ['hours', '2026-11-17T22:00:00.000Z', false],
  ['message', null, true],
] as const)('turns a snooze until %s into the time of the ticket', (until, expected, wakesOnMessage) => {
  expect(prepareSteps([{ ...snooze, until }], values)).toEqual([
    { kind: 'snooze', until: expected, wakesOnMessage, note: 'Seña' },
  ])
})

it('fills in the variables of a note and the user who runs the macro, and leaves the other steps as they are', () => {
  const steps = [
    { kind: 'note', note: 'Llamar a {{firstName}}' },
    { kind: 'assign', userId: 'me' },
    { kind: 'queue', queueId: 3 },
  ] as const
  expect(prepareSteps([...steps], values)).toEqual([
    { kind: 'note', note: 'Llamar a Sol' },
    { kind: 'assign', userId: 7 },
    { kind: 'queue', queueId: 3 },
  ])
})
