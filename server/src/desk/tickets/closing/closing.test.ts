import { type Queue, queuesApi } from '@recado/contract/queues'
import type { Ticket } from '@recado/contract/tickets'
import type { ClosingForm, TicketClosing } from '@recado/contract/tickets/closing'
import { type TicketBatch, ticketBatchesApi } from '@recado/contract/tickets/ticket-batches'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../../test/test-server.ts'

let harness: TestServer
let desk: Desk
let ana: TestUser & { name: string }
const openNewDesk = async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  ana = await desk.createUser('user')
}
afterAll(closeTestServers)

type FormDraft = { reasonRequired?: boolean; reasons?: object[]; fields?: object[] }
let lastColor = 200_000
const write = (queue: Pick<Queue, 'id' | 'name'>, closing: FormDraft) =>
  desk.admin.request<Queue>('PUT', `/queue/${queue.id}`, {
    ...{ name: queue.name, color: `#${lastColor++}`, userIds: [ana.id] },
    closing: { reasons: [], fields: [], ...closing },
  })
/** A queue of Ana that asks nothing. */
const createPlainQueue = async () => (await write(await desk.createQueue(), {})).body
/** A queue that asks for a reason when a ticket is closed. */
async function createAskingQueue(closing: FormDraft = {}): Promise<Queue> {
  const queue = await desk.createQueue()
  const reasons = [{ name: 'Viaje confirmado' }, { name: 'Dejó de responder' }]
  const { status, body } = await write(queue, { reasonRequired: true, reasons, ...closing })
  expect(status).toBe(201)
  return body
}
async function createTicketIn(queue: { id: number }): Promise<number> {
  const { id } = await desk.newTicket()
  await desk.putTicket(desk.admin, id, { queueId: queue.id, status: 'pending', userId: null })
  await desk.accept(ana, id)
  return id
}
const resolve = (id: number, more: object = {}, by: TestUser = ana) =>
  desk.putTicket<Ticket & { error?: string }>(by, id, { status: 'closed', justClose: true, ...more })
const listClosings = async (id: number) =>
  (await desk.admin.request<{ closings: TicketClosing[] }>('GET', `/tickets/${id}/closings`)).body.closings
const findId = (all: { id: number; name: string }[], name: string) => all.find((one) => one.name === name)?.id as number

describe('the closing form of a queue', () => {
  beforeAll(openNewDesk)

  it('asks nothing until an admin fills it', async () => {
    const queue = await createPlainQueue()
    expect(queue.closing).toEqual({ reasonRequired: false, reasons: [], fields: [] })
    expect(await resolve(await createTicketIn(queue))).toMatchObject({
      status: 200,
      body: { status: 'closed', closingReason: null },
    })
  })

  it('keeps its order, its ids and unsent forms, and is part of a new queue', async () => {
    const closing = {
      reasonRequired: true,
      reasons: [{ name: 'Precio' }, { name: 'Repetido' }],
      fields: [{ name: 'Salida', kind: 'choice', required: true, choices: ['lancha', 'fogón'] }],
    }
    const { body: queue } = await desk.admin.request<Queue>('POST', '/queue', {
      ...{ name: 'Excursiones', color: `#${lastColor++}` },
      closing,
    })
    expect(queue.closing).toMatchObject(closing)
    const [price, repeated] = queue.closing.reasons
    const swapped = await write(queue, { ...closing, reasons: [repeated as object, { ...price, name: 'Caro' }] })
    expect(swapped.body.closing.reasons).toEqual([repeated, { id: price?.id, name: 'Caro' }])
    const later = await desk.admin.call(queuesApi.update, {
      params: { id: queue.id },
      body: { name: 'Excursiones', color: `#${lastColor++}` } as never,
    })
    expect(later.closing.reasons).toEqual(swapped.body.closing.reasons)
  })

  it('is listed for agents, without queues that ask nothing', async () => {
    const [plain, asking] = [await createPlainQueue(), await createAskingQueue()]
    const { body } = await ana.request<(ClosingForm & { queueId: number })[]>('GET', '/queue/closing-forms')
    expect(body).toContainEqual({ queueId: asking.id, ...asking.closing })
    expect(body.map(({ queueId }) => queueId)).not.toContain(plain.id)
  })

  it('archives a removed reason, so that closed tickets still name it, and continues one that is added again', async () => {
    const queue = await createAskingQueue()
    const closingReasonId = findId(queue.closing.reasons, 'Dejó de responder')
    const id = await createTicketIn(queue)
    await resolve(id, { closingReasonId })
    const without = await write(queue, { reasons: [{ name: 'Otro' }] })
    expect(without.body.closing.reasons.map(({ name }) => name)).toEqual(['Otro'])
    expect((await desk.showTicket(id)).closingReason).toEqual({ id: closingReasonId, name: 'Dejó de responder' })
    expect((await resolve(await createTicketIn(queue), { closingReasonId })).body.error).toBe(
      'ERR_NO_CLOSINGREASON_FOUND',
    )
    const again = await write(queue, { reasons: [{ name: 'Dejó de responder' }] })
    expect(again.body.closing.reasons).toEqual([{ id: closingReasonId, name: 'Dejó de responder' }])
  })

  it('keeps the reasons of a deleted queue for its closed tickets', async () => {
    const queue = await createAskingQueue()
    const id = await createTicketIn(queue)
    await resolve(id, { closingReasonId: findId(queue.closing.reasons, 'Viaje confirmado') })
    await desk.admin.call(queuesApi.remove, { params: { id: queue.id } })
    expect((await desk.showTicket(id)).closingReason?.name).toBe('Viaje confirmado')
  })

  it.each<[what: string, closing: FormDraft]>([
    ['31 reasons', { reasons: Array.from({ length: 31 }, (_, n) => ({ name: `Motivo ${n}` })) }],
    ['the same reason twice', { reasons: [{ name: 'Precio' }, { name: 'precio' }] }],
    ['a required reason without reasons', { reasonRequired: true }],
    ['11 fields', { fields: Array.from({ length: 11 }, (_, n) => ({ name: `Dato ${n}`, kind: 'text' })) }],
    ['a choice without anything to choose', { fields: [{ name: 'Salida', kind: 'choice' }] }],
    ['an unknown kind', { fields: [{ name: 'Salida', kind: 'date' }] }],
  ])('refuses %s', async (_, closing) => {
    expect((await write(await desk.createQueue(), closing)).status).toBe(400)
  })

  it('refuses reasons and fields of another queue and of another company', async () => {
    const fields = [{ name: 'Salida', kind: 'text' }]
    const queue = await createAskingQueue({ fields })
    const other = await createAskingQueue({ fields })
    const away = await openDesk(harness)
    const { body: far } = await away.admin.request<Queue>('POST', '/queue', {
      ...{ name: 'Lejos', color: '#123123' },
      closing: { reasons: [{ name: 'Lejos' }], fields },
    })
    for (const { closing } of [other, far]) {
      const [reason, field] = [closing.reasons[0] as { id: number }, closing.fields[0] as { id: number }]
      expect((await write(queue, { reasons: [{ ...reason }] })).body).toMatchObject({
        error: 'ERR_NO_CLOSINGREASON_FOUND',
      })
      expect((await write(queue, { fields: [{ ...field }] })).body).toMatchObject({
        error: 'ERR_NO_CLOSINGFIELD_FOUND',
      })
      const id = await createTicketIn(queue)
      expect((await resolve(id, { closingReasonId: reason.id })).body.error).toBe('ERR_NO_CLOSINGREASON_FOUND')
      const own = queue.closing.reasons[0]?.id
      const values = [{ id: field.id, value: 'x' }]
      expect((await resolve(id, { closingReasonId: own, closingFields: values })).body.error).toBe(
        'ERR_NO_CLOSINGFIELD_FOUND',
      )
      expect((await desk.showTicket(id)).status).toBe('open')
    }
  })
})

const allFields = [
  { name: 'Salida', kind: 'choice', required: true, choices: ['lancha', 'fogón'] },
  { name: 'Personas', kind: 'number', required: true },
  { name: 'Pagó', kind: 'yesNo', required: false },
  { name: 'Nota', kind: 'text', required: false },
]
const fill = ({ fields }: ClosingForm, values: Record<string, unknown>) =>
  Object.entries(values).map(([name, value]) => ({ id: findId(fields, name), value }))

describe('closing a ticket of a queue that asks', () => {
  beforeAll(openNewDesk)

  it('refuses a missing reason and a missing field, and stores what the person said', async () => {
    const queue = await createAskingQueue({ fields: allFields })
    const id = await createTicketIn(queue)
    expect(await resolve(id)).toMatchObject({ status: 409, body: { error: 'ERR_CLOSING_REASON_REQUIRED' } })
    const closingReasonId = findId(queue.closing.reasons, 'Viaje confirmado')
    const some = fill(queue.closing, { Personas: 4, Salida: '' })
    expect(await resolve(id, { closingReasonId, closingFields: some })).toMatchObject({
      status: 409,
      body: { error: 'ERR_CLOSING_FIELDS_REQUIRED' },
    })
    expect((await desk.showTicket(id)).status).toBe('open')
    const closingFields = fill(queue.closing, { Personas: 4, Salida: 'fogón', Pagó: false })
    const closed = await resolve(id, { closingReasonId, closingFields, closingNote: 'Seña pedida' })
    expect(closed.body).toMatchObject({
      status: 'closed',
      closingReason: { id: closingReasonId, name: 'Viaje confirmado' },
    })
    expect(await listClosings(id)).toMatchObject([
      {
        reason: { name: 'Viaje confirmado' },
        fields: [
          { name: 'Salida', kind: 'choice', value: 'fogón' },
          { name: 'Personas', kind: 'number', value: 4 },
          { name: 'Pagó', kind: 'yesNo', value: false },
        ],
        note: 'Seña pedida',
        byItself: false,
        user: { id: ana.id },
      },
    ])
    const [event] = (await desk.listEvents(id)).filter(({ kind }) => kind === 'resolve')
    expect(event?.steps[0]?.with).toEqual({
      ...{ reason: 'Viaje confirmado', note: 'Seña pedida' },
      ...{ 'field Salida': 'fogón', 'field Personas': 4, 'field Pagó': false },
    })
  })

  it.each<[what: string, values: Record<string, unknown>]>([
    ['another choice', { Salida: 'avión', Personas: 1 }],
    ['a text for a number', { Salida: 'fogón', Personas: '4' }],
    ['a number that is too long', { Salida: 'fogón', Personas: 1e13 }],
    ['a text for yes or no', { Salida: 'fogón', Personas: 1, Pagó: 'sí' }],
    ['a text that is too long', { Salida: 'fogón', Personas: 1, Nota: 'x'.repeat(501) }],
  ])('refuses %s', async (_, values) => {
    const queue = await createAskingQueue({ fields: allFields })
    const id = await createTicketIn(queue)
    const closingFields = fill(queue.closing, values)
    const closingReasonId = queue.closing.reasons[0]?.id
    expect(await resolve(id, { closingReasonId, closingFields })).toMatchObject({ status: 400 })
    expect((await desk.showTicket(id)).status).toBe('open')
  })

  it('asks what the queue asks into which the same call moves the ticket', async () => {
    const [from, to] = [await createPlainQueue(), await createAskingQueue()]
    const id = await createTicketIn(from)
    expect((await resolve(id, { queueId: to.id }, desk.admin)).body.error).toBe('ERR_CLOSING_REASON_REQUIRED')
    expect(await desk.showTicket(id)).toMatchObject({ status: 'open', queueId: from.id })
    const closed = await resolve(id, { queueId: to.id, closingReasonId: to.closing.reasons[0]?.id }, desk.admin)
    expect(closed.body).toMatchObject({ queueId: to.id, closingReason: to.closing.reasons[0] })
  })

  it('puts reason and values back to none when it is undone', async () => {
    const queue = await createAskingQueue()
    const id = await createTicketIn(queue)
    await resolve(id, { closingReasonId: queue.closing.reasons[0]?.id, closingNote: 'x' })
    expect((await ana.request('POST', `/tickets/${id}/undo`, {})).status).toBe(200)
    expect(await desk.showTicket(id)).toMatchObject({ status: 'open', closingReason: null })
    expect(await listClosings(id)).toEqual([])
    const nothing = { closingReasonId: null, closingNote: null, closedItself: null, endedBy: null }
    expect((await desk.listSegments(id)).at(-1)).toMatchObject(nothing)
    const row = await desk.db.selectFrom('tickets').select('closingReasonId').where('id', '=', id).executeTakeFirst()
    expect(row).toEqual({ closingReasonId: null })
  })

  it('keeps the reason of each time when the ticket is reopened and closed again', async () => {
    const queue = await createAskingQueue()
    const [first, second] = queue.closing.reasons
    const id = await createTicketIn(queue)
    await resolve(id, { closingReasonId: first?.id })
    await desk.putTicket(ana, id, { status: 'open' })
    expect((await desk.showTicket(id)).closingReason).toBeNull()
    await resolve(id, { closingReasonId: second?.id })
    expect((await listClosings(id)).map(({ reason }) => reason)).toEqual([second, first])
    expect((await desk.showTicket(id)).closingReason).toEqual(second)
  })

  it('asks nothing when a timer closes it, and says that it closed by itself', async () => {
    const queue = await createAskingQueue()
    const id = await createTicketIn(queue)
    await resolve(id, { closingReasonId: queue.closing.reasons[0]?.id })
    await desk.putTicket(ana, id, { status: 'open' })
    await desk.send(ana, id, '¿Sigues ahí?')
    await desk.db.updateTable('whatsapps').set({ expiresTicket: 5 }).where('id', '=', desk.line.id).execute()
    await desk.withClockForward(6 * 60_000, () => harness.server.switchboard.timers.poll())
    await desk.db.updateTable('whatsapps').set({ expiresTicket: 0 }).where('id', '=', desk.line.id).execute()
    expect(await desk.showTicket(id)).toMatchObject({ status: 'closed', closingReason: null })
    expect((await listClosings(id))[0]).toMatchObject({ reason: null, byItself: true })
  })
})

describe('closing many tickets', () => {
  beforeAll(openNewDesk)

  const settle = () =>
    vi.waitFor(
      async () => {
        const { batch } = await ana.call(ticketBatchesApi.last, {})
        expect(batch?.state).not.toMatch(/running|undoing/)
        return batch as TicketBatch
      },
      { timeout: 10_000, interval: 20 },
    )

  it('gives all the same reason, by its name in other queues, and names what it refused', async () => {
    const first = await createAskingQueue()
    const second = await createAskingQueue({ reasons: [{ name: 'VIAJE CONFIRMADO' }] })
    const third = await createAskingQueue({ reasons: [{ name: 'Precio' }] })
    const plain = await createPlainQueue()
    const ids = await Promise.all([first, second, third, plain].map(createTicketIn))
    const closingReasonId = findId(first.closing.reasons, 'Viaje confirmado')
    const action = { kind: 'resolve', closingReasonId, closingNote: 'Todos juntos' }
    expect((await ana.request('POST', '/tickets/bulk', { ids, action })).status).toBe(200)
    expect(await settle()).toMatchObject({
      ...{ done: 3, refused: 1 },
      refusals: [{ ticketId: ids[2], code: 'ERR_CLOSING_REASON_REQUIRED' }],
    })
    const names = await Promise.all(ids.map(async (id) => (await desk.showTicket(id)).closingReason?.name))
    expect(names).toEqual(['Viaje confirmado', 'VIAJE CONFIRMADO', undefined, undefined])
    expect(await listClosings(ids[3] as number)).toMatchObject([
      { reason: null, note: 'Todos juntos', byItself: false },
    ])
  })

  it('refuses a reason that exists nowhere', async () => {
    const queue = await createAskingQueue()
    const ids = [await createTicketIn(queue)]
    const action = { kind: 'resolve', closingReasonId: 2_000_000_000 }
    expect(await ana.request('POST', '/tickets/bulk', { ids, action })).toMatchObject({
      status: 404,
      body: { error: 'ERR_NO_CLOSINGREASON_FOUND' },
    })
  })
})
