import { WAMessageStubType } from 'baileys'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../src/person.ts'
import type { Client } from './client.ts'
import { hasMessageText, messageText, nextMessage, nextReceivedMessage, setUpService } from './service-fixture.ts'

const service = setUpService()
let owner: Person
let alice: Person
let client: Client
beforeAll(async () => {
  owner = service.person('Shop')
  ;({ client } = await service.link(owner))
})
beforeEach(() => {
  alice = service.person('Alice')
})

async function waitForText(person: Person, text: string, device = 0): Promise<string> {
  const arrival = nextMessage(client, hasMessageText(text))
  await person.sendText(owner.account, text, { device })
  return (await arrival).jid
}

it('lets each device of a customer write and receive the answer', async () => {
  const laptop = alice.addDevice([owner.account])
  await waitForText(alice, 'from the phone')
  const jid = await waitForText(alice, 'from the laptop', laptop)
  expect(jid).toBe(alice.account.jid('lid'))
  const devices: number[] = []
  const both = new Promise<void>((resolve) =>
    alice.on('message', ({ device }) => {
      devices.push(device)
      if (devices.length === 2) resolve()
    }),
  )
  await client.socket.sendMessage(jid, { text: 'to both' })
  await both
  expect(devices.sort()).toEqual([0, laptop])
})

it('delivers the next answer to a device linked during the conversation', async () => {
  const jid = await waitForText(alice, 'one device')
  const first = nextReceivedMessage(alice)
  await client.socket.sendMessage(jid, { text: 'one' })
  await first
  const laptop = alice.addDevice([owner.account])
  const onLaptop = new Promise((resolve) => alice.on('message', ({ device }) => device === laptop && resolve(device)))
  await waitForText(alice, 'and now two', laptop)
  await client.socket.sendMessage(jid, { text: 'two' })
  expect(await onLaptop).toBe(laptop)
})

it('exchanges messages with a customer on a new phone', async () => {
  const jid = await waitForText(alice, 'old phone')
  const first = nextReceivedMessage(alice)
  await client.socket.sendMessage(jid, { text: 'to the old phone' })
  await first
  alice.reinstall([owner.account])
  expect(await waitForText(alice, 'new phone')).toBe(jid)
  const second = nextReceivedMessage(alice)
  await client.socket.sendMessage(jid, { text: 'to the new phone' })
  expect(messageText((await second).message)).toBe('to the new phone')
})

describe('group chat', () => {
  it('delivers messages in both directions', async () => {
    const bob = service.person('Bob')
    const group = service.wa.addGroup('Neighbours', [alice, bob, owner])
    for (const [sender, line] of [
      [alice, 'hi all'],
      [bob, 'hi'],
      [alice, 'still me'],
    ] as const) {
      const arrival = nextMessage(client, hasMessageText(line))
      await sender.sendToGroup(group, { conversation: line })
      const { message, jid } = await arrival
      expect(jid).toBe(group.jid)
      expect(message.key.participant).toBe(sender.account.jid('lid'))
      expect(message.key.participantAlt).toBe(sender.account.jid('pn'))
    }
    for (const line of ['hello group', 'again']) {
      const received = Promise.all([nextReceivedMessage(alice), nextReceivedMessage(bob)])
      // Receipts arrive as in a direct chat: as a separate event, or as part of the echo.
      const receipt = Promise.any([
        client.next('message-receipt.update', ([update]) => update?.key),
        client.next('messages.upsert', ({ messages }) => messages.find(({ userReceipt }) => userReceipt?.length)?.key),
      ])
      await client.socket.sendMessage(group.jid, { text: line })
      for (const { message, ciphertextType, groupJid } of await received)
        expect([messageText(message), ciphertextType, groupJid]).toEqual([line, 'skmsg', group.jid])
      expect((await receipt).remoteJid).toBe(group.jid)
    }
  })

  it('reports renames, joins and leaves to the client', async () => {
    const bob = service.person('Bob')
    const group = service.wa.addGroup('Old name', [alice, owner])
    const stub = (type: number) => nextMessage(client, (message) => message.messageStubType === type)
    const renamed = stub(WAMessageStubType.GROUP_CHANGE_SUBJECT)
    group.rename(alice.account, 'New name')
    expect((await renamed).message.messageStubParameters).toEqual(['New name'])
    expect((await client.socket.groupMetadata(group.jid)).subject).toBe('New name')

    const joined = client.next('group-participants.update', (update) => update)
    group.add(alice.account, bob.account)
    expect(await joined).toMatchObject({ id: group.jid, action: 'add' })
    const left = stub(WAMessageStubType.GROUP_PARTICIPANT_LEAVE)
    group.remove(bob.account, bob.account)
    await left
    const { participants } = await client.socket.groupMetadata(group.jid)
    expect(participants.map(({ id }) => id)).toEqual([alice.account.jid('lid'), owner.account.jid('lid')])
  })
})
