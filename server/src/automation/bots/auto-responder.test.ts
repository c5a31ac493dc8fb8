import { defaultHours } from '@recado/contract/hours/hours'
import { describe, expect, it } from 'vitest'
import { makeQueueRules, makeTurn } from '../../../test/bot-turn.ts'
import { decideBotAction } from './turn.ts'

const withPrompt = makeQueueRules(3, { promptId: 9 })
const withFlow = makeQueueRules(4, { integrationId: 5, greetingMessage: 'Bienvenida' })
const plain = makeQueueRules(6)
const option = { id: 1, parentId: null, option: 1, title: 'A', message: '', leads: 'person', forwardQueueId: null }

describe('an AI prompt or integration that answers customers', () => {
  it('answers from the first message on, on a line without queues', () => {
    expect(decideBotAction(makeTurn({ line: { promptId: 9 }, text: '¿abren?' }))).toMatchObject({
      backend: 'prompt',
      input: { id: 9, text: '¿abren?', begins: true, chose: false },
      stateChange: { useIntegration: true, promptId: 9, integrationId: null, chatbot: true },
    })
    expect(decideBotAction(makeTurn({ line: { integrationId: 5 } }))).toMatchObject({
      backend: 'integration',
      input: { id: 5 },
    })
  })

  it('starts when the customer’s menu choice leads to its queue, after the queue’s greeting', () => {
    const queues = [withPrompt, withFlow, plain]
    const asked = { queues, ticket: { chatbot: true }, state: { botMenus: 1 } }
    expect(decideBotAction(makeTurn({ ...asked, text: '2' }))).toMatchObject({
      backend: 'integration',
      messages: ['Bienvenida'],
      queueId: 4,
      input: { id: 5, begins: true, chose: true },
    })
    expect(decideBotAction(makeTurn({ ...asked, text: '3' }))).toMatchObject({
      bot: 'menu',
      queueId: 6,
      handsOver: true,
    })
  })

  it('replaces the menu of its queue, and the menu of a line whose only queue it serves', () => {
    const queue = { ...withPrompt, options: [option as never] }
    expect(decideBotAction(makeTurn({ queues: [queue] }))).toMatchObject({
      backend: 'prompt',
      queueId: 3,
      input: { chose: false },
    })
    expect(
      decideBotAction(
        makeTurn({ queues: [queue, plain], ticket: { chatbot: true }, state: { botMenus: 1 }, text: '1' }),
      ),
    ).toMatchObject({
      backend: 'prompt',
      queueId: 3,
    })
  })

  it('continues to answer in its ticket, and is silent after the handover to agents', () => {
    const ticket = { useIntegration: true, promptId: 9, integrationId: null, chatbot: true, queueId: 3 }
    const given = { queues: [withPrompt, plain], ticket, text: '1' }
    expect(decideBotAction(makeTurn(given))).toMatchObject({
      backend: 'prompt',
      input: { id: 9, text: '1', begins: false },
    })
    expect(
      decideBotAction(makeTurn({ ...given, ticket: { ...ticket, chatbot: false }, state: { botLeft: true } })),
    ).toBeNull()
  })

  it('sends nothing while the company is closed', () => {
    const closed = { settings: { scheduleType: 'company' as const }, rulebook: { week: defaultHours } }
    const night = new Date('2026-11-14T01:00:00Z')
    expect(decideBotAction(makeTurn({ ...closed, line: { promptId: 9 }, now: night }))?.bot).toBe('hours')
  })
})
