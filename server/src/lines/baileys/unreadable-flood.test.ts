import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { corruptStanza } from '@recado/whatsapp/envelope'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import {
  createCustomer,
  createLinkedLine,
  createShop,
  type LinkedServer,
  listTicketMessages,
  openLinkedServer,
  waitForTicket,
} from '../../../test/linked-phone.ts'
import { closeTestServers, type TestUser } from '../../../test/test-server.ts'
import { waitTimeoutMs } from '../../../test/wait-timeout.ts'
import { minutes } from '../../kernel/clock.ts'

let linkedServer: LinkedServer
let admin: TestUser
beforeAll(async () => {
  linkedServer = await openLinkedServer()
  admin = (await linkedServer.server.createCompany()).admin
  await linkedServer.server.wide().db.updateTable('plans').set({ connections: 100 }).execute()
})
afterAll(async () => {
  await closeTestServers()
  await linkedServer.wa.close()
})

const senderCount = 8
const messagesPerSender = 250
/** A message is on the other line within this time, on a busy machine. */
const usualDelayMs = 5000

setFlagsFromString('--expose_gc')
const collectGarbage = runInNewContext('gc') as () => void
function usedHeapMb(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 2 ** 20
}

it('survives a flood of unreadable messages: bounded, said on the line, and without delay for anything else', async () => {
  const { server } = linkedServer
  const [shop, otherShop] = [createShop(linkedServer), createShop(linkedServer)]
  const [line, otherLine] = [await createLinkedLine(admin), await createLinkedLine(admin)]
  const device = await line.scanWith(shop)
  await otherLine.scanWith(otherShop)
  const senders = Array.from({ length: senderCount }, () => createCustomer(linkedServer, 'Mallory'))
  let requestCount = 0
  for (const sender of senders) {
    sender.on('receipt', ({ type }) => void (type === 'retry' && requestCount++))
    // A session exists, so that what follows fails by its checksum.
    await sender.sendText(shop.account, 'hola')
    await waitForTicket(admin, sender.account.phoneNumber)
    // Nobody sends an unreadable message again.
    sender.sent.clear()
  }
  const countRows = async () => {
    const { db } = server.wide()
    const journal = await db.selectFrom('journal').select('id').where('whatsappId', '=', line.id).execute()
    const messages = await db.selectFrom('messages').select('id').where('whatsappId', '=', line.id).execute()
    return { journal: journal.length, messages: messages.length }
  }
  const before = { ...(await countRows()), heapMb: usedHeapMb() }

  const flood = async (rounds: number) => {
    for (const [n, sender] of senders.entries()) {
      const stanza = corruptStanza(await sender.encryptOnly(device, { conversation: 'x' }))
      for (let i = 0; i < rounds; i++)
        device.deliver({ ...stanza, attrs: { ...stanza.attrs, id: `FLOOD${n}-${i}-${rounds}` } })
    }
  }
  const arrivesWithin = async (phoneNumber: string, text: string, ms: number) =>
    vi.waitFor(
      async () => {
        const ticket = await waitForTicket(admin, phoneNumber)
        expect((await listTicketMessages(admin, ticket.id)).map(({ body }) => body)).toContain(text)
      },
      { timeout: ms, interval: 50 },
    )
  await flood(messagesPerSender)
  // Meanwhile somebody writes to another line, and somebody to the flooded one.
  const [bruno, carla] = [createCustomer(linkedServer, 'Bruno'), createCustomer(linkedServer, 'Carla')]
  await bruno.sendText(otherShop.account, 'otra línea')
  await arrivesWithin(bruno.account.phoneNumber, 'otra línea', usualDelayMs)
  await carla.sendText(shop.account, 'se lee')
  await arrivesWithin(carla.account.phoneNumber, 'se lee', waitTimeoutMs)

  await expect.poll(() => device.pendingCount, { timeout: 120_000, interval: 200 }).toBe(0)
  expect(await line.showLine()).toMatchObject({ status: 'CONNECTED', unreadableSince: expect.any(String) })
  expect((await otherLine.showLine()).unreadableSince).toBeNull()
  const after = await countRows()
  // Up to five placeholders in a chat before the flood is noticed, one in each other chat; Carla's is the only message.
  expect(after.messages - before.messages).toBeGreaterThanOrEqual(senderCount)
  expect(after.messages - before.messages).toBeLessThanOrEqual(senderCount + 10)
  expect(after.journal - before.journal).toBeLessThanOrEqual(senderCount + 10)
  expect(requestCount).toBeGreaterThan(0)
  expect(requestCount).toBeLessThanOrEqual(60)
  expect(usedHeapMb() - before.heapMb).toBeLessThan(60)

  // The flood ends: the line says so, and an unreadable message is requested again as usual. The session of the admin does
  // not last that long, so the rows are read.
  const { db } = server.wide()
  server.clock.advance(minutes(21))
  const findSince = () => db.selectFrom('whatsapps').select('unreadableSince').where('id', '=', line.id).execute()
  await expect.poll(findSince, { timeout: waitTimeoutMs, interval: 200 }).toEqual([{ unreadableSince: null }])
  await senders[0]?.sendText(shop.account, 'ahora sí', { isGarbled: true })
  const findText = () => db.selectFrom('messages').select('body').where('body', '=', 'ahora sí').execute()
  await expect.poll(findText, { timeout: waitTimeoutMs, interval: 200 }).toEqual([{ body: 'ahora sí' }])
})
