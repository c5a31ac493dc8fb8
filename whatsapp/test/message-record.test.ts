import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { Account, type PersonEvents } from '../src/accounts.ts'
import { MessageRecord } from '../src/message-record.ts'

it('records each message once by chat and id, at the place of its first arrival', () => {
  const record = new MessageRecord()
  const account = new Account('15550001111', 'Alice')
  const alice = Object.assign(new EventEmitter<PersonEvents>(), { account })
  record.follow(alice)
  const receive = (id: string, text: string) =>
    alice.emit('message', { id, from: account, message: { conversation: text }, ciphertextType: 'msg', device: 0 })
  alice.emit('undecryptable', { id: 'A', error: new Error('Bad MAC') })
  receive('B', 'dos')
  // Sent again under the same id after a crash, and once with another text.
  receive('B', 'dos')
  receive('B', 'otra')
  alice.emit('undecryptable', { id: 'C', error: new Error('Bad MAC') })
  receive('A', 'uno')
  const chat = account.phoneNumber
  expect(record.list()).toEqual([
    { chat, id: 'A', text: 'uno' },
    { chat, id: 'B', text: 'dos' },
    { chat, id: 'B', text: 'otra' },
  ])
})
