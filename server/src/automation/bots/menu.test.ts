import { defaultHours } from '@recado/contract/hours/hours'
import { describe, expect, it } from 'vitest'
import { makeQueueRules, makeTurn } from '../../../test/bot-turn.ts'
import { menuBot } from './menu.ts'

const options = [
  { id: 41, parentId: null, option: 1, title: 'Garantía', message: '', leads: 'person' as const, forwardQueueId: null },
]
const two = [makeQueueRules(3), makeQueueRules(4, { options })]
const oneQueue = [makeQueueRules(4, { options, greetingMessage: '¿Qué equipo?' })]
const line = { greetingMessage: 'Hola', queueIds: [3, 4] }
const inMenu = { ticket: { chatbot: true }, state: { botMenus: 1 } }

describe('the menu bot', () => {
  it('asks for a queue in a new ticket of a line with several queues, and in no other ticket', () => {
    expect(menuBot(makeTurn({ queues: two, line }))).toMatchObject({
      bot: 'menu',
      why: 'asked',
      messages: [expect.stringContaining('*2* Cola 4')],
      stateChange: { chatbot: true, botMenus: 1, botMenuAt: expect.any(Date) },
      queueId: null,
    })
    expect(menuBot(makeTurn({}))).toBeNull()
    expect(menuBot(makeTurn({ queues: two, line, ticket: { queueId: 9 } }))).toBeNull()
    expect(menuBot(makeTurn({ queues: two, line, state: { botLeft: true } }))).toBeNull()
  })

  it('asks for nothing on a line with one queue, and greets where the company wants it', () => {
    const plain = [makeQueueRules(4)]
    expect(menuBot(makeTurn({ queues: plain, line: { greetingMessage: 'Hola' }, ticket: { queueId: 4 } }))).toBeNull()
    const settings = { sendGreetingMessageOneQueues: 'enabled' }
    expect(
      menuBot(makeTurn({ settings, queues: plain, line: { greetingMessage: 'Hola' }, ticket: { queueId: 4 } })),
    ).toMatchObject({
      bot: 'greeting',
      messageBot: 'welcome',
      messages: ['Hola'],
      handsOver: true,
    })
    expect(
      menuBot(makeTurn({ settings, queues: oneQueue, line: { greetingMessage: 'Hola' }, ticket: { queueId: 4 } }))
        ?.messages,
    ).toEqual(['Hola', expect.stringContaining('¿Qué equipo?')])
    expect(menuBot(makeTurn({ queues: oneQueue, ticket: { queueId: 4 }, isReopened: true }))).toBeNull()
  })

  it('continues in a ticket whose customer is inside the menu', () => {
    expect(menuBot(makeTurn({ queues: two, line, ...inMenu, text: '1' }))).toMatchObject({
      why: 'queue-chosen',
      queueId: 3,
      handsOver: true,
    })
    expect(menuBot(makeTurn({ queues: two, line, ...inMenu, text: '2' }))).toMatchObject({
      queueId: 4,
      stateChange: { chatbot: true, botMenus: 0 },
    })
    // A message that is not text is a wrong answer, too.
    expect(menuBot(makeTurn({ queues: two, line, ...inMenu, text: null }))).toMatchObject({ why: 'wrong-answer' })
  })

  it('does not count a message written before the question as an answer', () => {
    const state = { botMenus: 1, saidAt: '2026-11-13T15:00:10.000Z' }
    const at = new Date('2026-11-13T15:00:09Z')
    expect(
      menuBot(makeTurn({ queues: two, line, ticket: { chatbot: true }, state, writtenAt: at, text: 'quiero comprar' })),
    ).toEqual({
      bot: 'menu',
      why: 'written-before-the-question',
      messages: [],
    })
    expect(
      menuBot(makeTurn({ queues: two, line, ticket: { chatbot: true }, state, writtenAt: at, text: '1' })),
    ).toMatchObject({
      queueId: 3,
    })
  })

  it('pauses as long as the line’s settings say', () => {
    const resting = { ...line, timeUseBotQueues: 10 }
    const state = { botMenus: 1, botMenuAt: '2026-11-13T14:51:00.000Z' }
    expect(menuBot(makeTurn({ queues: two, line: resting, ...inMenu, state, text: 'x' }))).toMatchObject({
      why: 'resting',
      messages: [],
    })
    const later = new Date('2026-11-13T15:01:00Z')
    expect(menuBot(makeTurn({ queues: two, line: resting, ...inMenu, state, text: 'x', now: later }))).toMatchObject({
      why: 'wrong-answer',
      stateChange: { botMenus: 2, botMenuAt: later },
    })
  })

  it('moves the ticket to the line’s default queue after too many wrong answers', () => {
    const state = { botMenus: 4, botWrong: 3 }
    const given = { queues: two, ticket: { chatbot: true }, state, text: 'x' }
    expect(menuBot(makeTurn({ ...given, line: { ...line, transferQueueId: 4 } }))).toMatchObject({
      handsOver: true,
      queueId: 4,
    })
    expect(menuBot(makeTurn({ ...given, line }))).toMatchObject({
      handsOver: true,
      queueId: 3,
      why: 'too-many-wrong-answers',
    })
  })

  it('asks for a queue in the morning if the out-of-hours bot chose the first queue, and not if the customer chose it', () => {
    const ticket = { queueId: 3 }
    const state = { awayTold: 'company 2026-11-12 1080' }
    expect(menuBot(makeTurn({ queues: two, line, ticket, state }))).toMatchObject({ queueId: null, why: 'asked' })
    expect(menuBot(makeTurn({ queues: two, line, ticket }))).toBeNull()
    expect(menuBot(makeTurn({ queues: two, line, ticket, state: { ...state, botLeft: true } }))).toBeNull()
    expect(menuBot(makeTurn({ queues: two, line, ticket: { queueId: 4 }, state }))).toBeNull()
    expect(menuBot(makeTurn({ queues: two, line, ticket, state, isReopened: true }))).toBeNull()
  })

  it('answers with the closed text of a closed queue, instead of its menu', () => {
    const closed = [
      makeQueueRules(3),
      makeQueueRules(4, { options, schedules: defaultHours, outOfHoursMessage: 'Mañana.' }),
    ]
    const night = new Date('2026-11-14T01:00:00Z')
    const settings = { scheduleType: 'queue' }
    expect(menuBot(makeTurn({ settings, queues: closed, line, ...inMenu, text: '2', now: night }))).toMatchObject({
      bot: 'hours',
      messages: ['Mañana.'],
      queueId: 4,
      handsOver: true,
    })
  })
})
