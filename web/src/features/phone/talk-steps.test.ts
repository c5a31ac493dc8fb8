import type { PhoneMessage } from '@recado/contract/sandbox'
import { expect, test } from 'vitest'
import { stepsOf } from './talk-steps.ts'

const said = (body: string, fromCustomer: boolean, more: Partial<PhoneMessage> = {}) =>
  ({ body, fromCustomer, kind: 'text', isDeleted: false, ...more }) as PhoneMessage

test('a conversation becomes lines and answers; what is no text of it is left out', () => {
  const messages = [
    said('antes de todo', false),
    said('hola', true),
    said('elige', false),
    said('uno o dos', false),
    said('', true, { kind: 'image' }),
    said('perdón', true, { isDeleted: true }),
    said('1', true),
  ]
  expect(stepsOf(messages)).toEqual([
    { customer: 'hola', bot: ['elige', 'uno o dos'] },
    { customer: '1', bot: [] },
  ])
})
