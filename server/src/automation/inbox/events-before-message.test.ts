import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, makeTextEvent, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { closeTestServers, testServer } from '../../../test/test-server.ts'
import { hours } from '../../kernel/clock.ts'
import { makeLog } from '../../kernel/log.ts'
import type { InboundEvent } from '../../lines/line.ts'
import { makeLane } from './lane.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk(await testServer())
})
afterAll(closeTestServers)

let messageCount = 0
const base = (number: string) => ({
  id: `E${++messageCount}-${number}`,
  chat: `${number}@s.whatsapp.net`,
  at: new Date().toISOString(),
})
const edit = (number: string, targetId: string, body: string): InboundEvent => ({
  ...base(number),
  kind: 'edit',
  targetId,
  body,
})
const revoke = (number: string, targetId: string): InboundEvent => ({ ...base(number), kind: 'revoke', targetId })
const react = (number: string, targetId: string, emoji: string): InboundEvent => ({
  ...base(number),
  kind: 'reaction',
  targetId,
  emoji,
  fromMe: false,
  from: number,
  name: 'Lu',
})
const listWaiting = () =>
  desk.db
    .selectFrom('journal')
    .select('waitsFor')
    .where('companyId', '=', desk.company.id)
    .where('waitsFor', 'is not', null)
    .execute()

describe('changes that arrive before their message', () => {
  it.each(['known to an open ticket', 'a stranger'])(
    'are applied in their order when the message arrives: %s',
    async (who) => {
      const number = who === 'a stranger' ? nextPhoneNumber() : (await desk.openTicket(desk.admin)).customer.number
      const text = makeTextEvent(number, 'primero')
      await desk.receive(
        edit(number, text.id, 'segundo'),
        react(number, text.id, '👍'),
        edit(number, text.id, 'tercero'),
      )
      expect(await listWaiting()).toHaveLength(3)
      await desk.receive(text)
      expect(await desk.waitForMessage(text.id)).toMatchObject({
        body: 'tercero',
        isEdited: true,
        reactions: [{ emoji: '👍' }],
      })
      expect(await listWaiting()).toEqual([])
      const { ticketId } = await desk.waitForMessage(text.id)
      expect((await desk.showTicket(ticketId)).lastMessage).toBe('tercero')
      const told = (await desk.listEvents(ticketId)).map((h) => h.steps.at(-1)?.step)
      expect(told).toEqual(expect.arrayContaining(['edited', 'reacted']))
    },
  )

  it.each([
    ['before the message', true],
    ['after it', false],
  ])('keep the latest change by time, not by arrival: %s', async (_, isEarly) => {
    const { number } = (await desk.openTicket(desk.admin)).customer
    const text = makeTextEvent(number, 'primero')
    const later = (event: InboundEvent, s: number) => ({ ...event, at: new Date(Date.now() + s * 1000).toISOString() })
    const changes = [
      later(edit(number, text.id, 'tercero'), 20),
      later(edit(number, text.id, 'segundo'), 10),
      later(react(number, text.id, '❤️'), 20),
      later({ ...react(number, text.id, '🎉'), from: 'another' } as InboundEvent, 5),
      later(react(number, text.id, '👍'), 10),
    ]
    for (const event of isEarly ? [...changes, text] : [text, ...changes]) await desk.receive(event)
    const { body, reactions, ticketId } = await desk.waitForMessage(text.id)
    expect([body, reactions.map((r) => r.emoji)]).toEqual(['tercero', ['❤️', '🎉']])
    expect((await desk.listEvents(ticketId)).flatMap((h) => h.steps.map((s) => s.why))).toContain('newer-known')
    await desk.receive(later(edit(number, text.id, 'cuarto'), 30), later(react(number, text.id, ''), 30))
    const last = await desk.waitForMessage(text.id)
    expect([last.body, last.reactions.map((r) => r.emoji)]).toEqual(['cuarto', ['🎉']])
  })

  it('are applied also when a delete and everything else arrive at once in the wrong order', async () => {
    const { customer } = await desk.openTicket(desk.admin)
    const text = makeTextEvent(customer.number, 'no debí')
    await desk.receive(revoke(customer.number, text.id), text)
    expect(await desk.waitForMessage(text.id)).toMatchObject({ isDeleted: true })
  })

  it('are applied also for an ack of a message written on the phone itself', async () => {
    const { customer } = await desk.openTicket(desk.admin)
    const mine = makeTextEvent(customer.number, 'desde el teléfono', { fromMe: true })
    const ack = (level: 3 | 4): InboundEvent => ({
      ...base(customer.number),
      kind: 'ack',
      targetId: mine.id,
      ack: level,
    })
    await desk.receive(ack(4), ack(3))
    expect(await listWaiting()).toHaveLength(2)
    await desk.receive(mine)
    expect(await desk.waitForMessage(mine.id)).toMatchObject({ ack: 4, fromMe: true })
    expect(await listWaiting()).toEqual([])
    // The changes arrive in one batch with the message, before and after it.
    const other = makeTextEvent(customer.number, 'otra', { fromMe: true })
    const of = (event: InboundEvent): InboundEvent => ({ ...event, targetId: other.id }) as InboundEvent
    await desk.receive(of(ack(3)), other, of(ack(4)))
    expect(await desk.waitForMessage(other.id)).toMatchObject({ ack: 4 })
    expect(await listWaiting()).toEqual([])
  })

  it('are published as the message and then its change', async () => {
    const { customer } = await desk.openTicket(desk.admin)
    const socketClient = await desk.admin.listen()
    const text = makeTextEvent(customer.number, 'uno')
    await desk.receive(edit(customer.number, text.id, 'dos'))
    await desk.receive(text)
    await socketClient.whenCaughtUp()
    const news = socketClient.received
      .filter((e) => e.name.endsWith('appMessage'))
      .map((e) => [e.payload.action, (e.payload.message as { body: string }).body])
    expect(news).toEqual([
      ['create', 'uno'],
      ['update', 'dos'],
    ])
  })

  it('are applied by the next process when the one that received them dies', async () => {
    const { customer } = await desk.openTicket(desk.admin)
    const text = makeTextEvent(customer.number, 'viejo')
    await desk.receive(edit(customer.number, text.id, 'nuevo'))
    const next = makeLane(desk.server.server.deps, await desk.loadLineRow(), makeLog('silent'))
    await next.replay()
    await next.receive([text])
    await next.idle()
    await next.close()
    expect(await desk.waitForMessage(text.id)).toMatchObject({ body: 'nuevo' })
  })

  it('are dropped when the message does not arrive in time, and block no other event', async () => {
    const { customer } = await desk.openTicket(desk.admin)
    const [text, after] = [makeTextEvent(customer.number, 'tarde'), makeTextEvent(customer.number, 'mientras tanto')]
    await desk.receive(edit(customer.number, text.id, 'cambiado'))
    await desk.receive(after)
    expect(await desk.waitForMessage(after.id)).toMatchObject({ body: 'mientras tanto' })
    await desk.withClockForward(hours(2), async () => {
      const other = makeTextEvent(customer.number, 'otro')
      await desk.receive(edit(customer.number, other.id, 'x'))
      await desk.receive(text)
    })
    expect(await desk.waitForMessage(text.id)).toMatchObject({ body: 'tarde' })
  })
})
