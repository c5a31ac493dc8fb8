import { readdir } from 'node:fs/promises'
import { promptsApi } from '@recado/contract/ai/prompts'
import { integrationsApi } from '@recado/contract/integrations/integrations'
import { queuesApi } from '@recado/contract/queues'
import type { Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, makeTextEvent, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { sendForm, tinyPng } from '../../../test/upload.ts'
import { minutes } from '../../kernel/clock.ts'

type NamedUser = TestUser & { name: string }
type Refusal = {
  error: string
  holder: { userId: number | null; user: { name: string } | null; queue: { name: string } | null; uuid: string }
}
let harness: TestServer
let desk: Desk
let sales: { id: number; name: string }
let support: { id: number; name: string }
let ana: NamedUser
let beto: NamedUser
let supervisor: NamedUser
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue('Ventas')
  support = await desk.createQueue('Soporte')
  ana = await desk.createUser('user', [sales])
  beto = await desk.createUser('user', [sales])
  supervisor = await desk.createUser('supervisor', [sales])
})
afterAll(closeTestServers)

/** A ticket pending in the sales queue. */
async function createPendingTicket() {
  const { customer, id } = await desk.newTicket()
  await desk.putTicket(desk.admin, id, { queueId: sales.id, status: 'pending', userId: null })
  return { customer, id }
}
async function createAttendedTicket(by: NamedUser = ana) {
  const { customer, id } = await createPendingTicket()
  await desk.accept(by, id)
  return { customer, id }
}
const lastTrack = async (id: number) => (await desk.listSegments(id)).at(-1)
const kinds = async (id: number) => (await desk.listEvents(id)).map((e) => e.kind)
const close = (by: TestUser, id: number) => desk.putTicket(by, id, { status: 'closed', userId: by.id })

describe('accept', () => {
  it('makes a pending ticket open and assigned to the caller, stops the bots and starts the attendance', async () => {
    const { id } = await createPendingTicket()
    const { create } = promptsApi
    const prompt = await desk.admin.call(create, { body: { ...create.example, queueId: sales.id } as never })
    const flow = await desk.admin.call(integrationsApi.create, { body: integrationsApi.create.example as never })
    const machines = { useIntegration: true, promptId: prompt.id, integrationId: flow.id }
    await desk.db
      .updateTable('tickets')
      .set({ chatbot: true, ...machines })
      .where('id', '=', id)
      .execute()
    harness.clock.advance(minutes(1))
    // Older clients send the bot flags unchanged with the accept.
    const { status, body } = await desk.putTicket(ana, id, {
      status: 'open',
      userId: ana.id,
      ...machines,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'open',
      userId: ana.id,
      user: { id: ana.id, name: ana.name },
      queueId: sales.id,
      chatbot: false,
      useIntegration: false,
      promptId: null,
      integrationId: null,
    })
    const track = await lastTrack(id)
    expect(track).toMatchObject({ userId: ana.id, ratingAt: null, rated: false, finishedAt: null })
    expect(Date.parse(track?.startedAt as string) - Date.parse(track?.queuedAt as string)).toBeGreaterThanOrEqual(
      minutes(1),
    )
    expect((await desk.listEvents(id))[0]).toMatchObject({
      kind: 'accept',
      actor: { name: ana.name },
      steps: [{ step: 'accepted', with: { user: ana.name } }],
    })
  })

  it('succeeds for one of two users; the other gets the agent’s name, at once and also later', async () => {
    const { id } = await createPendingTicket()
    const both = await Promise.all(
      [ana, beto].map((p) => desk.putTicket<Refusal>(p, id, { status: 'open', userId: p.id })),
    )
    expect(both.map((a) => a.status).sort()).toEqual([200, 409])
    const winner = both[0]?.status === 200 ? ana : beto
    const loser = winner === ana ? beto : ana
    const holder = { userId: winner.id, user: { name: winner.name }, queue: { name: 'Ventas' } }
    expect(both.find((a) => a.status === 409)?.body).toMatchObject({ error: 'ERR_OTHER_OPEN_TICKET', holder })
    const late = await desk.putTicket<Refusal>(loser, id, { status: 'open', userId: loser.id })
    expect(late).toMatchObject({ status: 409, body: { error: 'ERR_OTHER_OPEN_TICKET', holder } })
    // A supervisor sees the ticket but cannot accept it either: taking it over is a transfer.
    expect(
      (await desk.putTicket<Refusal>(supervisor, id, { status: 'open', userId: supervisor.id })).body.holder.user?.name,
    ).toBe(winner.name)
    expect(await desk.putTicket(winner, id, { status: 'open', userId: winner.id })).toMatchObject({
      status: 200,
      body: { userId: winner.id },
    })
    expect((await kinds(id)).filter((k) => k === 'accept')).toHaveLength(1)
    const stranger = await desk.createUser('user', [support])
    expect(await desk.putTicket<Refusal>(stranger, id, { status: 'open', userId: stranger.id })).toMatchObject({
      status: 404,
      body: { error: 'ERR_NO_TICKET_FOUND' },
    })
  })

  it('assigns the ticket to the caller; only supervisors may assign it to another agent', async () => {
    const { id } = await createPendingTicket()
    for (const request of [
      { status: 'open', userId: beto.id },
      { userId: beto.id },
      { userId: beto.id, queueId: sales.id },
    ])
      expect((await desk.putTicket<Refusal>(ana, id, request)).body.error).toBe('ERR_NO_PERMISSION')
    expect(await desk.showTicket(id)).toMatchObject({ status: 'pending', userId: null, queueId: sales.id })
    expect((await desk.putTicket(supervisor, id, { status: 'open', userId: beto.id })).body).toMatchObject({
      userId: beto.id,
    })
  })

  it('assigns the ticket to the caller if no user is given', async () => {
    const { id } = await createPendingTicket()
    expect((await desk.putTicket(ana, id, { status: 'open' })).body).toMatchObject({ userId: ana.id })
  })
})

describe('return', () => {
  it('makes an open ticket pending, unassigned, and restarts the waiting time', async () => {
    const { id } = await createAttendedTicket()
    harness.clock.advance(minutes(1))
    const answer = await desk.putTicket(ana, id, {
      status: 'pending',
      userId: null,
      useIntegration: false,
      promptId: null,
      integrationId: null,
    })
    expect(answer.body).toMatchObject({ status: 'pending', userId: null, user: null, queueId: sales.id })
    const [first, track] = (await desk.listSegments(id)).slice(-2)
    expect(first).toMatchObject({ userId: ana.id, endedBy: 'returned' })
    expect(track).toMatchObject({ startedAt: null, userId: null, queuedAt: first?.finishedAt })
    expect(await kinds(id)).toContain('return')
    harness.clock.advance(minutes(1))
    await desk.putTicket(ana, id, { status: 'pending', userId: null })
    expect(await lastTrack(id)).toEqual(track)
  })
})

describe('resolve', () => {
  it.each([
    ['the list', { queueId: 'same', useIntegration: false, promptId: null, integrationId: null }],
    ['the header', { useIntegration: false, promptId: false, integrationId: false }],
  ])('closes the ticket as %s of older clients requests it', async (_, extra) => {
    const { id } = await createAttendedTicket()
    const given = { status: 'closed', userId: ana.id, ...extra, ...('queueId' in extra && { queueId: sales.id }) }
    const answer = await desk.putTicket(ana, id, given)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'closed',
        userId: ana.id,
        queueId: sales.id,
        unreadMessages: 0,
        promptId: null,
        integrationId: null,
        useIntegration: false,
      },
    })
    const tracks = await desk.listSegments(id)
    expect(tracks).toHaveLength(2)
    expect(tracks[1]).toMatchObject({ userId: ana.id, finishedAt: expect.any(String), endedBy: 'resolved' })
    expect(await kinds(id)).toContain('resolve')
    await close(ana, id)
    expect(await desk.listSegments(id)).toEqual(tracks)
  })

  it('sets the queue that an older client names on accept or close, and refuses a queue of another company', async () => {
    const { id } = await createPendingTicket()
    const named = (by: TestUser, changes: object) => desk.putTicket(by, id, changes)
    expect((await named(ana, { status: 'open', userId: ana.id, queueId: support.id })).body).toMatchObject({
      ...{ status: 'open', userId: ana.id, queueId: support.id },
    })
    expect((await named(ana, { status: 'closed', queueId: sales.id })).body).toMatchObject({
      ...{ status: 'closed', userId: ana.id, queueId: sales.id },
    })
    expect((await desk.listSegments(id)).map(({ queueId }) => queueId)).toContain(support.id)
    const { id: other } = await createPendingTicket()
    const foreign = await (await harness.createCompany()).admin.call(queuesApi.create, {
      body: { name: 'Ajena', color: '#123456' } as never,
    })
    expect((await desk.putTicket(ana, other, { status: 'open', userId: ana.id, queueId: foreign.id })).status).toBe(404)
  })

  it('closes also a ticket that no agent accepted', async () => {
    const { id } = await createPendingTicket()
    expect((await close(beto, id)).body).toMatchObject({ status: 'closed', userId: beto.id })
    expect(await lastTrack(id)).toMatchObject({ userId: beto.id, startedAt: null })
  })

  it('counts the attendance for the agent who attended, also when another user closes the ticket', async () => {
    const { id } = await createAttendedTicket()
    expect((await close(desk.admin, id)).body).toMatchObject({ userId: desk.admin.id })
    expect(await lastTrack(id)).toMatchObject({ userId: ana.id })
  })
})

describe('reopen', () => {
  it('assigns a closed ticket to the caller, with a new attendance', async () => {
    const { id } = await createAttendedTicket()
    await close(ana, id)
    harness.clock.advance(minutes(1))
    const answer = await desk.putTicket(beto, id, { status: 'open', userId: beto.id, queueId: sales.id })
    expect(answer.body).toMatchObject({ status: 'open', userId: beto.id, queueId: sales.id })
    const [first, second] = (await desk.listSegments(id)).slice(-2)
    expect(first).toMatchObject({ userId: ana.id, finishedAt: expect.any(String) })
    expect(second).toMatchObject({ userId: beto.id, startedAt: expect.any(String), finishedAt: null })
    expect((await kinds(id))[0]).toBe('reopen')
  })

  it('assigns the ticket to the named colleague, or is refused if the caller may not assign it', async () => {
    const { id } = await createAttendedTicket()
    await close(ana, id)
    const refused = await desk.putTicket(ana, id, { status: 'open', userId: beto.id })
    expect(refused).toMatchObject({ status: 400, body: { error: 'ERR_NO_PERMISSION' } })
    expect(await desk.showTicket(id)).toMatchObject({ status: 'closed' })
    const { body } = await desk.putTicket(supervisor, id, { status: 'open', userId: beto.id })
    expect(body).toMatchObject({ status: 'open', userId: beto.id })
    expect(await lastTrack(id)).toMatchObject({ userId: beto.id, startedAt: expect.any(String) })
  })

  it('is refused while another ticket of the same contact is open, and names its agent', async () => {
    const { customer, id } = await createAttendedTicket()
    await close(ana, id)
    const next = await desk.waitForMessage(await customer.says('otra cosa'))
    expect(next.ticketId).not.toBe(id)
    await desk.putTicket(desk.admin, next.ticketId, { status: 'open', userId: desk.admin.id })
    const refused = await desk.putTicket<Refusal>(ana, id, { status: 'open', userId: ana.id })
    expect(refused).toMatchObject({
      status: 409,
      body: { error: 'ERR_OTHER_OPEN_TICKET', holder: { userId: desk.admin.id, ticketId: next.ticketId } },
    })
    expect(await desk.showTicket(id)).toMatchObject({ status: 'closed' })
  })
})

describe('transfer', () => {
  it('to a queue makes the ticket pending in that queue, unassigned', async () => {
    const { id } = await createAttendedTicket()
    const { body } = await desk.putTicket(ana, id, { queueId: support.id, status: 'pending', userId: null })
    expect(body).toMatchObject({ status: 'pending', userId: null, queueId: support.id, queue: { name: 'Soporte' } })
    expect(await lastTrack(id)).toMatchObject({ startedAt: null, userId: null, finishedAt: null })
    expect((await desk.listEvents(id))[0]).toMatchObject({
      kind: 'transfer',
      actor: { name: ana.name },
      steps: [{ with: { from: 'Ventas', queue: 'Soporte', user: null } }],
    })
    expect((await ana.request('GET', `/tickets/${id}`)).status).toBe(404)
  })

  it('to an agent assigns the ticket at once, also if it was pending', async () => {
    const { id } = await createPendingTicket()
    expect((await desk.putTicket(ana, id, { queueId: support.id, userId: beto.id })).body).toMatchObject({
      status: 'open',
      userId: beto.id,
      queueId: support.id,
    })
    expect(await lastTrack(id)).toMatchObject({ userId: beto.id, startedAt: expect.any(String) })
    // Beto does not work in that queue, but sees the ticket because it is assigned to him.
    expect((await beto.request('GET', `/tickets/${id}`)).status).toBe(200)
  })

  it('refuses a user who cannot log in any more, whom older clients still offer', async () => {
    const gone = await desk.createUser('user', [sales])
    await desk.db.updateTable('users').set({ active: false }).where('id', '=', gone.id).execute()
    const refused = { status: 404, body: { error: 'ERR_NO_USER_FOUND' } }
    const { id } = await createAttendedTicket()
    expect(await desk.putTicket(ana, id, { queueId: sales.id, userId: gone.id })).toMatchObject(refused)
    expect(await desk.showTicket(id)).toMatchObject({ status: 'open', userId: ana.id })
    const { id: other } = await createPendingTicket()
    expect(await desk.putTicket(desk.admin, other, { status: 'open', userId: gone.id })).toMatchObject(refused)
    const { contactId } = await desk.showTicket(other)
    await desk.putTicket(desk.admin, other, { status: 'closed', justClose: true })
    const body = { contactId, queueId: sales.id, whatsappId: null, userId: gone.id, status: 'open' }
    expect(await desk.admin.request('POST', '/tickets', body)).toMatchObject(refused)
  })

  it('to another line moves the conversation', async () => {
    const { customer, id } = await createAttendedTicket()
    const other = await harness.openLine(desk.company)
    await desk.send(ana, id, 'por aquí')
    expect(
      (await desk.putTicket(ana, id, { queueId: sales.id, whatsappId: other.id, userId: ana.id })).body,
    ).toMatchObject({
      whatsappId: other.id,
      userId: ana.id,
      status: 'open',
    })
    await desk.send(ana, id, 'y por allá')
    expect((await desk.listMessages(ana, id)).map((m) => m.body)).toEqual(['hola', 'por aquí', 'y por allá'])
    await vi.waitFor(async () =>
      expect((await other.customer(customer.number).listMessages()).map((m) => m.body)).toEqual(['y por allá']),
    )
    // A change of line alone does not unassign the agent.
    expect((await desk.putTicket(ana, id, { whatsappId: desk.line.id })).body).toMatchObject({
      userId: ana.id,
      status: 'open',
    })
    expect(await lastTrack(id)).toMatchObject({ userId: ana.id, startedAt: expect.any(String) })
    await desk.putTicket(ana, id, { whatsappId: other.id })
    // The customer's next message on the first line opens a new ticket.
    const back = await desk.waitForMessage(await customer.says('sigo acá'))
    expect(back.ticketId).not.toBe(id)
    const refused = await desk.putTicket<Refusal>(desk.admin, back.ticketId, {
      whatsappId: other.id,
      queueId: sales.id,
    })
    expect(refused).toMatchObject({ status: 409, body: { error: 'ERR_OTHER_OPEN_TICKET', holder: { ticketId: id } } })
  })

  it('refuses queues, users and lines of other companies', async () => {
    const { id } = await createAttendedTicket()
    const foreign = await openDesk(harness)
    const queue = await foreign.createQueue()
    const errors = []
    for (const target of [{ queueId: queue.id }, { userId: foreign.admin.id }, { whatsappId: foreign.line.id }])
      errors.push((await desk.putTicket<Refusal>(ana, id, target)).body.error)
    expect(errors).toEqual(['ERR_QUEUE_NOT_FOUND', 'ERR_NO_USER_FOUND', 'ERR_NO_WAPP_FOUND'])
    expect(await desk.showTicket(id)).toMatchObject({ userId: ana.id, queueId: sales.id, whatsappId: desk.line.id })
  })

  it('does not reopen a closed ticket', async () => {
    const { id } = await createAttendedTicket()
    await close(ana, id)
    for (const target of [{ queueId: support.id }, { userId: beto.id }, { status: 'pending', userId: null }])
      expect(await desk.putTicket<Refusal>(ana, id, target)).toMatchObject({
        status: 409,
        body: { error: 'ERR_TICKET_NOT_OPEN' },
      })
    expect(await desk.showTicket(id)).toMatchObject({ status: 'closed', queueId: sales.id })
  })
})

describe('ticket segments', () => {
  /** Much longer than a call takes, and much shorter than a session lasts. */
  const unit = minutes(1 / 3)
  const segments = async (id: number) =>
    (await desk.listSegments(id)).map(({ userId, queueId, queuedAt, startedAt, finishedAt, endedBy }) => ({
      userId,
      queueId,
      waited: startedAt && between(queuedAt, startedAt),
      attended: startedAt && finishedAt && between(startedAt, finishedAt),
      endedBy,
    }))
  const between = (from: string | null, to: string) => Math.round((Date.parse(to) - Date.parse(from as string)) / unit)

  it('record how long the customer waited for whom, and how long each agent attended', async () => {
    const { id } = await desk.newTicket()
    const after = (some: number) => harness.clock.advance(some * unit)
    await desk.putTicket(desk.admin, id, { queueId: sales.id, status: 'pending', userId: null })
    after(2)
    await desk.accept(ana, id)
    after(3)
    await desk.putTicket(ana, id, { status: 'pending', userId: null })
    after(1)
    await desk.accept(beto, id)
    after(4)
    await desk.putTicket(beto, id, { queueId: support.id, userId: ana.id })
    after(1)
    await close(ana, id)
    after(1)
    const by = { queueId: sales.id, endedBy: 'transferred' }
    expect(await segments(id)).toEqual([
      { userId: null, queueId: null, waited: null, attended: null, endedBy: 'transferred' },
      { ...by, userId: ana.id, waited: 2, attended: 3, endedBy: 'returned' },
      { ...by, userId: beto.id, waited: 1, attended: 4 },
      { userId: ana.id, queueId: support.id, waited: 0, attended: 1, endedBy: 'resolved' },
    ])
    await desk.putTicket(ana, id, { status: 'open', userId: ana.id })
    expect((await segments(id)).slice(4)).toEqual([
      { userId: ana.id, queueId: support.id, waited: 0, attended: null, endedBy: null },
    ])
  })
})

describe('bots of a ticket', () => {
  it('are saved as requested while no agent attends, and stay silent once an agent does', async () => {
    const { id } = await createPendingTicket()
    const asked = { useIntegration: true, promptId: false, integrationId: '' }
    expect((await desk.putTicket(desk.admin, id, asked)).body).toMatchObject({
      useIntegration: true,
      promptId: null,
      integrationId: null,
      status: 'pending',
    })
    await desk.accept(ana, id)
    expect((await desk.putTicket(ana, id, asked)).body).toMatchObject({ useIntegration: false, promptId: null })
  })

  it('are refused if their prompt or integration is unknown, and then no other field of the call is applied', async () => {
    const { id } = await createPendingTicket()
    const refused = async (body: object) => (await desk.putTicket<Refusal>(ana, id, body)).body.error
    expect(await refused({ status: 'open', promptId: 5 })).toBe('ERR_NO_PROMPT_FOUND')
    expect(await refused({ status: 'open', integrationId: '6' })).toBe('ERR_NO_INTEGRATION_FOUND')
    expect(await desk.showTicket(id)).toMatchObject({ status: 'pending', promptId: null, integrationId: null })
  })
})

describe('a new attendance', () => {
  it('is a new ticket after the last one was closed, and the thread shows both', async () => {
    const { customer, id } = await createAttendedTicket()
    await desk.send(ana, id, 'listo')
    await close(ana, id)
    const next = await desk.waitForMessage(await customer.says('una más'))
    expect(next.ticketId).not.toBe(id)
    expect(await desk.showTicket(next.ticketId)).toMatchObject({
      status: 'pending',
      userId: null,
      queueId: null,
      unreadMessages: 1,
    })
    expect((await desk.listMessages(desk.admin, next.ticketId)).map((m) => [m.ticketId, m.body])).toEqual([
      [id, 'hola'],
      [id, 'listo'],
      [next.ticketId, 'una más'],
    ])
  })

  it('continues a ticket that was closed a moment ago, if the company enables reopening', async () => {
    await desk.setSetting('autoReopenTimeout', '15')
    const { customer, id } = await createAttendedTicket()
    await close(ana, id)
    const [watching, closer] = [await beto.listen(), await desk.admin.listen()]
    harness.clock.advance(minutes(1))
    const back = await desk.waitForMessage(await customer.says('me olvidé algo'))
    expect(back.ticketId).toBe(id)
    expect(await desk.showTicket(id)).toMatchObject({
      status: 'pending',
      userId: null,
      queueId: sales.id,
      unreadMessages: 1,
    })
    expect(await lastTrack(id)).toMatchObject({ startedAt: null, finishedAt: null, userId: null })
    for (const socketClient of [watching, closer]) {
      const name = `company-${desk.company.id}-ticket`
      await socketClient.waitFor(name, { action: 'update' })
      expect(socketClient.received.filter((n) => n.name === name).map((n) => n.payload.action)).toEqual([
        'delete',
        'update',
      ])
      socketClient.close()
    }
    await close(desk.admin, id)
    const after = makeTextEvent(customer.number, 'mucho después')
    await desk.withClockForward(minutes(16), () => desk.receive(after))
    expect((await desk.waitForMessage(after.id)).ticketId).not.toBe(id)
    await desk.setSetting('autoReopenTimeout', '0')
  })
})

describe('starting a conversation', () => {
  const contact = async () =>
    (
      await desk.admin.request<{ id: number }>('POST', '/contacts', {
        name: 'Doña Rosa',
        number: nextPhoneNumber(),
        email: '',
        extraInfo: [],
      })
    ).body.id
  const start = <T = Ticket>(by: TestUser, body: object) =>
    by.request<T>('POST', '/tickets', { queueId: sales.id, whatsappId: null, status: 'open', ...body })

  it('opens the ticket assigned to the caller, on the default line, in the requested queue', async () => {
    const contactId = await contact()
    const { status, body } = await start(ana, { contactId, queueId: sales.id, userId: ana.id })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      uuid: expect.any(String),
      status: 'open',
      userId: ana.id,
      user: { name: ana.name },
      queueId: sales.id,
      whatsappId: desk.line.id,
      lastMessage: '',
      unreadMessages: 0,
      contact: { id: contactId, extraInfo: [] },
    })
    expect(await lastTrack(body.id)).toMatchObject({ userId: ana.id, startedAt: expect.any(String) })
    expect(await kinds(body.id)).toEqual(['create'])
    expect(
      (await start(desk.admin, { contactId: await contact(), status: 'pending', userId: null })).body,
    ).toMatchObject({
      status: 'pending',
      userId: null,
    })
  })

  it('uses the requested line, else the user’s own line', async () => {
    const other = await harness.openLine(desk.company)
    expect((await start(ana, { contactId: await contact(), whatsappId: other.id })).body).toMatchObject({
      whatsappId: other.id,
    })
    await desk.db.updateTable('users').set({ whatsappId: other.id }).where('id', '=', beto.id).execute()
    expect((await start(beto, { contactId: await contact() })).body).toMatchObject({ whatsappId: other.id })
    await desk.db.updateTable('users').set({ whatsappId: null }).where('id', '=', beto.id).execute()
  })

  it('requires one of the user’s own queues; users who see all queues may leave it empty', async () => {
    const refused = async (by: TestUser, queueId: number | null) =>
      (await start<Refusal>(by, { contactId: await contact(), queueId })).body
    for (const by of [ana, supervisor]) {
      expect(await refused(by, null)).toEqual({ error: 'ERR_VALIDATION', fields: { queueId: 'Required' } })
      expect(await refused(by, support.id)).toMatchObject({ error: 'ERR_QUEUE_NOT_FOUND' })
    }
    expect((await start(desk.admin, { contactId: await contact(), queueId: null })).body).toMatchObject({
      queueId: null,
    })
    expect((await start(desk.admin, { contactId: await contact(), queueId: support.id })).status).toBe(200)
  })

  it('is refused while the contact has a ticket: with one’s own ticket in `error` as older clients read it, or with its agent and queue', async () => {
    const contactId = await contact()
    const mine = (await start(ana, { contactId, queueId: sales.id })).body
    expect((await start<{ error: object }>(ana, { contactId })).body.error).toMatchObject({
      userId: ana.id,
      queue: { name: 'Ventas' },
      uuid: mine.uuid,
    })
    const refused = await start<{ error: object; code: string; holder: object }>(beto, { contactId })
    const holder = {
      userId: ana.id,
      user: { id: ana.id, name: ana.name },
      queue: { id: sales.id, name: 'Ventas' },
      uuid: mine.uuid,
      // An assigned ticket belongs to its agent; a ticket pending in one's own queue could be opened.
      mayOpen: false,
    }
    expect(refused).toMatchObject({ status: 409, body: { error: 'ERR_OTHER_OPEN_TICKET', holder } })
    await desk.putTicket(ana, mine.id, { status: 'pending', userId: null })
    const words = await start<{ error: string; holder: object }>(beto, { contactId })
    expect(words).toMatchObject({
      status: 409,
      body: {
        error: 'ERR_OTHER_OPEN_TICKET',
        holder: { userId: null, queue: { name: 'Ventas' }, uuid: mine.uuid, mayOpen: true },
      },
    })
  })

  it('returns a queue object to older clients even if the ticket has no queue, because they read its name', async () => {
    const contactId = await contact()
    const mine = (await start(desk.admin, { contactId, queueId: null })).body
    expect(await start(desk.admin, { contactId })).toMatchObject({
      status: 409,
      body: {
        error: { userId: desk.admin.id, user: { name: expect.any(String) }, queue: { name: '' }, uuid: mine.uuid },
        holder: { userId: desk.admin.id, queue: null },
      },
    })
  })

  it('succeeds for one of two users who start it at once', async () => {
    const contactId = await contact()
    const both = await Promise.all([start(ana, { contactId }), start(beto, { contactId })])
    expect(both.map((a) => a.status).sort()).toEqual([200, 409])
  })

  it('is allowed for oneself, and for others only to supervisors', async () => {
    const contactId = await contact()
    expect((await start<Refusal>(ana, { contactId, userId: beto.id })).body.error).toBe('ERR_NO_PERMISSION')
    expect((await start(supervisor, { contactId, userId: beto.id })).body).toMatchObject({ userId: beto.id })
  })

  it('requires a contact and a line', async () => {
    expect((await start<Refusal>(ana, { contactId: 999_999 })).body.error).toBe('ERR_NO_CONTACT_FOUND')
    expect((await start<Refusal>(ana, { contactId: await contact(), whatsappId: 999_999 })).body.error).toBe(
      'ERR_NO_WAPP_FOUND',
    )
    expect((await start<Refusal>(ana, { contactId: await contact(), queueId: 999_999 })).body.error).toBe(
      'ERR_QUEUE_NOT_FOUND',
    )
    const mute = await harness.createCompany()
    const { id } = (
      await mute.admin.request<{ id: number }>('POST', '/contacts', {
        name: 'Nadie',
        number: nextPhoneNumber(),
        email: '',
      })
    ).body
    expect((await start<Refusal>(mute.admin, { contactId: id })).body.error).toBe('ERR_NO_DEF_WAPP_FOUND')
  })
})

describe('deleting a ticket', () => {
  it('is allowed to admins only, and deletes messages, notes and files with the ticket', async () => {
    const { customer, id } = await createAttendedTicket()
    await desk.send(ana, id, 'adjunto')
    await sendForm(ana, `/messages/${id}`, { medias: [[tinyPng, 'nuestra.png']] })
    await desk.waitForMessage(await customer.sends(new File([tinyPng], 'suya.png')))
    await vi.waitFor(async () =>
      expect((await desk.listMessages(ana, id)).map((m) => m.mediaState)).not.toContain('pending'),
    )
    await ana.request('POST', '/ticket-notes', { note: 'una nota', ticketId: id })
    const names = (
      await desk.db
        .selectFrom('messages')
        .select('mediaPath')
        .where('ticketId', '=', id)
        .where('mediaPath', 'is not', null)
        .execute()
    ).map((m) => m.mediaPath as string)
    expect(names).toHaveLength(2)
    const onDisk = async () =>
      (await readdir(`${harness.dataDir}/files/${desk.company.id}`)).filter((f) => names.includes(f))
    expect(await onDisk()).toHaveLength(2)
    expect((await ana.request<{ error: string }>('DELETE', `/tickets/${id}`)).body.error).toBe('ERR_NO_PERMISSION')
    expect((await desk.admin.request('DELETE', `/tickets/${id}`)).status).toBe(200)
    expect((await desk.admin.request('GET', `/tickets/${id}`)).status).toBe(404)
    for (const table of ['messages', 'ticketNotes', 'ticketTracking', 'ticketEvents'] as const)
      expect(await desk.db.selectFrom(table).select('id').where('ticketId', '=', id).execute()).toEqual([])
    await vi.waitFor(async () => expect(await onDisk()).toEqual([]), { timeout: 8000 })
    // The customer may write again, in a new ticket.
    expect((await desk.waitForMessage(await customer.says('¿hola?'))).ticketId).not.toBe(id)
  })
})

describe('ticket history', () => {
  it('lists the events of a ticket, newest first, each with its reason', async () => {
    const { customer, id } = await createAttendedTicket()
    await desk.waitForMessage(await customer.says('otra'))
    await close(ana, id)
    const events = await desk.listEvents(id)
    expect(events.map((e) => e.kind)).toEqual(['resolve', 'message', 'accept', 'transfer', 'message'])
    expect(events.at(-1)?.steps.map((s) => `${s.step}:${s.why}`)).toEqual([
      'journalled:before-anything-else',
      'contact:new',
      'ticket:no-living-ticket',
      'told:who-sees-the-ticket',
    ])
    expect(events[1]).toMatchObject({
      actor: null,
      messageId: expect.any(String),
      steps: [
        { step: 'journalled' },
        { step: 'contact', why: 'known', with: { by: 'phone' } },
        { step: 'ticket', why: 'joined' },
        { step: 'told', with: { user: ana.name, queue: 'Ventas' } },
      ],
    })
    const stranger = await desk.createUser('user', [support])
    expect((await stranger.request('GET', `/tickets/${id}/events`)).status).toBe(404)
  })

  it('keeps the order of entries journalled at once, whatever the number of digits of their ids', async () => {
    const { customer, id } = await createAttendedTicket()
    const burst = [999_998, 999_999, 1_000_000, 1_000_001]
    await sql`
      insert into journal (id, "companyId", "whatsappId", "eventId", chat, kind, event, "receivedAt", "processedAt", "ticketId")
      overriding system value
      select n, ${desk.company.id}, ${desk.line.id}, 'message:' || n, ${`${customer.number}@s.whatsapp.net`}, 'message',
        '{}', ${harness.clock.now()}, ${harness.clock.now()}, ${id}
      from unnest(${burst}::int[]) n`.execute(desk.db)
    const newestFirst = burst.toReversed().map((n) => `j${n}`)
    expect((await desk.listEvents(id)).map((e) => e.id).slice(0, burst.length)).toEqual(newestFirst)
    expect((await customer.inside()).map((e) => e.id).slice(-burst.length)).toEqual(newestFirst.toReversed())
  })
})
