import type { WhatsAppOptions } from '@recado/whatsapp/service'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
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

let linkedServer: LinkedServer
let admin: TestUser
/** Messages that the line refused: WhatsApp does not deliver them again. */
const refusedIds: (string | undefined)[] = []

beforeAll(async () => {
  const onStanza: WhatsAppOptions['onStanza'] = (direction, { tag, attrs }) => {
    if (direction === 'in' && tag === 'ack' && attrs.class === 'message' && attrs.error) refusedIds.push(attrs.id)
  }
  linkedServer = await openLinkedServer({}, {}, { onStanza })
  admin = (await linkedServer.server.createCompany()).admin
})
afterAll(async () => {
  await closeTestServers()
  await linkedServer.wa.close()
})

it('does not refuse the first messages of a customer when another process has taken the line', async () => {
  const shop = createShop(linkedServer)
  const line = await createLinkedLine(admin)
  await line.scanWith(shop)
  // The lease of the other process has already expired, so the line comes back and gets the messages in the end.
  await sql`
    update "lineLeases" set holder = 'another process', fence = fence + 1, until = now()
    where "whatsappId" = ${line.id}`.execute(linkedServer.server.wide().db)

  const customer = createCustomer(linkedServer)
  const texts = ['uno', 'dos', 'tres']
  for (const text of texts) await customer.sendText(shop.account, text)
  // The phone is switched off: it cannot send them again.
  customer.sent.clear()

  const ticket = await waitForTicket(admin, customer.account.phoneNumber)
  const listBodies = async () => (await listTicketMessages(admin, ticket.id)).map(({ body }) => body)
  await expect.poll(listBodies, { timeout: waitTimeoutMs }).toEqual(texts)
  expect(refusedIds).toEqual([])
})
