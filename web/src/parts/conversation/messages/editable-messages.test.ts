import { type Message, messageEditWindowMs } from '@recado/contract/messages'
import { expect, it } from 'vitest'
import { sampleMessage } from '../../message/sample-message.ts'
import { findLastEditable } from './editable-messages.ts'

const at = Date.parse('2026-11-15T10:00:00.000Z')
const messageWith = (id: number, more: Partial<Message>) =>
  sampleMessage(id, {
    fromMe: true,
    ack: 3,
    user: { id: 7, name: 'Ana' },
    createdAt: new Date(at).toISOString(),
    ...more,
  })

it('finds the user’s last message, while WhatsApp allows editing it', () => {
  const mine = messageWith(1, {})
  const theirs = messageWith(2, { fromMe: false, user: null })
  expect(findLastEditable([mine, theirs], 7, at)).toBe(mine)
  expect(findLastEditable([mine, theirs], 7, at + messageEditWindowMs - 1)).toBe(mine)
  expect(findLastEditable([mine, theirs], 7, at + messageEditWindowMs)).toBeUndefined()
})

it('finds no message of a colleague, no automatic message, and no file', () => {
  const mine = messageWith(1, {})
  for (const more of [
    { user: { id: 8, name: 'Leo' } },
    { mediaType: 'image' as const },
    { isDeleted: true },
    { ack: 0 },
  ])
    expect(findLastEditable([mine, messageWith(2, more)], 7, at)).toBeUndefined()
  expect(findLastEditable([mine, messageWith(2, { bot: 'menu', user: null })], 7, at)).toBe(mine)
})
