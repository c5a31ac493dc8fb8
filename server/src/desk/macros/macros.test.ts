import { macrosApi } from '@recado/contract/macros/macros'
import type { Message } from '@recado/contract/messages'
import { notesApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { sendForm, tinyPdf } from '../../../test/upload.ts'
import { hours, seconds } from '../../kernel/clock.ts'
import { macroJobs } from './runs.ts'

const startNoFlow = () => Promise.reject(new Error('no step starts a flow'))
type Person = TestUser & { name: string }
let harness: TestServer
let desk: Desk
let sales: { id: number }
let payments: { id: number }
let ana: Person
let beto: Person
let supervisor: Person
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  sales = await desk.createQueue('Ventas')
  payments = await desk.createQueue('Pagos')
  ana = await desk.createUser('user', [sales])
  beto = await desk.createUser('user', [payments])
  supervisor = await desk.createUser('supervisor', [sales])
})
afterAll(closeTestServers)

let lastCode = 0
const save = (by: TestUser, over: object = {}) =>
  by.request<{ id: number; error?: string }>('POST', '/macros', {
    name: 'Pedir la seña',
    shortcode: `sena${++lastCode}`,
    ...over,
  })
const list = async (by: TestUser) => by.call(macrosApi.list, {})
const listIds = async (by: TestUser) => (await list(by)).macros.map(({ id }) => id)

async function createTag(name: string, kanban = 0): Promise<number> {
  const { id } = await desk.db
    .insertInto('tags')
    .values({ companyId: desk.company.id, name, color: '#112233', kanban } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
async function createCase(by: TestUser = ana) {
  const { customer, id } = await desk.newTicket('hola')
  await desk.putTicket(desk.admin, id, { queueId: sales.id, status: 'pending', userId: null })
  await desk.accept(by, id)
  const received = async () => (await customer.listMessages()).filter((m) => !m.fromCustomer).map((m) => m.body)
  return { customer, id, received }
}
const sendWith = async (by: TestUser, id: number, steps: object[], over: object = {}) =>
  (await desk.send(by, id, { body: 'Te paso los datos', macro: { steps }, ...over })).messages[0] as Message
const waitingRuns = async (by: TestUser, ticketId: number) =>
  (await by.call(macrosApi.runs, { params: { ticketId } })).runs
const runNow = (by: TestUser, ticketId: number, steps: object[], over: object = {}) =>
  by.request<never>('POST', '/macros/run', { ticketId, steps, clientId: `client-${++lastCode}`, ...over })
const priority = (value: string) => ({ kind: 'priority', priority: value })
const waitForPriority = (id: number, value: string) =>
  vi.waitFor(async () => expect((await desk.showTicket(id)).priority).toBe(value), { timeout: 10_000, interval: 20 })
async function advance(ms: number): Promise<void> {
  harness.clock.advance(ms)
  await harness.server.switchboard.outbox.look()
}

describe('saved macros', () => {
  it('are seen by their author, by users of their queues, or by everybody', async () => {
    const own = (await save(ana)).body.id
    const ofQueue = (await save(supervisor, { audience: 'queues', queueIds: [sales.id] })).body.id
    const ofAll = (await save(desk.admin, { audience: 'all' })).body.id
    expect(await listIds(ana)).toEqual([own, ofQueue, ofAll])
    expect(await listIds(beto)).toEqual([ofAll])
    expect(await listIds((await openDesk(harness)).admin)).toEqual([])
  })

  it('are shared by supervisors with their queues and by admins with everybody, and changed by no one else', async () => {
    const denied = { status: 400, body: { error: 'ERR_NO_PERMISSION' } }
    expect(await save(ana, { audience: 'queues', queueIds: [sales.id] })).toMatchObject(denied)
    expect(await save(supervisor, { audience: 'queues', queueIds: [payments.id] })).toMatchObject(denied)
    expect(await save(supervisor, { audience: 'all' })).toMatchObject(denied)
    const { id } = (await save(desk.admin, { audience: 'all' })).body
    expect(await ana.request('PUT', `/macros/${id}`, { name: 'Mía', shortcode: 'x' })).toMatchObject(denied)
    expect(await ana.request('DELETE', `/macros/${id}`)).toMatchObject(denied)
    const personal = (await save(ana)).body.id
    expect(await beto.request('DELETE', `/macros/${personal}`)).toMatchObject({
      status: 404,
      body: { error: 'ERR_NO_MACRO_FOUND' },
    })
  })

  it('refuse ids of another company, tags of the board, too many steps and a second macro of the same shortcode', async () => {
    const foreign = await openDesk(harness)
    const foreignQueue = await foreign.createQueue('Otra')
    const lane = await createTag('Carril', 1)
    const codeOf = async (steps: object[]) => (await save(ana, { steps })).body.error
    expect(await codeOf([{ kind: 'queue', queueId: foreignQueue.id }])).toBe('ERR_QUEUE_NOT_FOUND')
    expect(await codeOf([{ kind: 'assign', userId: foreign.admin.id }])).toBe('ERR_NO_USER_FOUND')
    expect(await codeOf([{ kind: 'tags', add: [lane] }])).toBe('ERR_NO_TAG_FOUND')
    expect(await codeOf([{ kind: 'tags', add: [], remove: [] }])).toBe('ERR_VALIDATION')
    expect(await codeOf(Array.from({ length: 11 }, () => priority('high')))).toBe('ERR_VALIDATION')
    await save(ana, { shortcode: 'Igual' })
    expect((await save(ana, { shortcode: '/igual' })).body.error).toBe('ERR_MACRO_SHORTCODE_EXISTS')
  })

  it('show a step as broken when its tag or queue is deleted, and keep the others', async () => {
    const [tag, queue] = [await createTag('Espera seña'), await desk.createQueue('Temporal')]
    const steps = [{ kind: 'tags', add: [tag] }, { kind: 'queue', queueId: queue.id }, priority('low')]
    const { id } = (await save(ana, { steps })).body
    expect((await list(ana)).references).toMatchObject({ tags: [{ id: tag }], queues: [{ id: queue.id }] })
    await desk.admin.request('DELETE', `/queue/${queue.id}`)
    const after = await list(ana)
    expect(after.references).toMatchObject({ tags: [{ id: tag, name: 'Espera seña' }], queues: [] })
    expect(after.macros.find((one) => one.id === id)?.steps).toHaveLength(3)
  })

  it('reach the lists of other browsers at once, and go with their author unless they are shared', async () => {
    const eva = await desk.createUser('user', [sales])
    const socket = await ana.listen()
    const personal = (await save(eva)).body.id
    await vi.waitFor(() =>
      expect(socket.received.map(({ name }) => name)).toContain(`company-${desk.company.id}-macros`),
    )
    await desk.admin.request('DELETE', `/users/${eva.id}`)
    await vi.waitFor(async () =>
      expect(await desk.db.selectFrom('macros').select('id').where('id', '=', personal).execute()).toEqual([]),
    )
  })

  it('keep a file, whose content the author can replace and remove', async () => {
    const { id } = (await save(ana, { message: '' })).body
    const attach = await sendForm(ana, `/macros/${id}/media-upload`, { file: [[tinyPdf, 'Datos.pdf']] })
    expect(attach.status).toBe(200)
    const find = async () => (await list(ana)).macros.find((one) => one.id === id)
    expect(await find()).toMatchObject({ mediaName: 'Datos.pdf', mediaPath: expect.stringContaining('http') })
    await ana.call(macrosApi.detach, { params: { id } })
    expect(await find()).toMatchObject({ mediaName: null, mediaPath: null })
  })
})

describe('steps that follow a message', () => {
  it('run in their order once the message is sent, also after the ticket was given away', async () => {
    const tag = await createTag('Espera')
    const { id } = await createCase()
    const until = new Date(harness.clock.now().getTime() + hours(20)).toISOString()
    await sendWith(ana, id, [
      { kind: 'tags', add: [tag] },
      { kind: 'note', note: 'Quedó pendiente la seña' },
      { kind: 'queue', queueId: payments.id },
      { kind: 'snooze', until },
      priority('high'),
    ])
    await waitForPriority(id, 'high')
    expect(await desk.showTicket(id)).toMatchObject({
      ...{ queueId: payments.id, status: 'pending', userId: null, tags: [{ id: tag }] },
      snooze: { until },
    })
    const notes = await desk.admin.call(notesApi.list, { query: { ticketId: id } as never })
    expect(notes.map(({ note, user }) => [note, user.id])).toEqual([['Quedó pendiente la seña', ana.id]])
  })

  it('wait while the message can be taken back, and go with it', async () => {
    const { id, received } = await createCase()
    const kept = await sendWith(ana, id, [priority('urgent')], { undoSeconds: 6 })
    await advance(seconds(5))
    expect((await desk.showTicket(id)).priority).toBe('normal')
    expect(await waitingRuns(ana, id)).toMatchObject([{ messageId: kept.id, steps: [{ state: 'waiting' }] }])
    await ana.request('POST', `/messages/${kept.id}/undo`, {})
    expect(await waitingRuns(ana, id)).toEqual([])
    await sendWith(ana, id, [priority('low')], { undoSeconds: 6 })
    await advance(seconds(7))
    await waitForPriority(id, 'low')
    expect(await received()).toEqual(['Te paso los datos'])
  })

  it('run once, however often the browser repeats the call and the job is repeated', async () => {
    const { id } = await createCase()
    const { id: macroId } = (await save(ana)).body
    const clientId = 'same-client-id-1'
    const steps = [{ kind: 'note', note: 'Una sola vez' }]
    const [first] = await Promise.all(
      [1, 2, 3].map(() => sendWith(ana, id, steps, { clientId, macro: { macroId, steps } })),
    )
    const job = macroJobs(harness.server.deps, startNoFlow)['macros:run']
    const again = () => job({ companyId: desk.company.id, messageId: Number(first?.id) })
    await vi.waitFor(async () => {
      await Promise.all([again(), again()])
      expect(await desk.admin.call(notesApi.list, { query: { ticketId: id } as never })).toHaveLength(1)
    })
    await again()
    expect(await desk.admin.call(notesApi.list, { query: { ticketId: id } as never })).toHaveLength(1)
    expect((await list(ana)).macros.find((one) => one.id === macroId)?.uses).toBe(1)
  })

  it('do not run when the message is refused, and the ticket stays open', async () => {
    const { id } = await createCase()
    const answer = await beto.request('POST', `/messages/${id}`, {
      body: 'No es mío',
      macro: { steps: [{ kind: 'resolve' }] },
    })
    expect(answer.status).toBe(404)
    const empty = await ana.request('POST', `/messages/${id}`, { body: '', macro: { steps: [{ kind: 'resolve' }] } })
    expect(empty).toMatchObject({ status: 400, body: { error: 'ERR_VALIDATION' } })
    expect(await waitingRuns(ana, id)).toEqual([])
    expect((await desk.showTicket(id)).status).toBe('open')
  })

  it('wait when the line refuses the message, run after a retry that succeeds, and go when it is deleted', async () => {
    const { id } = await createCase()
    const sent = async () => {
      const message = await sendWith(ana, id, [{ kind: 'resolve' }], { undoSeconds: 10 })
      await desk.db
        .updateTable('messages')
        .set({ state: 'failed', error: 'refused' })
        .where('id', '=', Number(message.id))
        .execute()
      await advance(seconds(11))
      return message
    }
    const deleted = await sent()
    expect(await waitingRuns(ana, id)).toHaveLength(1)
    await ana.request('DELETE', `/messages/${deleted.id}`)
    expect(await waitingRuns(ana, id)).toEqual([])
    const retried = await sent()
    expect((await desk.showTicket(id)).status).toBe('open')
    await ana.request('POST', `/messages/${retried.id}/retry`, {})
    await advance(seconds(1))
    await vi.waitFor(async () => expect((await desk.showTicket(id)).status).toBe('closed'), { timeout: 10_000 })
  })

  it('can be dropped by their author alone while they wait', async () => {
    const { id } = await createCase()
    await sendWith(ana, id, [priority('urgent')], { undoSeconds: 20 })
    const [run] = await waitingRuns(ana, id)
    expect(await waitingRuns(desk.admin, id)).toEqual([])
    expect(await supervisor.request('DELETE', `/macros/runs/${run?.id}`)).toMatchObject({ status: 404 })
    await ana.call(macrosApi.cancelRun, { params: { id: run?.id as number } })
    await advance(seconds(21))
    expect((await desk.showTicket(id)).priority).toBe('normal')
  })
})

describe('steps without a message', () => {
  it('run within the call, report what is refused, and do the rest', async () => {
    const { id } = await createCase()
    const past = new Date(harness.clock.now().getTime() - 1000).toISOString()
    const steps = [{ kind: 'snooze', until: past }, { kind: 'tags', add: [999_999] }, priority('high')]
    expect(await runNow(ana, id, steps)).toMatchObject({
      status: 200,
      body: {
        state: 'done',
        steps: [
          { kind: 'snooze', state: 'refused', error: 'ERR_SNOOZE_TIME_PAST' },
          { kind: 'tags', state: 'refused', error: 'ERR_NO_TAG_FOUND' },
          { kind: 'priority', state: 'done', error: null },
        ],
      },
    })
    expect((await desk.showTicket(id)).priority).toBe('high')
  })

  it('run once under the same client id', async () => {
    const { id } = await createCase()
    const once = { clientId: 'repeated-call-1' }
    const steps = [{ kind: 'note', note: 'Solo una' }]
    const [a, b] = await Promise.all([runNow(ana, id, steps, once), runNow(ana, id, steps, once)])
    expect(a.body).toMatchObject({ id: (b.body as { id: number }).id })
    expect(await desk.admin.call(notesApi.list, { query: { ticketId: id } as never })).toHaveLength(1)
  })

  it('are refused for a ticket that the user does not see', async () => {
    const { id } = await createCase()
    const missing = { status: 404, body: { error: 'ERR_NO_TICKET_FOUND' } }
    expect(await runNow(beto, id, [priority('high')])).toMatchObject(missing)
    expect(await beto.request('POST', '/macros/check', { ticketId: id, steps: [priority('high')] })).toMatchObject(
      missing,
    )
    expect(await beto.request('GET', `/macros/runs/${id}`)).toMatchObject(missing)
  })

  it('are undone together, the ticket is as before, and a second undo is refused', async () => {
    const { id } = await createCase()
    const tag = await createTag('Deshacer')
    const before = await desk.showTicket(id)
    const until = new Date(harness.clock.now().getTime() + hours(2)).toISOString()
    const steps = [
      { kind: 'tags', add: [tag] },
      priority('urgent'),
      { kind: 'note', note: 'Se deshace' },
      { kind: 'queue', queueId: payments.id },
      { kind: 'snooze', until },
    ]
    const run = (await runNow(ana, id, steps)).body as { id: number }
    expect(await desk.showTicket(id)).toMatchObject({ queueId: payments.id, priority: 'urgent' })
    expect(await beto.request('POST', `/macros/runs/${run.id}/undo`, {})).toMatchObject({ status: 404 })
    expect((await ana.call(macrosApi.undoRun, { params: { id: run.id } })).state).toBe('undone')
    const { status, userId, queueId, snooze, priority: level, tags } = before
    expect(await desk.showTicket(id)).toMatchObject({ status, userId, queueId, snooze, priority: level, tags })
    expect(await desk.admin.call(notesApi.list, { query: { ticketId: id } as never })).toEqual([])
    expect(await ana.request('POST', `/macros/runs/${run.id}/undo`, {})).toMatchObject({
      body: { error: 'ERR_UNDO_TOO_LATE' },
    })
  })

  it('are undone not at all after somebody changed the ticket, or after the time is over', async () => {
    const { id } = await createCase()
    const start = async (value: string) =>
      (await runNow(ana, id, [priority(value), { kind: 'note', note: 'Queda' }])).body as { id: number }
    const changed = await start('urgent')
    await desk.putTicket(supervisor, id, { priority: 'low' })
    const tooLate = { status: 409, body: { error: 'ERR_UNDO_TOO_LATE' } }
    expect(await ana.request('POST', `/macros/runs/${changed.id}/undo`, {})).toMatchObject(tooLate)
    const late = await start('high')
    harness.clock.advance(seconds(25))
    expect(await ana.request('POST', `/macros/runs/${late.id}/undo`, {})).toMatchObject(tooLate)
    expect((await desk.showTicket(id)).priority).toBe('high')
  })

  it('resolve with a reason where the queue requires one, and are refused without', async () => {
    const { id } = await createCase()
    const form = { reasonRequired: true, reasons: [{ name: 'Vendido' }], fields: [] }
    await desk.admin.request('PUT', `/queue/${sales.id}`, { name: 'Ventas', color: '#112233', closing: form })
    const { id: reason } = await desk.db
      .selectFrom('closingReasons')
      .select('id')
      .where('queueId', '=', sales.id)
      .executeTakeFirstOrThrow()
    expect(await runNow(ana, id, [{ kind: 'resolve' }])).toMatchObject({
      body: { steps: [{ state: 'refused', error: 'ERR_CLOSING_REASON_REQUIRED' }] },
    })
    const step = { kind: 'resolve', closingReasonId: reason }
    expect((await save(ana, { steps: [step] })).status).toBe(200)
    expect((await list(ana)).references.reasons).toEqual([{ id: reason, name: 'Vendido' }])
    expect((await save(ana, { steps: [{ kind: 'resolve', closingReasonId: 999_999 }] })).body.error).toBe(
      'ERR_NO_CLOSINGREASON_FOUND',
    )
    expect(await runNow(ana, id, [step])).toMatchObject({ body: { steps: [{ state: 'done' }] } })
    expect((await desk.showTicket(id)).status).toBe('closed')
  })

  it('can be checked before: who may not do what, and how the ticket would be, without changing it', async () => {
    const { id } = await createCase()
    const waiting = await desk.newTicket('hola')
    await desk.putTicket(desk.admin, waiting.id, { queueId: sales.id, status: 'pending', userId: null })
    const events = (await desk.listEvents(id)).length
    const check = await ana.call(macrosApi.check, {
      body: {
        ticketId: id,
        steps: [{ kind: 'tags', add: [999_999] }, { kind: 'queue', queueId: payments.id }, priority('high')] as never,
      },
    })
    expect(check).toMatchObject({
      errors: ['ERR_NO_TAG_FOUND', null, null],
      after: { status: 'pending', queue: { name: 'Pagos' }, user: null, priority: 'high' },
    })
    expect(await desk.showTicket(id)).toMatchObject({ status: 'open', queueId: sales.id, priority: 'normal' })
    expect(await desk.listEvents(id)).toHaveLength(events)
    const others = { ticketId: waiting.id, steps: [{ kind: 'assign', userId: beto.id }] as never }
    expect((await ana.call(macrosApi.check, { body: others })).errors).toEqual(['ERR_NO_PERMISSION'])
  })
})
