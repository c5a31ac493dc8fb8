import { defaultHours } from '@recado/contract/hours/hours'
import { describe, expect, it } from 'vitest'
import { makeQueueRules, makeTurn } from '../../../test/bot-turn.ts'
import { decideBotAction, isForPeople } from './turn.ts'

const queues = [makeQueueRules(3), makeQueueRules(4)]
const line = { greetingMessage: 'Hola', queueIds: [3, 4] }
const night = new Date('2026-11-14T01:00:00Z')
const closed = { settings: { scheduleType: 'company' as const }, rulebook: { week: defaultHours } }

describe('a bot turn', () => {
  it('runs the bots in order: rating before hours, hours before menu', () => {
    const asked = {
      ticketId: 7,
      userId: 1,
      asked: 1,
      alone: true,
      completed: false,
      scale: 3 as const,
      commentOf: null,
    }
    const given = { ...closed, queues, line, now: night, text: '3' }
    expect(decideBotAction(makeTurn({ ...given, pendingRating: asked }))?.bot).toBe('rating')
    expect(decideBotAction(makeTurn(given))?.bot).toBe('hours')
    expect(decideBotAction(makeTurn({ ...given, now: new Date('2026-11-13T15:00:00Z') }))?.bot).toBe('menu')
    expect(decideBotAction(makeTurn({ line: { greetingMessage: 'Hola' } }))?.bot).toBe('greeting')
  })

  it('leaves the ticket to agents, once, if no bot acts', () => {
    expect(decideBotAction(makeTurn())).toEqual({ bot: null, why: '', messages: [], handsOver: true })
    expect(decideBotAction(makeTurn({ state: { botLeft: true } }))).toBeNull()
  })

  it('is silent for a contact with bots disabled, and agents find the ticket', () => {
    const state = { disableBot: true }
    expect(
      decideBotAction(makeTurn({ ...closed, queues, line: { ...line, transferQueueId: 3 }, now: night, state })),
    ).toMatchObject({
      bot: 'silent',
      messages: [],
      handsOver: true,
      queueId: 3,
    })
    expect(decideBotAction(makeTurn({ queues, line, state: { ...state, botLeft: true } }))).toBeNull()
  })
})

describe('the fast path', () => {
  const { rulebook } = makeTurn({ ...closed, queues, line })
  const seen = { status: 'pending' as const, isGroup: false, queueId: 3, botLeft: true, awayTold: null }
  const noon = new Date('2026-11-13T15:00:00Z')

  it('takes messages that no bot handles', () => {
    expect(isForPeople(rulebook, seen, false, 'hola', noon)).toBe(true)
    expect(isForPeople(rulebook, { ...seen, botLeft: false }, false, 'hola', noon)).toBe(false)
    expect(isForPeople(rulebook, { ...seen, botLeft: false, status: 'open' }, false, 'hola', noon)).toBe(true)
    expect(isForPeople(rulebook, { ...seen, botLeft: false, isGroup: true }, false, 'hola', noon)).toBe(true)
  })

  it('does not take messages of customers who must get the closed text', () => {
    expect(isForPeople(rulebook, seen, false, 'hola', night)).toBe(false)
    expect(isForPeople(rulebook, { ...seen, awayTold: 'company 2026-11-13 1080' }, false, 'hola', night)).toBe(true)
    expect(isForPeople(rulebook, seen, true, 'hola', night)).toBe(true)
    expect(isForPeople(rulebook, { ...seen, status: 'open' }, false, 'hola', night)).toBe(true)
  })

  it('does not take a number that may be a rating', () => {
    const rated = makeTurn({ settings: { userRating: 'enabled' } }).rulebook
    expect(isForPeople(rated, seen, false, '3', noon)).toBe(false)
    expect(isForPeople(rated, seen, false, 'hola', noon)).toBe(true)
    expect(isForPeople(rulebook, seen, false, '3', noon)).toBe(true)
  })
})
