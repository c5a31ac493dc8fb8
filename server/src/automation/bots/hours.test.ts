import { defaultHours } from '@recado/contract/hours/hours'
import { describe, expect, it } from 'vitest'
import { makeQueueRules, makeTurn } from '../../../test/bot-turn.ts'
import { hoursBot } from './hours.ts'

// A Friday; the company's time zone is three hours behind UTC.
const open = new Date('2026-11-13T15:00:00Z')
const night = new Date('2026-11-14T01:00:00Z')
const company = { settings: { scheduleType: 'company' }, rulebook: { week: defaultHours } }
const period = 'company 2026-11-13 1080'

describe('opening hours of the company', () => {
  it('send nothing while the company is open, or while opening hours are turned off', () => {
    expect(hoursBot(makeTurn({ ...company, now: open }))).toBeNull()
    expect(hoursBot(makeTurn({ rulebook: company.rulebook, now: night }))).toBeNull()
  })

  it('answer once per closed period, and keep other bots silent throughout it', () => {
    const line = { outOfHoursMessage: 'Cerrado.' }
    expect(hoursBot(makeTurn({ ...company, line, now: night }))).toEqual({
      bot: 'hours',
      why: 'closed-now',
      allowRepeat: true,
      messages: ['Cerrado.'],
      stateChange: { awayTold: period },
    })
    expect(hoursBot(makeTurn({ ...company, line, now: night, state: { awayTold: period } }))).toMatchObject({
      why: 'told-already',
      messages: [],
    })
    expect(
      hoursBot(makeTurn({ ...company, line, now: night, state: { awayTold: 'company 2026-11-12 1080' } })),
    ).toMatchObject({
      messages: ['Cerrado.'],
    })
  })

  it('use the default text where the line has none', () => {
    expect(hoursBot(makeTurn({ ...company, now: night }))?.messages[0]).toMatch(/fuera de horario/)
  })

  it('move the ticket to the default queue, where agents find it', () => {
    const line = { transferQueueId: 5 }
    expect(hoursBot(makeTurn({ ...company, line, now: night }))).toMatchObject({ queueId: 5, handsOver: true })
    expect(hoursBot(makeTurn({ ...company, line, now: night, ticket: { queueId: 3 } }))).not.toHaveProperty('queueId')
  })

  it('move the ticket to the first queue of a line that has several and no default', () => {
    const queues = [makeQueueRules(8), makeQueueRules(6)]
    expect(hoursBot(makeTurn({ ...company, queues, now: night }))).toMatchObject({ queueId: 8 })
    expect(hoursBot(makeTurn({ ...company, queues, now: night }))).not.toHaveProperty('leaves')
    const state = { awayTold: period }
    expect(hoursBot(makeTurn({ ...company, queues, now: night, state }))).toMatchObject({ messages: [], queueId: 8 })
  })
})

describe('opening hours of a queue', () => {
  const queues = [
    makeQueueRules(3, { schedules: defaultHours, outOfHoursMessage: 'Ventas descansa.' }),
    makeQueueRules(4),
  ]
  const settings = { scheduleType: 'queue' }

  it('are taken from the ticket’s queue, with the queue’s own text', () => {
    expect(hoursBot(makeTurn({ settings, queues, now: night, ticket: { queueId: 3 } }))).toMatchObject({
      messages: ['Ventas descansa.'],
      stateChange: { awayTold: 'queue 3 2026-11-13 1080' },
    })
    expect(hoursBot(makeTurn({ settings, queues, now: night, ticket: { queueId: 4 } }))).toBeNull()
    expect(hoursBot(makeTurn({ settings, queues, now: night }))).toBeNull()
  })
})
