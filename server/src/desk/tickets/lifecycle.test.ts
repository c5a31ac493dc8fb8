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

type Named = TestUser & { name: string }
type Refusal = {
  error: string
  holder: { userId: number | null; user: { name: string } | null; queue: { name: string } | null; uuid: string }
}
let h: TestServer
let d: Desk
let sales: { id: number; name: string }
let support: { id: number; name: string }
let ana: Named
let beto: Named
let boss: Named
beforeAll(async () => {
  h = await testServer()
  d = await openDesk(h)
  sales = await d.createQueue('Ventas')
  support = await d.createQueue('Soporte')
  ana = await d.createUser('user', [sales])
  beto = await d.createUser('user', [sales])
  boss = await d.createUser('supervisor', [sales])
})
afterAll(closeTestServers)

/** A ticket pending in the sales queue. */
async function createPendingTicket() {
  const { customer, id } = await d.newTicket()
  await d.putTicket(d.admin, id, { queueId: sales.id, status: 'pending', userId: null })
  return { customer, id }
}
async function attended(by: Named = ana) {
  const { customer, id } = await createPendingTicket()
  await d.accept(by, id)
  return { customer, id }
}
const lastTrack = async (id: number) => (await d.listSegments(id)).at(-1)
const kinds = async (id: number) => (await d.listEvents(id)).map((e) => e.kind)
const close = (by: TestUser, id: number) => d.putTicket(by, id, { status: 'closed', userId: by.id })

describe('accept', () => {
  it('makes a pending ticket open and assigned to the caller, stops the bots and starts the attendance', async () => {
    const { id } = await createPendingTicket()
    const { create } = promptsApi
    const prompt = await d.admin.call(create, { body: { ...create.example, queueId: sales.id } as never })
    const flow = await d.admin.call(integrationsApi.create, { body: integrationsApi.create.example as never })
    const machines = { useIntegration: true, promptId: prompt.id, integrationId: flow.id }
    await d.db
      .updateTable('tickets')
      .set({ chatbot: true, ...machines })
      .where('id', '=', id)
      .execute()
    h.clock.advance(minutes(1))
    // Older clients send the bot flags unchanged with the accept.
    const { status, body } = await d.putTicket(ana, id, {
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
    expect((await d.listEvents(id))[0]).toMatchObject({
      kind: 'accept',
      actor: { name: ana.name },
      steps: [{ step: 'accepted', with: { user: ana.name } }],
    })
  })

  it('succeeds for one of two users; the other gets the agent’s name, at once and also later', async () => {
    const { id } = await createPendingTicket()
    const both = await Promise.all(
      [ana, beto].map((p) => d.putTicket<Refusal>(p, id, { status: 'open', userId: p.id })),
    )
    expect(both.map((a) => a.status).sort()).toEqual([200, 409])
    const winner = both[0]?.status === 200 ? ana : beto
    const loser = winner === ana ? beto : ana
    const holder = { userId: winner.id, user: { name: winner.name }, queue: { name: 'Ventas' } }
    expect(both.find((a) => a.status === 409)?.body).toMatchObject({ error: 'ERR_OTHER_OPEN_TICKET', holder })
    const late = await d.putTicket<Refusal>(loser, id, { status: 'open', userId: loser.id })
    expect(late).toMatchObject({ status: 409, body: { error: 'ERR_OTHER_OPEN_TICKET', holder } })
    // A supervisor sees the ticket but cannot accept it either: taking it over is a transfer.
    expect((await d.putTicket<Refusal>(boss, id, { status: 'open', userId: boss.id })).body.holder.user?.name).toBe(
      winner.name,
    )
    expect(await d.putTicket(winner, id, { status: 'open', userId: winner.id })).toMatchObject({
      status: 200,
      body: { userId: winner.id },
    })
    expect((await kinds(id)).filter((k) => k === 'accept')).toHaveLength(1)
    const stranger = await d.createUser('user', [support])
    expect(await d.putTicket<Refusal>(stranger, id, { status: 'open', userId: stranger.id })).toMatchObject({
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
      expect((await d.putTicket<Refusal>(ana, id, request)).body.error).toBe('ERR_NO_PERMISSION')
    expect(await d.showTicket(id)).toMatchObject({ status: 'pending', userId: null, queueId: sales.id })
    expect((await d.putTicket(boss, id, { status: 'open', userId: beto.id })).body).toMatchObject({ userId: beto.id })
  })

  it('assigns the ticket to the caller if no user is given', async () => {
    const { id } = await createPendingTicket()
    expect((await d.putTicket(ana, id, { status: 'open' })).body).toMatchObject({ userId: ana.id })
  })
})

describe('return', () => {
  it('makes an open ticket pending, unassigned, and restarts the waiting time', async () => {
    const { id } = await attended()
    h.clock.advance(minutes(1))
    const answer = await d.putTicket(ana, id, {
      status: 'pending',
      userId: null,
      useIntegration: false,
      promptId: null,
      integrationId: null,
    })
    expect(answer.body).toMatchObject({ status: 'pending', userId: null, user: null, queueId: sales.id })
    const [first, track] = (await d.listSegments(id)).slice(-2)
    expect(first).toMatchObject({ userId: ana.id, endedBy: 'returned' })
    expect(track).toMatchObject({ startedAt: null, userId: null, queuedAt: first?.finishedAt })
    expect(await kinds(id)).toContain('return')
    h.clock.advance(minutes(1))
    await d.putTicket(ana, id, { status: 'pending', userId: null })
    expect(await lastTrack(id)).toEqual(track)
  })
})

describe('resolve', () => {
  it.each([
    ['the list', { queueId: 'same', useIntegration: false, promptId: null, integrationId: null }],
    ['the header', { useIntegration: false, promptId: false, integrationId: false }],
  ])('closes the ticket as %s of older clients requests it', async (_, extra) => {
    const { id } = await attended()
    const given = { status: 'closed', userId: ana.id, ...extra, ...('queueId' in extra && { queueId: sales.id }) }
    const answer = await d.putTicket(ana, id, given)
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
    const tracks = await d.listSegments(id)
    expect(tracks).toHaveLength(2)
    expect(tracks[1]).toMatchObject({ userId: ana.id, finishedAt: expect.any(String), endedBy: 'resolved' })
    expect(await kinds(id)).toContain('resolve')
    await close(ana, id)
    expect(await d.listSegments(id)).toEqual(tracks)
  })

  it('sets the queue that an older client names on accept or close, and refuses a queue of another company', async () => {
    const { id } = await createPendingTicket()
    const named = (by: TestUser, changes: object) => d.putTicket(by, id, changes)
    expect((await named(ana, { status: 'open', userId: ana.id, queueId: support.id })).body).toMatchObject({
      ...{ status: 'open', userId: ana.id, queueId: support.id },
    })
    expect((await named(ana, { status: 'closed', queueId: sales.id })).body).toMatchObject({
      ...{ status: 'closed', userId: ana.id, queueId: sales.id },
    })
    expect((await d.listSegments(id)).map(({ queueId }) => queueId)).toContain(support.id)
    const { id: other } = await createPendingTicket()
    const foreign = await (await h.createCompany()).admin.call(queuesApi.create, {
      body: { name: 'Ajena', color: '#123456' } as never,
    })
    expect((await d.putTicket(ana, other, { status: 'open', userId: ana.id, queueId: foreign.id })).status).toBe(404)
  })

  it('closes also a ticket that no agent accepted', async () => {
    const { id } = await createPendingTicket()
    expect((await close(beto, id)).body).toMatchObject({ status: 'closed', userId: beto.id })
    expect(await lastTrack(id)).toMatchObject({ userId: beto.id, startedAt: null })
  })

  it('counts the attendance for the agent who attended, also when another user closes the ticket', async () => {
    const { id } = await attended()
    expect((await close(d.admin, id)).body).toMatchObject({ userId: d.admin.id })
    expect(await lastTrack(id)).toMatchObject({ userId: ana.id })
  })
})

describe('reopen', () => {
  it('assigns a closed ticket to the caller, with a new attendance', async () => {
    const { id } = await attended()
    await close(ana, id)
    h.clock.advance(minutes(1))
    const answer = await d.putTicket(beto, id, { status: 'open', userId: beto.id, queueId: sales.id })
    expect(answer.body).toMatchObject({ status: 'open', userId: beto.id, queueId: sales.id })
    const [first, second] = (await d.listSegments(id)).slice(-2)
    expect(first).toMatchObject({ userId: ana.id, finishedAt: expect.any(String) })
    expect(second).toMatchObject({ userId: beto.id, startedAt: expect.any(String), finishedAt: null })
    expect((await kinds(id))[0]).toBe('reopen')
  })

  it('is refused while another ticket of the same contact is open, and names its agent', async () => {
    const { customer, id } = await attended()
    await close(ana, id)
    const next = await d.waitForMessage(await customer.says('otra cosa'))
    expect(next.ticketId).not.toBe(id)
    await d.putTicket(d.admin, next.ticketId, { status: 'open', userId: d.admin.id })
    const refused = await d.putTicket<Refusal>(ana, id, { status: 'open', userId: ana.id })
    expect(refused).toMatchObject({
      status: 409,
      body: { error: 'ERR_OTHER_OPEN_TICKET', holder: { userId: d.admin.id, ticketId: next.ticketId } },
    })
    expect(await d.showTicket(id)).toMatchObject({ status: 'closed' })
  })
})

describe('transfer', () => {
  it('to a queue makes the ticket pending in that queue, unassigned', async () => {
    const { id } = await attended()
    const { body } = await d.putTicket(ana, id, { queueId: support.id, status: 'pending', userId: null })
    expect(body).toMatchObject({ status: 'pending', userId: null, queueId: support.id, queue: { name: 'Soporte' } })
    expect(await lastTrack(id)).toMatchObject({ startedAt: null, userId: null, finishedAt: null })
    expect((await d.listEvents(id))[0]).toMatchObject({
      kind: 'transfer',
      actor: { name: ana.name },
      steps: [{ with: { from: 'Ventas', queue: 'Soporte', user: null } }],
    })
    expect((await ana.request('GET', `/tickets/${id}`)).status).toBe(404)
  })

  it('to an agent assigns the ticket at once, also if it was pending', async () => {
    const { id } = await createPendingTicket()
    expect((await d.putTicket(ana, id, { queueId: support.id, userId: beto.id })).body).toMatchObject({
      status: 'open',
      userId: beto.id,
      queueId: support.id,
    })
    expect(await lastTrack(id)).toMatchObject({ userId: beto.id, startedAt: expect.any(String) })
    // Beto does not work in that queue, but sees the ticket because it is assigned to him.
    expect((await beto.request('GET', `/tickets/${id}`)).status).toBe(200)
  })

  it('refuses a user who cannot log in any more, whom older clients still offer', async () => {
    const gone = await d.createUser('user', [sales])
    await d.db.updateTable('users').set({ active: false }).where('id', '=', gone.id).execute()
    const refused = { status: 404, body: { error: 'ERR_NO_USER_FOUND' } }
    const { id } = await attended()
    expect(await d.putTicket(ana, id, { queueId: sales.id, userId: gone.id })).toMatchObject(refused)
    expect(await d.showTicket(id)).toMatchObject({ status: 'open', userId: ana.id })
    const { id: other } = await createPendingTicket()
    expect(await d.putTicket(d.admin, other, { status: 'open', userId: gone.id })).toMatchObject(refused)
    const { contactId } = await d.showTicket(other)
    await d.putTicket(d.admin, other, { status: 'closed', justClose: true })
    const body = { contactId, queueId: sales.id, whatsappId: null, userId: gone.id, status: 'open' }
    expect(await d.admin.request('POST', '/tickets', body)).toMatchObject(refused)
  })

  it('to another line moves the conversation', async () => {
    const { customer, id } = await attended()
    const other = await h.openLine(d.company)
    await d.send(ana, id, 'por aquí')
    expect(
      (await d.putTicket(ana, id, { queueId: sales.id, whatsappId: other.id, userId: ana.id })).body,
    ).toMatchObject({
      whatsappId: other.id,
      userId: ana.id,
      status: 'open',
    })
    await d.send(ana, id, 'y por allá')
    expect((await d.listMessages(ana, id)).map((m) => m.body)).toEqual(['hola', 'por aquí', 'y por allá'])
    await vi.waitFor(async () =>
      expect((await other.customer(customer.number).listMessages()).map((m) => m.body)).toEqual(['y por allá']),
    )
    // A change of line alone does not unassign the agent.
    expect((await d.putTicket(ana, id, { whatsappId: d.line.id })).body).toMatchObject({
      userId: ana.id,
      status: 'open',
    })
    expect(await lastTrack(id)).toMatchObject({ userId: ana.id, startedAt: expect.any(String) })
    await d.putTicket(ana, id, { whatsappId: other.id })
    // The customer's next message on the first line opens a new ticket.
    const back = await d.waitForMessage(await customer.says('sigo acá'))
    expect(back.ticketId).not.toBe(id)
    const refused = await d.putTicket<Refusal>(d.admin, back.ticketId, { whatsappId: other.id, queueId: sales.id })
    expect(refused).toMatchObject({ status: 409, body: { error: 'ERR_OTHER_OPEN_TICKET', holder: { ticketId: id } } })
  })

  it('refuses queues, users and lines of other companies', async () => {
    const { id } = await attended()
    const foreign = await openDesk(h)
    const queue = await foreign.createQueue()
    const errors = []
    for (const target of [{ queueId: queue.id }, { userId: foreign.admin.id }, { whatsappId: foreign.line.id }])
      errors.push((await d.putTicket<Refusal>(ana, id, target)).body.error)
    expect(errors).toEqual(['ERR_QUEUE_NOT_FOUND', 'ERR_NO_USER_FOUND', 'ERR_NO_WAPP_FOUND'])
    expect(await d.showTicket(id)).toMatchObject({ userId: ana.id, queueId: sales.id, whatsappId: d.line.id })
  })

  it('does not reopen a closed ticket', async () => {
    const { id } = await attended()
    await close(ana, id)
    for (const target of [{ queueId: support.id }, { userId: beto.id }, { status: 'pending', userId: null }])
      expect(await d.putTicket<Refusal>(ana, id, target)).toMatchObject({
        status: 409,
        body: { error: 'ERR_TICKET_NOT_OPEN' },
      })
    expect(await d.showTicket(id)).toMatchObject({ status: 'closed', queueId: sales.id })
  })
})

describe('ticket segments', () => {
  /** Much longer than a call takes, and much shorter than a session lasts. */
  const unit = minutes(1 / 3)
  const segments = async (id: number) =>
    (await d.listSegments(id)).map(({ userId, queueId, queuedAt, startedAt, finishedAt, endedBy }) => ({
      userId,
      queueId,
      waited: startedAt && between(queuedAt, startedAt),
      attended: startedAt && finishedAt && between(startedAt, finishedAt),
      endedBy,
    }))
  const between = (from: string | null, to: string) => Math.round((Date.parse(to) - Date.parse(from as string)) / unit)

  it('record how long the customer waited for whom, and how long each agent attended', async () => {
    const { id } = await d.newTicket()
    const after = (some: number) => h.clock.advance(some * unit)
    await d.putTicket(d.admin, id, { queueId: sales.id, status: 'pending', userId: null })
    after(2)
    await d.accept(ana, id)
    after(3)
    await d.putTicket(ana, id, { status: 'pending', userId: null })
    after(1)
    await d.accept(beto, id)
    after(4)
    await d.putTicket(beto, id, { queueId: support.id, userId: ana.id })
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
    await d.putTicket(ana, id, { status: 'open', userId: ana.id })
    expect((await segments(id)).slice(4)).toEqual([
      { userId: ana.id, queueId: support.id, waited: 0, attended: null, endedBy: null },
    ])
  })
})

describe('bots of a ticket', () => {
  it('are saved as requested while no agent attends, and stay silent once an agent does', async () => {
    const { id } = await createPendingTicket()
    const asked = { useIntegration: true, promptId: false, integrationId: '' }
    expect((await d.putTicket(d.admin, id, asked)).body).toMatchObject({
      useIntegration: true,
      promptId: null,
      integrationId: null,
      status: 'pending',
    })
    await d.accept(ana, id)
    expect((await d.putTicket(ana, id, asked)).body).toMatchObject({ useIntegration: false, promptId: null })
  })

  it('are refused if their prompt or integration is unknown, and then no other field of the call is applied', async () => {
    const { id } = await createPendingTicket()
    const refused = async (body: object) => (await d.putTicket<Refusal>(ana, id, body)).body.error
    expect(await refused({ status: 'open', promptId: 5 })).toBe('ERR_NO_PROMPT_FOUND')
    expect(await refused({ status: 'open', integrationId: '6' })).toBe('ERR_NO_INTEGRATION_FOUND')
    expect(await d.showTicket(id)).toMatchObject({ status: 'pending', promptId: null, integrationId: null })
  })
})

describe('a new attendance', () => {
  it('is a new ticket after the last one was closed, and the thread shows both', async () => {
    const { customer, id } = await attended()
    await d.send(ana, id, 'listo')
    await close(ana, id)
    const next = await d.waitForMessage(await customer.says('una más'))
    expect(next.ticketId).not.toBe(id)
    expect(await d.showTicket(next.ticketId)).toMatchObject({
      status: 'pending',
      userId: null,
      queueId: null,
      unreadMessages: 1,
    })
    expect((await d.listMessages(d.admin, next.ticketId)).map((m) => [m.ticketId, m.body])).toEqual([
      [id, 'hola'],
      [id, 'listo'],
      [next.ticketId, 'una más'],
    ])
  })

  it('continues a ticket that was closed a moment ago, if the company enables reopening', async () => {
    await d.setSetting('autoReopenTimeout', '15')
    const { customer, id } = await attended()
    await close(ana, id)
    const [watching, closer] = [await beto.listen(), await d.admin.listen()]
    h.clock.advance(minutes(1))
    const back = await d.waitForMessage(await customer.says('me olvidé algo'))
    expect(back.ticketId).toBe(id)
    expect(await d.showTicket(id)).toMatchObject({
      status: 'pending',
      userId: null,
      queueId: sales.id,
      unreadMessages: 1,
    })
    expect(await lastTrack(id)).toMatchObject({ startedAt: null, finishedAt: null, userId: null })
    for (const socketClient of [watching, closer]) {
      const name = `company-${d.company.id}-ticket`
      await socketClient.waitFor(name, { action: 'update' })
      expect(socketClient.received.filter((n) => n.name === name).map((n) => n.payload.action)).toEqual([
        'delete',
        'update',
      ])
      socketClient.close()
    }
    await close(d.admin, id)
    const after = makeTextEvent(customer.number, 'mucho después')
    await d.withClockForward(minutes(16), () => d.receive(after))
    expect((await d.waitForMessage(after.id)).ticketId).not.toBe(id)
    await d.setSetting('autoReopenTimeout', '0')
  })
})

describe('starting a conversation', () => {
  const contact = async () =>
    (
      await d.admin.request<{ id: number }>('POST', '/contacts', {
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
      whatsappId: d.line.id,
      lastMessage: '',
      unreadMessages: 0,
      contact: { id: contactId, extraInfo: [] },
    })
    expect(await lastTrack(body.id)).toMatchObject({ userId: ana.id, startedAt: expect.any(String) })
    expect(await kinds(body.id)).toEqual(['create'])
    expect((await start(d.admin, { contactId: await contact(), status: 'pending', userId: null })).body).toMatchObject({
      status: 'pending',
      userId: null,
    })
  })

  it('uses the requested line, else the user’s own line', async () => {
    const other = await h.openLine(d.company)
    expect((await start(ana, { contactId: await contact(), whatsappId: other.id })).body).toMatchObject({
      whatsappId: other.id,
    })
    await d.db.updateTable('users').set({ whatsappId: other.id }).where('id', '=', beto.id).execute()
    expect((await start(beto, { contactId: await contact() })).body).toMatchObject({ whatsappId: other.id })
    await d.db.updateTable('users').set({ whatsappId: null }).where('id', '=', beto.id).execute()
  })

  it('requires one of the user’s own queues; users who see all queues may leave it empty', async () => {
    const refused = async (by: TestUser, queueId: number | null) =>
      (await start<Refusal>(by, { contactId: await contact(), queueId })).body
    for (const by of [ana, boss]) {
      expect(await refused(by, null)).toEqual({ error: 'ERR_VALIDATION', fields: { queueId: 'Required' } })
      expect(await refused(by, support.id)).toMatchObject({ error: 'ERR_QUEUE_NOT_FOUND' })
    }
    expect((await start(d.admin, { contactId: await contact(), queueId: null })).body).toMatchObject({ queueId: null })
    expect((await start(d.admin, { contactId: await contact(), queueId: support.id })).status).toBe(200)
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
    await d.putTicket(ana, mine.id, { status: 'pending', userId: null })
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
    const mine = (await start(d.admin, { contactId, queueId: null })).body
    expect(await start(d.admin, { contactId })).toMatchObject({
      status: 409,
      body: {
        error: { userId: d.admin.id, user: { name: expect.any(String) }, queue: { name: '' }, uuid: mine.uuid },
        holder: { userId: d.admin.id, queue: null },
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
    expect((await start(boss, { contactId, userId: beto.id })).body).toMatchObject({ userId: beto.id })
  })

  it('requires a contact and a line', async () => {
    expect((await start<Refusal>(ana, { contactId: 999_999 })).body.error).toBe('ERR_NO_CONTACT_FOUND')
    expect((await start<Refusal>(ana, { contactId: await contact(), whatsappId: 999_999 })).body.error).toBe(
      'ERR_NO_WAPP_FOUND',
    )
    expect((await start<Refusal>(ana, { contactId: await contact(), queueId: 999_999 })).body.error).toBe(
      'ERR_QUEUE_NOT_FOUND',
    )
    const mute = await h.createCompany()
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
    const { customer, id } = await attended()
    await d.send(ana, id, 'adjunto')
    await sendForm(ana, `/messages/${id}`, { medias: [[tinyPng, 'nuestra.png']] })
    await d.waitForMessage(await customer.sends(new File([tinyPng], 'suya.png')))
    await vi.waitFor(async () =>
      expect((await d.listMessages(ana, id)).map((m) => m.mediaState)).not.toContain('pending'),
    )
    await ana.request('POST', '/ticket-notes', { note: 'una nota', ticketId: id })
    const names = (
      await d.db
        .selectFrom('messages')
        .select('mediaPath')
        .where('ticketId', '=', id)
        .where('mediaPath', 'is not', null)
        .execute()
    ).map((m) => m.mediaPath as string)
    expect(names).toHaveLength(2)
    const onDisk = async () => (await readdir(`${h.dataDir}/files/${d.company.id}`)).filter((f) => names.includes(f))
    expect(await onDisk()).toHaveLength(2)
    expect((await ana.request<{ error: string }>('DELETE', `/tickets/${id}`)).body.error).toBe('ERR_NO_PERMISSION')
    expect((await d.admin.request('DELETE', `/tickets/${id}`)).status).toBe(200)
    expect((await d.admin.request('GET', `/tickets/${id}`)).status).toBe(404)
    for (const table of ['messages', 'ticketNotes', 'ticketTracking', 'ticketEvents'] as const)
      expect(await d.db.selectFrom(table).select('id').where('ticketId', '=', id).execute()).toEqual([])
    await vi.waitFor(async () => expect(await onDisk()).toEqual([]), { timeout: 8000 })
    // The customer may write again, in a new ticket.
    expect((await d.waitForMessage(await customer.says('¿hola?'))).ticketId).not.toBe(id)
  })
})

describe('ticket history', () => {
  it('lists the events of a ticket, newest first, each with its reason', async () => {
    const { customer, id } = await attended()
    await d.waitForMessage(await customer.says('otra'))
    await close(ana, id)
    const events = await d.listEvents(id)
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
    const stranger = await d.createUser('user', [support])
    expect((await stranger.request('GET', `/tickets/${id}/events`)).status).toBe(404)
  })

  it('keeps the order of entries journalled at once, whatever the number of digits of their ids', async () => {
    const { customer, id } = await attended()
    const burst = [999_998, 999_999, 1_000_000, 1_000_001]
    await sql`
      insert into journal (id, "companyId", "whatsappId", "eventId", chat, kind, event, "receivedAt", "processedAt", "ticketId")
      overriding system value
      select n, ${d.company.id}, ${d.line.id}, 'message:' || n, ${`${customer.number}@s.whatsapp.net`}, 'message',
        '{}', ${h.clock.now()}, ${h.clock.now()}, ${id}
      from unnest(${burst}::int[]) n`.execute(d.db)
    const newestFirst = burst.toReversed().map((n) => `j${n}`)
    expect((await d.listEvents(id)).map((e) => e.id).slice(0, burst.length)).toEqual(newestFirst)
    expect((await customer.inside()).map((e) => e.id).slice(-burst.length)).toEqual(newestFirst.toReversed())
  })
})
