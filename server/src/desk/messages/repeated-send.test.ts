import { randomUUID } from 'node:crypto'
import type { Message } from '@recado/contract/messages'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestUser, testServer } from '../../../test/test-server.ts'
import { sendForm, tinyPdf, tinyPng } from '../../../test/upload.ts'

type SendReply = Message & { messages: Message[]; error: string }
let desk: Desk
let ana: TestUser
beforeAll(async () => {
  desk = await openDesk(await testServer())
  ana = await desk.createUser('user', [])
})
afterAll(closeTestServers)

const post = (id: number, body: object, by = ana) => by.request<SendReply>('POST', `/messages/${id}`, body)
const listOwnMessages = (id: number) =>
  desk.db
    .selectFrom('messages')
    .select(['body', 'clientId'])
    .where('ticketId', '=', id)
    .where('fromMe', '=', true)
    .orderBy('id')
    .execute()
async function openConversation() {
  const { id, customer } = await desk.newTicket()
  await desk.putTicket(desk.admin, id, { userId: ana.id })
  return { id, customer }
}

describe('a repeated send request', () => {
  it('stores one message: the second response equals the first, and every copy contains the client id', async () => {
    const { id, customer } = await openConversation()
    const socketClient = await ana.listen()
    const clientId = randomUUID()
    const first = await post(id, { body: 'una vez', clientId })
    const second = await post(id, { body: 'una vez', clientId })
    expect(first.body).toMatchObject({ clientId, body: 'una vez' })
    expect([second.status, second.body.id, second.body.messages.map((m) => m.id)]).toEqual([
      200,
      first.body.id,
      [first.body.id],
    ])
    expect(await listOwnMessages(id)).toEqual([{ body: 'una vez', clientId }])
    expect((await desk.listMessages(ana, id)).at(-1)).toMatchObject({ id: first.body.id, clientId })
    await socketClient.whenCaughtUp()
    const created = socketClient.received.filter((e) => e.name.endsWith('appMessage') && e.payload.action === 'create')
    expect(created.map((e) => (e.payload.message as Message).clientId)).toEqual([clientId])
    await vi.waitFor(async () =>
      expect((await customer.listMessages()).filter((m) => m.body === 'una vez')).toHaveLength(1),
    )
  })

  it('stores one message also when both requests run at once', async () => {
    const { id } = await openConversation()
    const clientId = randomUUID()
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(id, { body: 'a la vez', clientId })))
    expect(new Set(answers.map((a) => a.body.id)).size).toBe(1)
    expect(answers.map((a) => a.status)).toEqual(Array(6).fill(200))
    expect(await listOwnMessages(id)).toHaveLength(1)
  })

  it('gives each of several files an index, and a single file the client id itself', async () => {
    const { id } = await openConversation()
    const clientId = randomUUID()
    const parts = {
      clientId: [clientId],
      body: ['uno', 'dos'],
      medias: [
        [tinyPng, 'a.png'],
        [tinyPdf, 'b.pdf'],
      ],
    } as Parameters<typeof sendForm>[2]
    const first = await sendForm<SendReply>(ana, `/messages/${id}`, parts)
    const again = await sendForm<SendReply>(ana, `/messages/${id}`, parts)
    expect(first.body.messages.map((m) => m.clientId)).toEqual([`${clientId}-0`, `${clientId}-1`])
    expect(again.body.messages.map((m) => m.id)).toEqual(first.body.messages.map((m) => m.id))
    const alone = randomUUID()
    const one = await sendForm<SendReply>(ana, `/messages/${id}`, { clientId: [alone], medias: [[tinyPng, 'c.png']] })
    expect(one.body.clientId).toBe(alone)
    expect(await listOwnMessages(id)).toHaveLength(3)
  })

  it('is answered with the stored message even if nothing more could be sent now', async () => {
    const { id } = await openConversation()
    const clientId = randomUUID()
    const first = await post(id, { body: 'antes de cerrar', clientId })
    await desk.putTicket(ana, id, { status: 'closed' })
    expect((await post(id, { body: 'antes de cerrar', clientId })).body.id).toBe(first.body.id)
    expect((await post(id, { body: 'después', clientId: randomUUID() })).body.error).toBe('ERR_TICKET_NOT_OPEN')
  })

  it('refuses a client id that was used in another ticket, without revealing that ticket', async () => {
    const [one, other] = [await openConversation(), await openConversation()]
    const clientId = randomUUID()
    await post(one.id, { body: 'secreto', clientId })
    const answer = await post(other.id, { body: 'otro', clientId })
    expect([answer.status, answer.body.error]).toEqual([400, 'ERR_VALIDATION'])
    const stranger = (await openDesk(desk.server)).admin
    const theirs = await openDesk(desk.server)
    const { id } = await theirs.openTicket(theirs.admin)
    expect((await post(id, { body: 'mío', clientId }, theirs.admin)).body).toMatchObject({ body: 'mío', clientId })
    expect((await post(one.id, { body: 'secreto', clientId }, stranger)).status).toBe(404)
  })

  it('is recognized by a valid client id only; without a client id every request is new', async () => {
    const { id } = await openConversation()
    for (const clientId of ['short', 'x'.repeat(41), 'not a name!', 7])
      expect((await post(id, { body: 'x', clientId })).status).toBe(400)
    await post(id, { body: 'igual' })
    expect((await post(id, { body: 'igual' })).body.clientId).toBeNull()
    expect(await listOwnMessages(id)).toHaveLength(2)
  })
})

describe('opening a conversation', () => {
  it('still shows unread messages as unread, and marks them as read for the next time', async () => {
    const { id, customer } = await openConversation()
    await desk.listMessages(ana, id)
    await desk.waitForMessage(await customer.says('nuevo'))
    expect((await desk.listMessages(ana, id)).map((m) => m.read)).toEqual([true, false])
    expect((await desk.listMessages(ana, id)).map((m) => m.read)).toEqual([true, true])
  })
})
