import { connectionsApi } from '@recado/contract/connections'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, deskOf, textFrom } from '../../../test/desk.ts'
import { closeHouses, type House, house, twinOf } from '../../../test/house.ts'
import { hours, minutes } from '../../kernel/clock.ts'

let h: House
let d: Desk
let queue: { id: number; name: string }
beforeAll(async () => {
  h = await house()
  d = await deskOf(h)
  queue = await d.queue('Recepción')
})
afterAll(closeHouses)

const setLine = async (values: object) => {
  const row = await d.line.row()
  await d.admin.call(connectionsApi.update, { params: { id: d.line.id }, body: { ...row, ...values } as never })
}
/** What happens so much later, by the clock alone; seconds are the least that count. */
const after = (ms: number) => d.inThe(ms, () => h.running.switchboard.timers.look())
const said = async (id: number) =>
  (
    await d.db
      .selectFrom('messages')
      .selectAll()
      .where('ticketId', '=', id)
      .where('fromMe', '=', true)
      .orderBy('id')
      .execute()
  ).map((m) => m.body)

describe('a conversation that nobody goes on with', () => {
  beforeAll(() => setLine({ expiresTicket: 30, expiresInactiveMessage: 'Cerramos por ahora, {{firstName}}.' }))

  it('is closed to the minute after we spoke last, with a word, and screens hear of it', async () => {
    const { id } = await d.openTicket(d.admin)
    await d.send(d.admin, id, '¿sigue ahí?')
    await after(minutes(30) - 2000)
    expect(await d.show(id)).toMatchObject({ status: 'open' })
    const ear = await d.admin.listen()
    await after(minutes(30) + 2000)
    expect(await d.show(id)).toMatchObject({ status: 'closed', unreadMessages: 0 })
    expect((await said(id)).at(-1)).toMatch(/^Cerramos por ahora/)
    await ear.hear(`company-${d.company.id}-ticket`, { action: 'delete', ticketId: id })
    expect((await d.happened(id))[0]).toMatchObject({
      kind: 'resolve',
      steps: [{ step: 'resolved', why: 'no-answer-for-long' }],
    })
    expect((await d.track(id)).at(-1)).toMatchObject({ finishedAt: expect.any(String), userId: d.admin.id })
    ear.close()
  })

  it('is not one where the customer waits for us, or where only the house has spoken', async () => {
    const { id, customer } = await d.openTicket(d.admin)
    await d.send(d.admin, id, 'hola')
    await d.stored(await customer.says('¿y?'))
    await d.set('sendGreetingAccepted', 'enabled')
    const greeted = await d.openTicket(d.admin)
    expect(await said(greeted.id)).toHaveLength(1)
    await d.set('sendGreetingAccepted', 'disabled')
    await after(hours(5))
    for (const open of [id, greeted.id]) expect(await d.show(open)).toMatchObject({ status: 'open' })
  })

  it('is closed late rather than never, and once, also by two processes', async () => {
    const { id } = await d.openTicket(d.admin)
    await d.send(d.admin, id, '¿sigue ahí?')
    const twin = await twinOf(h)
    await d.inThe(hours(20), async () => {
      await Promise.all([h.running.switchboard.timers.look(), twin.switchboard.timers.look()])
    })
    expect((await said(id)).filter((text) => text.startsWith('Cerramos'))).toHaveLength(1)
    expect((await d.happened(id)).filter((e) => e.kind === 'resolve')).toHaveLength(1)
    await setLine({ expiresTicket: 0 })
  })
})

describe('a ticket that waits without a queue', () => {
  it('goes to the line’s queue after its time, whoever wrote in between, and its bot falls silent', async () => {
    await setLine({ timeToTransfer: 10, transferQueueId: queue.id })
    const { id, customer } = await d.newTicket()
    await d.stored(await customer.says('¿hay alguien?'))
    await d.inThe(minutes(8), async () => d.hears(textFrom(customer.number, '¿hola?')))
    await after(minutes(9))
    expect(await d.show(id)).toMatchObject({ queueId: null })
    const ear = await d.admin.listen()
    await after(minutes(10) + 1000)
    expect(await d.show(id)).toMatchObject({ queueId: queue.id, status: 'pending', chatbot: false })
    await ear.hear(`company-${d.company.id}-ticket`, { action: 'update' })
    expect((await d.happened(id))[0]).toMatchObject({
      steps: [{ step: 'transferred', why: 'waited-too-long', with: { queue: 'Recepción' } }],
    })
    ear.close()
    await setLine({ timeToTransfer: null })
  })
})

describe('a rating nobody gives', () => {
  it('is no longer waited for after its window', async () => {
    await d.set('userRating', 'enabled')
    await d.set('ratingWindow', '6')
    const { id } = await d.openTicket(d.admin)
    await d.put(d.admin, id, { status: 'closed' })
    const waiting = () => d.db.selectFrom('ratingRequests').select('ticketId').where('ticketId', '=', id).execute()
    await after(hours(6) - 2000)
    expect(await waiting()).toHaveLength(1)
    await after(hours(6) + 2000)
    expect(await waiting()).toEqual([])
    expect((await d.happened(id))[0]).toMatchObject({ steps: [{ step: 'rating', why: 'nobody-answered' }] })
  })
})
