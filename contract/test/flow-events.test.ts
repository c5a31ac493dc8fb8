import { describe, expect, it } from 'vitest'
import { FlowTrigger } from '../src/flows/flow-triggers.ts'
import { type FlowEvent, matchesTrigger } from '../src/flows/match-trigger.ts'

const matches = (trigger: object, event: FlowEvent) => matchesTrigger(FlowTrigger.parse(trigger), event)
const message = (text: string, more: { hasFile?: boolean; isFirst?: boolean } = {}): FlowEvent => ({
  kind: 'message',
  details: { text, hasFile: false, isFirst: false, ...more },
})

/** An event of every kind, and a trigger that waits for it. */
const pairs: [object, FlowEvent][] = [
  [{ kind: 'message' }, message('Hola')],
  [{ kind: 'ticketOpened' }, { kind: 'ticketOpened', details: {} }],
  [{ kind: 'ticketMoved' }, { kind: 'ticketMoved', details: { queueId: null } }],
  [{ kind: 'tagged' }, { kind: 'tagged', details: { tagId: 3 } }],
  [{ kind: 'resolved' }, { kind: 'resolved', details: { closingReasonId: null } }],
  [{ kind: 'rated' }, { kind: 'rated', details: { rate: 10 } }],
  [
    { kind: 'goalNear', minutes: 15 },
    { kind: 'goalNear', details: { minutes: 15 } },
  ],
  [{ kind: 'goalMissed' }, { kind: 'goalMissed', details: {} }],
  [
    { kind: 'unanswered', minutes: 30 },
    { kind: 'unanswered', details: { minutes: 30, inOpenHours: false } },
  ],
  [
    { kind: 'silent', minutes: 30, inOpenHours: true },
    { kind: 'silent', details: { minutes: 30, inOpenHours: true } },
  ],
  [
    { kind: 'fieldChanged', field: 'Plan' },
    { kind: 'fieldChanged', details: { field: 'Plan', value: 'Oro' } },
  ],
  [{ kind: 'snoozeOver' }, { kind: 'snoozeOver', details: {} }],
  [{ kind: 'laneEntered' }, { kind: 'laneEntered', details: { tagId: 3 } }],
  [{ kind: 'hook' }, { kind: 'hook', details: {} }],
  [
    { kind: 'daily', time: '09:00' },
    { kind: 'daily', details: { time: '09:00' } },
  ],
  [
    { kind: 'weekly', time: '09:00', days: [0, 4] },
    { kind: 'weekly', details: { time: '09:00', day: 4 } },
  ],
  [
    { kind: 'fieldDate', field: 'Cita', days: -1, time: '09:00' },
    { kind: 'fieldDate', details: { field: 'Cita', days: -1, time: '09:00', yearly: false } },
  ],
  [{ kind: 'campaignAnswered' }, { kind: 'campaignAnswered', details: { campaignId: 5 } }],
  [{ kind: 'person' }, { kind: 'person', details: {} }],
  [{ kind: 'flow' }, { kind: 'flow', details: {} }],
]

describe('the triggers of flows', () => {
  it('match an event of their own kind and no other', () => {
    expect(pairs.map(([, { kind }]) => kind)).toEqual(FlowTrigger.options.map((option) => option.shape.kind.value))
    for (const [trigger, own] of pairs)
      for (const [, event] of pairs)
        expect([own.kind, event.kind, matches(trigger, event)]).toEqual([own.kind, event.kind, own === event])
  })

  it.each<[object, FlowEvent, boolean]>([
    [{ kind: 'message', words: { words: ['precio'] } }, message('¿Qué PRÉCIO tiene?'), true],
    [{ kind: 'message', words: { words: ['precio'] } }, message('Hola'), false],
    [{ kind: 'message', withFile: true }, message('Hola'), false],
    [{ kind: 'message', withFile: true }, message('', { hasFile: true }), true],
    [{ kind: 'message', first: true }, message('Hola'), false],
    [{ kind: 'message', first: true }, message('Hola', { isFirst: true }), true],
    [{ kind: 'ticketMoved', queueIds: [2] }, { kind: 'ticketMoved', details: { queueId: 2 } }, true],
    [{ kind: 'ticketMoved', queueIds: [2] }, { kind: 'ticketMoved', details: { queueId: 3 } }, false],
    [{ kind: 'ticketMoved', queueIds: [2] }, { kind: 'ticketMoved', details: { queueId: null } }, false],
    [{ kind: 'tagged', tagIds: [1, 2] }, { kind: 'tagged', details: { tagId: 3 } }, false],
    [{ kind: 'laneEntered', tagIds: [3] }, { kind: 'laneEntered', details: { tagId: 3 } }, true],
    [{ kind: 'resolved', closingReasonIds: [4] }, { kind: 'resolved', details: { closingReasonId: null } }, false],
    [{ kind: 'rated', from: 0, to: 6 }, { kind: 'rated', details: { rate: 6 } }, true],
    [{ kind: 'rated', from: 0, to: 6 }, { kind: 'rated', details: { rate: 7 } }, false],
    [{ kind: 'goalNear', minutes: 15 }, { kind: 'goalNear', details: { minutes: 30 } }, false],
    [{ kind: 'silent', minutes: 30 }, { kind: 'silent', details: { minutes: 30, inOpenHours: true } }, false],
    [
      { kind: 'fieldChanged', field: 'situación', value: 'CLIENTE ' },
      { kind: 'fieldChanged', details: { field: 'Situacion', value: 'cliente' } },
      true,
    ],
    [
      { kind: 'fieldChanged', field: 'Plan', value: 'Oro' },
      { kind: 'fieldChanged', details: { field: 'Plan', value: 'Plata' } },
      false,
    ],
    [{ kind: 'fieldChanged', field: 'Plan' }, { kind: 'fieldChanged', details: { field: 'Sede', value: 'x' } }, false],
    [{ kind: 'daily', time: '09:00' }, { kind: 'daily', details: { time: '09:30' } }, false],
    [{ kind: 'weekly', time: '09:00', days: [0] }, { kind: 'weekly', details: { time: '09:00', day: 1 } }, false],
    [
      { kind: 'fieldDate', field: 'Cumpleaños', days: 0, time: '09:00', yearly: true },
      { kind: 'fieldDate', details: { field: 'Cumpleaños', days: 0, time: '09:00', yearly: false } },
      false,
    ],
    [{ kind: 'campaignAnswered', campaignIds: [5] }, { kind: 'campaignAnswered', details: { campaignId: 6 } }, false],
  ])('%j with %j: %s', (trigger, event, expected) => {
    expect(matches(trigger, event)).toBe(expected)
  })
})
