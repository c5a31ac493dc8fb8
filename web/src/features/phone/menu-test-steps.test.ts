import type { SandboxPhoneMessage } from '@recado/contract/sandbox'
import { expect, test } from 'vitest'
import { toMenuTestSteps } from './menu-test-steps.ts'

const phoneMessage = (body: string, fromCustomer: boolean, more: Partial<SandboxPhoneMessage> = {}) =>
  ({ body, fromCustomer, kind: 'text', isDeleted: false, ...more }) as SandboxPhoneMessage

test('turns a conversation into customer messages and answers, and leaves out messages without text', () => {
  const messages = [
    phoneMessage('antes de todo', false),
    phoneMessage('hola', true),
    phoneMessage('elige', false),
    phoneMessage('uno o dos', false),
    phoneMessage('', true, { kind: 'image' }),
    phoneMessage('perdón', true, { isDeleted: true }),
    phoneMessage('1', true),
  ]
  expect(toMenuTestSteps(messages)).toEqual([
    { customer: 'hola', bot: ['elige', 'uno o dos'] },
    { customer: '1', bot: [] },
  ])
})
