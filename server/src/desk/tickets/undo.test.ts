import type { Message } from '@recado/contract/messages'
import { queuesApi } from '@recado/contract/queues'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { undoWindowMs } from '../undo-window.ts'

type NamedUser = TestUser & { name: string }
let harness: TestServer
let desk: Desk
let sales: { id: number }
let support: { id: number }
let ana: NamedUser
let beto: NamedUser
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness, { ratingMessage: '¿Qué tal?', complationMessage: 'Gracias por escribir.' })
  sales = await desk.createQueue('Ventas')
  support = await desk.createQueue('Soporte')
  await desk.admin.call(queuesApi.update, {
    params: { id: sales.id },
    body: { name: 'Ventas', color: '#112233', answerGoal: 10, resolveGoal: 60 } as never,
  })
  ana = await desk.createUser('user', [sales])
  beto = await desk.createUser('user', [support])
  for (const key of ['userRating', 'sendGreetingAccepted', 'sendMsgTransfTicket'] as const)
    await desk.setSetting(key, 'enabled')
})
afterAll(closeTestServers)

type Case = Awaited<ReturnType<typeof createCase>>
/** A ticket that waits in the queue, with nothing held for its customer. */
async function createCase() {
  const { customer, id } = await desk.newTicket('hola')
  await desk.db.updateTable('tickets').set({ queueId: sales.id }).where('id', '=', id).execute()
  const received = async () => (await customer.listMessages()).filter((m) => !m.fromCustomer).map((m) => m.body)
  return { customer, id, received }
}
async function createAttendedCase() {
  const one = await createCase()
  await desk.accept(ana, one.id)
  await endHold(one, 1)
  return one
}
/** Lets the time to undo pass, and waits until the customer has got as many messages. */
async function endHold(one: Case, count: number): Promise<void> {
  harness.clock.advance(undoWindowMs)
  await harness.server.switchboard.outbox.look()
  await vi.waitFor(async () => expect(await one.received()).toHaveLength(count))
}
const undo = (by: TestUser, id: number) => by.request<{ error?: string }>('POST', `/tickets/${id}/undo`, {})
/** Everything that an undo must restore. */
const stateOf = async (id: number) => {
  const ticket = await desk.db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const {
    updatedAt: _,
    updatedMinute: __,
    saidAt: ___,
    saidMark: ____,
    ...kept
  } = ticket as typeof ticket & {
    updatedMinute: number
  }
  return {
    ticket: kept,
    segments: await desk.listSegments(id),
    goals: await desk.db.selectFrom('ticketGoals').selectAll().where('ticketId', '=', id).orderBy('id').execute(),
    thread: (await desk.listMessages(desk.admin, id)).map((m) => m.body),
    ratings: await desk.db.selectFrom('ratingRequests').selectAll().where('ticketId', '=', id).execute(),
    notes: await desk.db.selectFrom('ticketNotes').select('note').where('ticketId', '=', id).execute(),
    notices: await desk.db.selectFrom('notices').select(['kind', 'userId']).where('ticketId', '=', id).execute(),
  }
}

const actions: [name: string, open: () => Promise<Case>, body: object, text: RegExp | null][] = [
  ['accept', createCase, { status: 'open' }, /a partir de ahora te voy a atender|mi nombre es|soy/i],
  ['resolve', createAttendedCase, { status: 'closed' }, /Qué tal/],
  ['transfer to a queue', createAttendedCase, { status: 'pending', userId: null, queueId: 0 }, /pasando a Soporte/],
  ['return', createAttendedCase, { status: 'pending', userId: null }, null],
]

describe('an undo within six seconds of an action', () => {
  it.each(actions)('restores everything after %s, and the customer gets nothing', async (_, open, body, text) => {
    const one = await open()
    const before = await stateOf(one.id)
    const had = await one.received()
    const asked = { ...body, ...('queueId' in body && { queueId: support.id, note: 'mira esto', mentions: [beto.id] }) }
    expect((await desk.putTicket(ana, one.id, asked)).status).toBe(200)
    // The held text is in the thread at once, so an older client shows it immediately.
    const added = (await desk.listMessages(desk.admin, one.id)).slice(before.thread.length)
    if (text) expect(added).toMatchObject([{ body: expect.stringMatching(text), ack: 1 }] as Partial<Message>[])
    harness.clock.advance(undoWindowMs - 1000)
    await harness.server.switchboard.outbox.look()
    expect(await undo(ana, one.id)).toMatchObject({ status: 200 })
    expect(await stateOf(one.id)).toEqual(before)
    // A text typed afterwards arrives, and the withdrawn text does not arrive.
    if (before.ticket.status === 'pending') await desk.accept(desk.admin, one.id)
    const writer = before.ticket.status === 'pending' ? desk.admin : ana
    await desk.send(writer, one.id, 'sigo acá')
    harness.clock.advance(undoWindowMs)
    await harness.server.switchboard.outbox.look()
    await vi.waitFor(async () => expect((await one.received()).at(-1)).toBe('sigo acá'))
    const got = (await one.received()).slice(had.length)
    expect(got.filter((body) => added.some((message) => message.body === body))).toEqual([])
    expect((await undo(ana, one.id)).body.error).toMatch(/^ERR_(UNDO_TOO_LATE|NO_TICKET_FOUND)$/)
  })

  it('requests the rating again when the ticket is resolved again after the undo', async () => {
    const one = await createAttendedCase()
    await desk.putTicket(ana, one.id, { status: 'closed' })
    await undo(ana, one.id)
    await desk.putTicket(ana, one.id, { status: 'closed' })
    await endHold(one, 2)
    expect((await one.received()).at(-1)).toContain('¿Qué tal?')
  })

  it('also withdraws the farewell that waits behind the rating request', async () => {
    const one = await createAttendedCase()
    await desk.putTicket(ana, one.id, { status: 'closed' })
    await desk.waitForHandled(await one.customer.says('9'))
    await desk.waitForHandled(await one.customer.says('8'))
    expect((await desk.listMessages(desk.admin, one.id)).at(-1)?.body).toBe('Gracias por escribir.')
    expect((await undo(ana, one.id)).status).toBe(200)
    harness.clock.advance(undoWindowMs)
    await harness.server.switchboard.outbox.look()
    await desk.send(ana, one.id, 'perdón, sigo acá')
    await vi.waitFor(async () => expect((await one.received()).at(-1)).toBe('perdón, sigo acá'))
    expect(await one.received()).toHaveLength(2)
  })
})

describe('a message held back for a possible undo', () => {
  it('is sent after six seconds, and messages written meanwhile are sent after it', async () => {
    const one = await createCase()
    await desk.accept(ana, one.id)
    await desk.send(ana, one.id, '¿En qué te ayudo?')
    await harness.server.switchboard.outbox.look()
    // Another customer of the same line does not wait.
    const free = await desk.openTicket(desk.admin, 'buenas')
    await desk.db.deleteFrom('messages').where('ticketId', '=', free.id).where('notBefore', 'is not', null).execute()
    await desk.send(desk.admin, free.id, 'para otra persona')
    await vi.waitFor(async () =>
      expect((await free.customer.listMessages()).map((m) => m.body)).toContain('para otra persona'),
    )
    expect(await one.received()).toEqual([])
    await endHold(one, 2)
    expect(await one.received()).toEqual([expect.stringContaining(ana.name), '¿En qué te ayudo?'])
    expect(await undo(ana, one.id)).toMatchObject({ status: 409, body: { error: 'ERR_UNDO_TOO_LATE' } })
  })

  it('is sent without waiting for the next poll', async () => {
    const one = await createCase()
    await desk.accept(ana, one.id)
    await desk.db
      .updateTable('messages')
      .set({ notBefore: new Date(harness.clock.now().getTime() + 300) })
      .where('ticketId', '=', one.id)
      .where('fromMe', '=', true)
      .execute()
    harness.server.switchboard.outbox.wake(desk.line.id)
    await vi.waitFor(async () => expect(await one.received()).toHaveLength(1), { timeout: 2000 })
  })

  it('is not withdrawn by another user, nor after somebody else changed the ticket', async () => {
    const one = await createAttendedCase()
    await desk.putTicket(ana, one.id, { status: 'pending', userId: null, queueId: support.id })
    expect(await undo(desk.admin, one.id)).toMatchObject({ status: 409, body: { error: 'ERR_UNDO_TOO_LATE' } })
    const stranger = await desk.createUser('user', [])
    expect(await undo(stranger, one.id)).toMatchObject({ status: 404, body: { error: 'ERR_NO_TICKET_FOUND' } })
    await desk.accept(beto, one.id)
    expect(await undo(ana, one.id)).toMatchObject({ status: 404, body: { error: 'ERR_NO_TICKET_FOUND' } })
    expect(await desk.showTicket(one.id)).toMatchObject({ status: 'open', userId: beto.id })
  })
})
