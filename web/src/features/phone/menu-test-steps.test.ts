import type { SandboxPhoneMessage } from '@recado/contract/sandbox'
import { expect, test } from 'vitest'
import { toMenuTestSteps } from './menu-test-steps.ts'

const said = (body: string, fromCustomer: boolean, more: Partial<SandboxPhoneMessage> = {}) =>
  ({ body, fromCustomer, kind: 'text', isDeleted: false, ...more }) as SandboxPhoneMessage

test('turns a conversation into lines and answers, and leaves out messages without text', () => {
  const messages = [
    said('antes de todo', false),
    said('hola', true),
    said('elige', false),
    said('uno o dos', false),
    said('', true, { kind: 'image' }),
    said('perdón', true, { isDeleted: true }),
    said('1', true),
  ]
  expect(toMenuTestSteps(messages)).toEqual([
    { customer: 'hola', bot: ['elige', 'uno o dos'] },
    { customer: '1', bot: [] },
  ])
})
