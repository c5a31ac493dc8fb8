import { defaultHours } from '@recado/contract/hours/hours'
import { describe, expect, it } from 'vitest'
import { makeQueueRules, makeTurn } from '../../../test/bot-turn.ts'
import { menuBot } from './menu.ts'

const options = [
  { id: 41, parentId: null, option: 1, title: 'Garantía', message: '', leads: 'person' as const, forwardQueueId: null },
]
const two = [makeQueueRules(3), makeQueueRules(4, { options })]
const one = [makeQueueRules(4, { options, greetingMessage: '¿Qué equipo?' })]
const line = { greetingMessage: 'Hola', queueIds: [3, 4] }
const held = { ticket: { chatbot: true }, state: { botMenus: 1 } }

describe('the menu bot', () => {
  it('asks in a new ticket of a line with several queues, and in no other', () => {
    expect(menuBot(makeTurn({ queues: two, line }))).toMatchObject({
      bot: 'menu',
      why: 'asked',
      say: [expect.stringContaining('*2* Cola 4')],
      marks: { chatbot: true, botMenus: 1, botMenuAt: expect.any(Date) },
      queueId: null,
    })
    expect(menuBot(makeTurn({}))).toBeNull()
    expect(menuBot(makeTurn({ queues: two, line, ticket: { queueId: 9 } }))).toBeNull()
    expect(menuBot(makeTurn({ queues: two, line, state: { botLeft: true } }))).toBeNull()
  })

  it('asks nothing where there is one queue; it greets where the company wants it', () => {
    const plain = [makeQueueRules(4)]
    expect(menuBot(makeTurn({ queues: plain, line: { greetingMessage: 'Hola' }, ticket: { queueId: 4 } }))).toBeNull()
    const settings = { sendGreetingMessageOneQueues: 'enabled' }
    expect(
      menuBot(makeTurn({ settings, queues: plain, line: { greetingMessage: 'Hola' }, ticket: { queueId: 4 } })),
    ).toMatchObject({
      bot: 'greeting',
      as: 'welcome',
      say: ['Hola'],
      leaves: true,
    })
    expect(
      menuBot(makeTurn({ settings, queues: one, line: { greetingMessage: 'Hola' }, ticket: { queueId: 4 } }))?.say,
    ).toEqual(['Hola', expect.stringContaining('¿Qué equipo?')])
    expect(menuBot(makeTurn({ queues: one, ticket: { queueId: 4 }, cameBack: true }))).toBeNull()
  })

  it('goes on where it holds the ticket', () => {
    expect(menuBot(makeTurn({ queues: two, line, ...held, text: '1' }))).toMatchObject({
      why: 'queue-chosen',
      queueId: 3,
      leaves: true,
    })
    expect(menuBot(makeTurn({ queues: two, line, ...held, text: '2' }))).toMatchObject({
      queueId: 4,
      marks: { chatbot: true, botMenus: 0 },
    })
    // What is no text is no answer either.
    expect(menuBot(makeTurn({ queues: two, line, ...held, text: null }))).toMatchObject({ why: 'wrong-answer' })
  })

  it('does not take for an answer what was written before the question', () => {
    const state = { botMenus: 1, saidAt: '2026-11-13T15:00:10.000Z' }
    const at = new Date('2026-11-13T15:00:09Z')
    expect(
      menuBot(makeTurn({ queues: two, line, ticket: { chatbot: true }, state, at, text: 'quiero comprar' })),
    ).toEqual({
      bot: 'menu',
      why: 'written-before-the-question',
      say: [],
    })
    expect(menuBot(makeTurn({ queues: two, line, ticket: { chatbot: true }, state, at, text: '1' }))).toMatchObject({
      queueId: 3,
    })
  })

  it('rests as long as the line says', () => {
    const resting = { ...line, timeUseBotQueues: 10 }
    const state = { botMenus: 1, botMenuAt: '2026-11-13T14:51:00.000Z' }
    expect(menuBot(makeTurn({ queues: two, line: resting, ...held, state, text: 'x' }))).toMatchObject({
      why: 'resting',
      say: [],
    })
    const later = new Date('2026-11-13T15:01:00Z')
    expect(menuBot(makeTurn({ queues: two, line: resting, ...held, state, text: 'x', now: later }))).toMatchObject({
      why: 'wrong-answer',
      marks: { botMenus: 2, botMenuAt: later },
    })
  })

  it('after too many wrong answers lets the ticket land where the line says', () => {
    const state = { botMenus: 4, botWrong: 3 }
    const given = { queues: two, ticket: { chatbot: true }, state, text: 'x' }
    expect(menuBot(makeTurn({ ...given, line: { ...line, transferQueueId: 4 } }))).toMatchObject({
      leaves: true,
      queueId: 4,
    })
    expect(menuBot(makeTurn({ ...given, line }))).toMatchObject({
      leaves: true,
      queueId: 3,
      why: 'too-many-wrong-answers',
    })
  })

  it('is asked in the morning of whom the hours put into the first queue at night, and of nobody who chose it', () => {
    const ticket = { queueId: 3 }
    const state = { awayTold: 'company 2026-11-12 1080' }
    expect(menuBot(makeTurn({ queues: two, line, ticket, state }))).toMatchObject({ queueId: null, why: 'asked' })
    expect(menuBot(makeTurn({ queues: two, line, ticket }))).toBeNull()
    expect(menuBot(makeTurn({ queues: two, line, ticket, state: { ...state, botLeft: true } }))).toBeNull()
    expect(menuBot(makeTurn({ queues: two, line, ticket: { queueId: 4 }, state }))).toBeNull()
    expect(menuBot(makeTurn({ queues: two, line, ticket, state, cameBack: true }))).toBeNull()
  })

  it('tells of the hours of a queue that is closed, instead of its menu', () => {
    const closed = [
      makeQueueRules(3),
      makeQueueRules(4, { options, schedules: defaultHours, outOfHoursMessage: 'Mañana.' }),
    ]
    const night = new Date('2026-11-14T01:00:00Z')
    const settings = { scheduleType: 'queue' }
    expect(menuBot(makeTurn({ settings, queues: closed, line, ...held, text: '2', now: night }))).toMatchObject({
      bot: 'hours',
      say: ['Mañana.'],
      queueId: 4,
      leaves: true,
    })
  })
})
