import type { Message } from '@recado/contract/messages'
import { queuesApi } from '@recado/contract/queues'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { minutes, seconds } from '../../kernel/clock.ts'

let harness: TestServer
let desk: Desk
let sales: { id: number }
let ana: TestUser & { name: string }
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue('Ventas')
  await desk.admin.call(queuesApi.update, {
    params: { id: sales.id },
    body: { name: 'Ventas', color: '#112233', answerGoal: 10, resolveGoal: 60 } as never,
  })
  ana = await desk.createUser('user', [sales])
})
afterAll(closeTestServers)

/** A ticket of Ana whose customer waits for a later answer, with a running goal. */
async function createCase() {
  const { customer, id } = await desk.newTicket('hola')
  await desk.db.updateTable('tickets').set({ queueId: sales.id }).where('id', '=', id).execute()
  await desk.accept(ana, id)
  await desk.send(ana, id, 'buen día')
  const received = async () => (await customer.listMessages()).filter((m) => !m.fromCustomer).map((m) => m.body)
  await vi.waitFor(async () => expect(await received()).toContain('buen día'))
  harness.clock.advance(minutes(1))
  await desk.waitForHandled(await customer.says('¿hay lugar?'))
  return { customer, id, received }
}
const sendHeld = async (by: TestUser, id: number, body: string, undoSeconds = 6): Promise<Message> =>
  (await desk.send(by, id, { body, undoSeconds })).messages[0] as Message
const call = (by: TestUser, message: Message, action: 'undo' | 'send-now') =>
  by.request<Message & { error?: string }>('POST', `/messages/${message.id}/${action}`, {})
async function advance(ms: number): Promise<void> {
  harness.clock.advance(ms)
  await harness.server.switchboard.outbox.look()
}
/** Everything that taking a message back must restore. */
const stateOf = async (id: number) => {
  const ticket = await desk.db
    .selectFrom('tickets')
    .select(['status', 'waitingSince', 'fromMe', 'lastMessage', 'userId'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    ticket,
    segments: await desk.listSegments(id),
    goals: await desk.db.selectFrom('ticketGoals').selectAll().where('ticketId', '=', id).orderBy('id').execute(),
    answers: await desk.db.selectFrom('nextAnswers').selectAll().where('ticketId', '=', id).execute(),
    thread: (await desk.listMessages(desk.admin, id)).map((m) => m.body),
  }
}

describe('a message that can be taken back', () => {
  it('does not reach the customer when it is taken back, and the customer waits as before', async () => {
    const one = await createCase()
    const before = await stateOf(one.id)
    const held = await sendHeld(ana, one.id, 'no, lo siento')
    expect(Date.parse(held.heldUntil as string) - Date.parse(held.createdAt)).toBeGreaterThan(seconds(5))
    expect((await stateOf(one.id)).ticket.waitingSince).toBeNull()
    await advance(seconds(5))
    expect((await one.received()).at(-1)).toBe('buen día')
    expect(await call(ana, held, 'undo')).toMatchObject({ status: 200, body: { body: 'no, lo siento' } })
    expect(await stateOf(one.id)).toEqual(before)
    await desk.send(ana, one.id, 'sí, hay')
    await advance(seconds(10))
    await vi.waitFor(async () => expect((await one.received()).slice(-2)).toEqual(['buen día', 'sí, hay']))
    expect((await call(ana, held, 'undo')).body.error).toBe('ERR_NO_MESSAGE_FOUND')
  })

  it('leaves by itself after the chosen time, before everything that was written after it', async () => {
    const one = await createCase()
    const held = await sendHeld(ana, one.id, 'primero', 10)
    await desk.send(desk.admin, one.id, 'segundo')
    await advance(seconds(9))
    expect((await one.received()).at(-1)).toBe('buen día')
    await advance(seconds(1))
    await vi.waitFor(async () => expect((await one.received()).slice(-2)).toEqual(['primero', 'segundo']))
    expect(await call(ana, held, 'undo')).toMatchObject({ status: 409, body: { error: 'ERR_UNDO_TOO_LATE' } })
    expect(await desk.listMessages(ana, one.id)).toContainEqual(
      expect.objectContaining({ body: 'primero', heldUntil: null }),
    )
  })

  it('leaves at once when its author says so, but not before an earlier one', async () => {
    const one = await createCase()
    const first = await sendHeld(ana, one.id, 'uno', 20)
    const second = await sendHeld(ana, one.id, 'dos', 20)
    expect(await call(ana, second, 'send-now')).toMatchObject({ status: 200, body: { heldUntil: null } })
    await harness.server.switchboard.outbox.look()
    expect((await one.received()).at(-1)).toBe('buen día')
    await call(ana, first, 'send-now')
    await vi.waitFor(async () => expect((await one.received()).slice(-2)).toEqual(['uno', 'dos']))
  })

  it('restores the wait also when the first of two messages is taken back before the second', async () => {
    const one = await createCase()
    const before = await stateOf(one.id)
    const first = await sendHeld(ana, one.id, 'uno')
    const second = await sendHeld(ana, one.id, 'dos')
    await call(ana, first, 'undo')
    expect((await stateOf(one.id)).ticket).toMatchObject({ waitingSince: null, lastMessage: 'dos' })
    await call(ana, second, 'undo')
    expect(await stateOf(one.id)).toEqual(before)
  })

  it('stays unanswered for a customer who writes while it is held', async () => {
    const one = await createCase()
    const before = await stateOf(one.id)
    const held = await sendHeld(ana, one.id, 'uno')
    await desk.waitForHandled(await one.customer.says('¿hola?'))
    await call(ana, held, 'undo')
    const after = await stateOf(one.id)
    expect(after.ticket.waitingSince).toEqual(before.ticket.waitingSince)
    expect(after.goals).toEqual(before.goals)
  })

  it('is taken back with its file', async () => {
    const one = await createCase()
    const form = new FormData()
    form.set('body', 'la lista')
    form.set('undoSeconds', '6')
    form.append('medias', new File(['precios'], 'precios.txt', { type: 'text/plain' }))
    const { body } = await ana.request<{ messages: Message[] }>('POST', `/messages/${one.id}`, form)
    const [held] = body.messages as [Message]
    expect(held.heldUntil).not.toBeNull()
    expect((await call(ana, held, 'undo')).status).toBe(200)
    await vi.waitFor(async () =>
      expect((await fetch(new URL(held.mediaUrl as string, harness.address))).ok).toBe(false),
    )
  })

  it('is taken back only by its author', async () => {
    const one = await createCase()
    const held = await sendHeld(ana, one.id, 'mío')
    for (const action of ['undo', 'send-now'] as const)
      expect(await call(desk.admin, held, action)).toMatchObject({ status: 409, body: { error: 'ERR_UNDO_TOO_LATE' } })
  })
})

it('sends at once for clients that do not ask for a hold', async () => {
  const one = await createCase()
  const { messages } = await desk.send(ana, one.id, 'directo')
  expect(messages[0]?.heldUntil).toBeNull()
  await vi.waitFor(async () => expect((await one.received()).at(-1)).toBe('directo'))
})
