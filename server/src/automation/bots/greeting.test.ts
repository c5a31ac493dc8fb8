import { expect, it } from 'vitest'
import { makeQueueRules, makeTurn } from '../../../test/bot-turn.ts'
import { greetingBot } from './greeting.ts'

const line = { greetingMessage: 'Hola, ya te leemos.' }

it('greets once per conversation on a line without queues', () => {
  expect(greetingBot(makeTurn({ line }))).toMatchObject({
    messageBot: 'welcome',
    messages: ['Hola, ya te leemos.'],
    handsOver: true,
  })
  expect(greetingBot(makeTurn({ line, state: { botLeft: true } }))).toBeNull()
})

it('sends nothing without a greeting text, or on a line with queues', () => {
  expect(greetingBot(makeTurn())).toBeNull()
  expect(greetingBot(makeTurn({ line: { ...line, queueIds: [1] }, queues: [makeQueueRules(1)] }))).toBeNull()
})
