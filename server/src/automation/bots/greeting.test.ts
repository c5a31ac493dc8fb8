import { expect, it } from 'vitest'
import { queueOf, turnOf } from '../../../test/turn.ts'
import { greeting } from './greeting.ts'

const line = { greetingMessage: 'Hola, ya te leemos.' }

it('greets once in each conversation of a line without queues', () => {
  expect(greeting(turnOf({ line }))).toMatchObject({ as: 'welcome', say: ['Hola, ya te leemos.'], leaves: true })
  expect(greeting(turnOf({ line, state: { botLeft: true } }))).toBeNull()
})

it('has no word without words, nor where there are queues to ask for', () => {
  expect(greeting(turnOf())).toBeNull()
  expect(greeting(turnOf({ line: { ...line, queueIds: [1] }, queues: [queueOf(1)] }))).toBeNull()
})
