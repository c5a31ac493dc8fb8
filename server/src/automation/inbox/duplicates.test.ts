import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, testServer } from '../../../test/test-server.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk(await testServer())
})
afterAll(closeTestServers)

describe('faults of the sandbox phone', () => {
  it('stores a duplicate message once, and records the second as skipped in its events', async () => {
    const { customer, id } = await desk.openTicket(desk.admin)
    await desk.line.setFaults({ duplicate: 1 })
    const wid = await customer.says('dos veces')
    const message = await desk.waitForMessage(wid)
    await desk.line.setFaults({})
    const story = await vi.waitFor(async () => {
      const found = (await customer.inside()).find((h) => h.phoneId === wid)
      expect(found?.steps.at(-1)).toMatchObject({ step: 'duplicate', why: 'same-id' })
      return found
    })
    expect(story).toMatchObject({ messageId: String(message.id), kind: 'message' })
    const ofTicket = (await desk.listEvents(id)).filter((h) => h.phoneId === wid)
    expect(ofTicket.map((h) => h.messageId)).toEqual([String(message.id)])
    expect((await desk.listMessages(desk.admin, id)).filter((m) => m.body === 'dos veces')).toHaveLength(1)
  })

  it('shows only one tick on a message that never reached the customer', async () => {
    const { customer } = await desk.openTicket(desk.admin)
    await desk.line.setFaults({ drop: 1 })
    const lost = await customer.says('se pierde')
    await vi.waitFor(async () => {
      const row = await desk.db
        .selectFrom('sandboxMessages')
        .select('delivered')
        .where('id', '=', lost)
        .executeTakeFirstOrThrow()
      expect(row.delivered).toBe(true)
    })
    await desk.line.setFaults({})
    await desk.waitForHandled(await customer.says('llega'))
    await vi.waitFor(async () => {
      const ticks = (await customer.listMessages()).slice(-2).map((m) => [m.body, m.ack])
      expect(ticks).toEqual([
        ['se pierde', 2],
        ['llega', 3],
      ])
    })
  })

  it('links an edit and a reaction to the edited message on the phone', async () => {
    const { customer, id } = await desk.openTicket(desk.admin)
    const wid = await customer.says('original')
    await desk.waitForHandled(await customer.edits(wid, 'cambiado'))
    await desk.waitForHandled(await customer.reacts(wid, '🎉'))
    const about = (await desk.listEvents(id)).filter((h) => h.phoneId === wid).map((h) => h.kind)
    expect(about).toEqual(['reaction', 'edit', 'message'])
  })
})
