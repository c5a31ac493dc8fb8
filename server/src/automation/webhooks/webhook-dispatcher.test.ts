import { auditApi } from '@recado/contract/api-access/audit'
import { webhookDataSchemas } from '@recado/contract/api-access/webhook-bodies'
import { type WebhookEvent, webhookEvents, webhooksApi, webhookToolsApi } from '@recado/contract/api-access/webhooks'
import { noticesApi } from '@recado/contract/notices'
import type { Queue } from '@recado/contract/queues'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Desk, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { isWebhookSigned } from '../../../test/fake-webhook.ts'
import { type LoopbackRequest, openLoopbackServer } from '../../../test/loopback-server.ts'
import { closeTestServers, startSecondProcess, type TestServer, testServer } from '../../../test/test-server.ts'
import { deskContactHooks } from '../../desk/composition/contact-hooks.ts'
import { storeRating } from '../../desk/rating.ts'
import { resolveContact } from '../../directory/contacts/resolve-contact.ts'
import { addMs, hours, minutes } from '../../kernel/clock.ts'
import { Scope } from '../../kernel/data/scope.ts'

type ReceivedEvent = { id: string; type: string; timestamp: string; companyId: number; data: Record<string, unknown> }

const timings = { timeoutMs: 3000, publishMs: 10, graceMs: 0 }
let harness: TestServer
let desk: Desk
let program: Awaited<ReturnType<typeof openLoopbackServer>>
beforeAll(async () => {
  program = await openLoopbackServer(() => ({ body: 'thanks' }))
  harness = await testServer({ privateTargets: true }, undefined, { dispatchTimings: timings })
  // The clock is frozen: retries happen when the test moves it, however slow the machine is.
  harness.clock.freeze()
})
afterAll(async () => {
  await closeTestServers()
  program.close()
})
beforeEach(async () => {
  desk = await openDesk(harness)
  program.reset()
})

const bodies = (asked: LoopbackRequest[] = program.requests): ReceivedEvent[] =>
  asked.map((one) => JSON.parse(one.body))
/** The received events without repetitions: each event as it was first received. */
const uniqueEvents = (): ReceivedEvent[] => [...new Map(bodies().map((body) => [body.id, body])).values()]
const waitFor = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 })
const subscribe = (events: readonly WebhookEvent[], by = desk.admin) =>
  by.call(webhooksApi.create, {
    body: { name: 'Reservas', url: `${program.url}/hook`, events: [...events], active: true },
  })
const show = (id: number) => desk.admin.call(webhooksApi.show, { params: { id } })
const log = async (id: number, query: object = {}) =>
  (await desk.admin.call(webhookToolsApi.deliveries, { params: { id }, query: query as never })).deliveries
const rows = (id: number) =>
  harness.wide().db.selectFrom('webhookEvents').selectAll().where('webhookId', '=', id).orderBy('id').execute()
const allDone = (id: number, count: number) =>
  waitFor(async () => {
    const all = await rows(id)
    expect(all.length).toBe(count)
    expect(all.every((row) => row.state === 'done')).toBe(true)
  })
/** Runs an action with the clock moved so far that no pause or delay is pending any more. */
async function inThe(ms: number, act: () => Promise<void>): Promise<void> {
  harness.clock.advance(ms)
  await harness.server.webhookDispatcher.poll()
  await act()
  harness.clock.advance(-ms)
}

describe('outgoing webhooks', () => {
  it('are sent once, signed, in the documented format', async () => {
    const { id, secret, ...made } = await subscribe(webhookEvents)
    expect(made).toMatchObject({ name: 'Reservas', active: true, waiting: 0, restsSince: null })
    const { body: queue } = await desk.admin.request<Queue>('POST', '/queue', {
      ...{ name: 'Ventas', color: '#0a0b0c' },
      closing: { reasons: [{ name: 'Venta' }], fields: [{ name: 'Personas', kind: 'number' }] },
    })
    const { customer, id: ticketId } = await desk.newTicket('hola')
    await desk.accept(desk.admin, ticketId)
    await desk.send(desk.admin, ticketId, '¿Qué tal?')
    // A message of the fast path, stored by the statement that journals it.
    await desk.waitForHandled(await customer.says('¿están?'))
    await desk.putTicket(desk.admin, ticketId, { queueId: queue.id, userId: null })
    const [reason, field] = [queue.closing.reasons[0], queue.closing.fields[0]]
    const closingFields = [{ id: field?.id, value: 4 }]
    await desk.putTicket(desk.admin, ticketId, { status: 'closed', closingReasonId: reason?.id, closingFields })
    await waitFor(() => expect(uniqueEvents().map((body) => body.type)).toContain('ticket.resolved'))
    await waitFor(() => expect(uniqueEvents().some((body) => body.type === 'message.state')).toBe(true))
    await harness.server.webhookDispatcher.idle()
    for (const asked of program.requests) expect(isWebhookSigned(asked, secret)).toBe(true)
    expect(program.requests.length).toBe(uniqueEvents().length)
    for (const { id: event, type, timestamp, companyId, data } of uniqueEvents()) {
      expect(event).toMatch(/^evt_[0-9a-f]{32}$/)
      expect(companyId).toBe(desk.company.id)
      expect(new Date(timestamp).toISOString()).toBe(timestamp)
      expect(webhookDataSchemas[type as WebhookEvent].strict().parse(data)).toEqual(data)
    }
    const ofTicket = uniqueEvents().filter(
      ({ data, type }) => (type.startsWith('ticket') ? data.id : data.ticketId) === ticketId,
    )
    expect(ofTicket.filter(({ type }) => type !== 'message.state').map(({ type, data }) => [type, data.body])).toEqual([
      ['ticket.opened', undefined],
      ['message.created', 'hola'],
      ['ticket.accepted', undefined],
      ['message.created', '¿Qué tal?'],
      ['message.created', '¿están?'],
      ['ticket.transferred', undefined],
      ['ticket.resolved', undefined],
    ])
    expect(ofTicket.find(({ type }) => type === 'ticket.resolved')?.data.closing).toEqual({
      ...{ reason, note: '', byItself: false },
      fields: [{ name: 'Personas', kind: 'number', value: 4 }],
    })
    const states = ofTicket.filter(({ type }) => type === 'message.state')
    expect(states[0]?.data).toMatchObject({ fromMe: true, body: '¿Qué tal?', state: 'sent' })
    // An ack event may arrive between the two reads.
    await waitFor(async () => {
      const count = uniqueEvents().length
      expect((await log(id)).length).toBe(count)
      const { calls, ...rest } = await show(id)
      expect(rest).toMatchObject({ waiting: 0, reason: '', restsSince: null })
      expect(calls.at(-1)).toBe(count)
    })
    const { entries } = await desk.admin.call(auditApi.list, { query: { deed: 'webhook' } })
    expect(entries).toMatchObject([{ deed: 'webhook.created', about: id, name: 'Reservas' }])
  })

  it('are also sent for contacts, ratings and lines', async () => {
    await subscribe(['contact.created', 'contact.merged', 'rating.created', 'line.state'])
    const scope = new Scope(harness.server.deps, { companyId: desk.company.id })
    const [phone, lid] = [nextPhoneNumber(), `${Date.now()}@lid`]
    const who = { name: 'Ana', whatsappId: desk.line.id }
    await scope.transaction((tx) => resolveContact(tx, { ...who, identity: { phone } }, deskContactHooks))
    await scope.transaction((tx) => resolveContact(tx, { ...who, name: 'Ana B', identity: { lid } }, deskContactHooks))
    await scope.transaction((tx) => resolveContact(tx, { ...who, identity: { phone, lid } }, deskContactHooks))
    const { id: ticketId } = await desk.openTicket(desk.admin)
    const asked = {
      ticketId,
      userId: desk.admin.id,
      asked: 1,
      alone: true,
      completed: false,
      scale: 3 as const,
      commentOf: null,
    }
    await scope.transaction((tx) => storeRating(tx, asked, 3))
    await desk.admin.request('DELETE', `/whatsappsession/${desk.line.id}`)
    await waitFor(() => expect(uniqueEvents().filter(({ type }) => type === 'line.state').length).toBeGreaterThan(0))
    for (const { type, data } of uniqueEvents())
      expect(webhookDataSchemas[type as WebhookEvent].strict().parse(data)).toEqual(data)
    const types = uniqueEvents().map(({ type }) => type)
    expect(types.filter((type) => type === 'contact.created').length).toBe(3)
    expect(types.filter((type) => type === 'contact.merged').length).toBe(1)
    const rated = uniqueEvents().find(({ type }) => type === 'rating.created')
    expect(rated?.data).toMatchObject({ ticketId, rate: 3, user: { id: desk.admin.id } })
    expect(JSON.stringify(uniqueEvents())).not.toContain('qrcode')
  })

  it('are not stored or sent without a subscription', async () => {
    const other = await openDesk(harness)
    const { id } = await subscribe(['ticket.resolved'])
    await other.newTicket('hola')
    await desk.newTicket('hola')
    expect(await rows(id)).toEqual([])
    expect(harness.server.deps.webhookInterest.wants(desk.company.id, 'message.created')).toBe(false)
    expect(harness.server.deps.webhookInterest.wants(other.company.id, 'ticket.resolved')).toBe(false)
    await desk.admin.call(webhooksApi.update, {
      params: { id },
      body: { name: '', url: `${program.url}/hook`, events: ['ticket.opened'], active: false },
    })
    await desk.newTicket('hola')
    expect(await rows(id)).toEqual([])
  })
})

describe('a failing webhook', () => {
  it('receives every event in the end, in order per ticket, without delaying other tickets', async () => {
    const { id } = await subscribe(['message.created'])
    const one = await desk.openTicket(desk.admin, 'uno 0')
    const two = await desk.openTicket(desk.admin, 'dos 0')
    await waitFor(() => expect(uniqueEvents().length).toBe(2))
    program.reset()
    // The first call fails: the events of that ticket wait, and those of the other ticket continue.
    program.failures.push({ kind: 'fail', status: 500 })
    await desk.waitForHandled(await one.customer.says('uno 1'))
    await waitFor(async () => expect((await log(id))[0]?.tries.length).toBe(1))
    for (const n of [2, 3]) await desk.waitForHandled(await one.customer.says(`uno ${n}`))
    for (const n of [1, 2]) await desk.waitForHandled(await two.customer.says(`dos ${n}`))
    await waitFor(() => expect(bodies().map(({ data }) => data.body)).toEqual(['uno 1', 'dos 1', 'dos 2']))
    const [failed] = await log(id, { failed: true })
    expect(failed).toMatchObject({ state: 'waiting', tries: [{ status: 500, error: '500 not now' }] })
    expect((await show(id)).waiting).toBe(3)
    await inThe(minutes(1), () => allDone(id, 7).then(() => {}))
    expect(bodies().map(({ data }) => data.body)).toEqual(['uno 1', 'dos 1', 'dos 2', 'uno 1', 'uno 2', 'uno 3'])
    expect(bodies()[3]?.id).toBe(bodies()[0]?.id)
    expect((await log(id)).find((one) => one.tries.length === 2)).toMatchObject({ state: 'done' })
  })

  it('is paused after five failures, with a notice, and resumed automatically when it answers', async () => {
    const { id } = await subscribe(['message.created', 'ticket.opened'])
    program.state.permanentFailure = { kind: 'fail', status: 503 }
    const tickets = []
    for (let n = 0; n < 5; n++) tickets.push(await desk.newTicket(`hola ${n}`))
    await waitFor(async () => expect((await show(id)).restsSince).not.toBeNull())
    await harness.server.webhookDispatcher.idle()
    const tried = program.requests.length
    await desk.waitForHandled((await tickets[0]?.customer.says('¿hay alguien?')) as string)
    await harness.server.webhookDispatcher.poll()
    await harness.server.webhookDispatcher.idle()
    expect(program.requests.length).toBe(tried)
    expect(await show(id)).toMatchObject({ reason: '503 not now', waiting: 11 })
    await waitFor(async () => {
      const { notices } = await desk.admin.call(noticesApi.list, {})
      expect(notices.filter(({ kind }) => kind === 'hook-rests')).toMatchObject([{ by: { name: 'Reservas' } }])
    })
    program.state.permanentFailure = null
    await inThe(minutes(20), () => allDone(id, 11).then(() => {}))
    expect(await show(id)).toMatchObject({ restsSince: null, reason: '', waiting: 0 })
    for (const ticket of tickets) {
      const own = bodies(program.requests.slice(tried)).filter(
        ({ data, type }) => (type === 'ticket.opened' ? data.id : data.ticketId) === ticket.id,
      )
      expect(own.map(({ type }) => type).slice(0, 2)).toEqual(['ticket.opened', 'message.created'])
    }
    expect(uniqueEvents().length).toBe(11)
  })

  it('is resumed at once when the test button succeeds', async () => {
    const { id, secret } = await subscribe(['ticket.opened'])
    program.state.permanentFailure = { kind: 'hang' }
    for (let n = 0; n < 5; n++) await desk.newTicket('hola')
    await waitFor(async () => expect((await show(id)).restsSince).not.toBeNull())
    expect((await show(id)).reason).toBe('timeout:3')
    program.state.permanentFailure = null
    const test = await desk.admin.call(webhookToolsApi.test, { params: { id } })
    expect(test).toMatchObject({ type: 'test', state: 'done', answer: 'thanks', tries: [{ status: 200, error: '' }] })
    expect(JSON.parse(test.body)).toMatchObject({ id: test.eventId, type: 'test', data: { name: 'Reservas' } })
    await allDone(id, 6)
    expect(program.requests.every((asked) => isWebhookSigned(asked, secret))).toBe(true)
    expect((await show(id)).restsSince).toBeNull()
  })

  it('is turned off if it answers 410 Gone; events older than a day are given up, and both cause a notice', async () => {
    const { id } = await subscribe(['ticket.opened'])
    program.state.permanentFailure = { kind: 'fail', status: 410 }
    await desk.newTicket('hola')
    await waitFor(async () => expect((await show(id)).active).toBe(false))
    await desk.newTicket('hola')
    expect((await rows(id)).length).toBe(1)
    await inThe(hours(25), async () => {
      await waitFor(async () => expect((await rows(id))[0]?.state).toBe('given-up'))
    })
    await waitFor(async () => {
      const { notices } = await desk.admin.call(noticesApi.list, {})
      expect(notices.map(({ kind }) => kind).sort()).toEqual(['hook-gave-up', 'hook-off'])
    })
  })

  it('is not called at an address that is not public', async () => {
    const shut = await testServer({}, undefined, { dispatchTimings: timings })
    const desk = await openDesk(shut)
    const url = `${program.url.replace('http:', 'https:')}/hook`
    const body = { name: 'Reservas', url, events: ['ticket.opened' as const], active: true }
    const { id } = await desk.admin.call(webhooksApi.create, { body })
    await desk.newTicket('hola')
    const deliveries = await waitFor(async () => {
      const found = (await desk.admin.call(webhookToolsApi.deliveries, { params: { id }, query: {} as never }))
        .deliveries
      expect(found[0]?.tries.length).toBe(1)
      return found
    })
    expect((deliveries as never as { tries: { error: string }[] }[])[0]?.tries[0]?.error).toContain('forbidden:')
    expect(program.requests).toEqual([])
    await shut.close()
  })
})

describe('the webhook log', () => {
  it('resends one event, or a time range, under the same ids and in order', async () => {
    const { id } = await subscribe(['message.created'])
    const from = addMs(harness.clock.now(), -1000).toISOString()
    const { customer } = await desk.openTicket(desk.admin, 'uno')
    for (const text of ['dos', 'tres']) await desk.waitForHandled(await customer.says(text))
    await allDone(id, 3)
    const first = bodies()
    const all = await log(id)
    expect(all.map(({ state }) => state)).toEqual(['done', 'done', 'done'])
    program.reset()
    const again = await desk.admin.call(webhookToolsApi.again, {
      params: { id, deliveryId: all[1]?.id as string },
    })
    expect(again.state).toBe('waiting')
    await waitFor(() => expect(bodies()).toEqual([first[1]]))
    await allDone(id, 3)
    const until = addMs(harness.clock.now(), 1000).toISOString()
    const span = { params: { id }, body: { from, until } }
    expect(await desk.admin.call(webhookToolsApi.replay, span)).toEqual({ events: 3 })
    await waitFor(() => expect(bodies()).toEqual([first[1], ...first]))
    await allDone(id, 3)
    const whole = await desk.admin.call(webhookToolsApi.delivery, { params: { id, deliveryId: all[2]?.id as string } })
    expect(JSON.parse(whole.body)).toEqual(first[0])
    expect([whole.answer, whole.tries.length]).toEqual(['thanks', 2])
    const page = await desk.admin.call(webhookToolsApi.deliveries, {
      params: { id },
      query: { before: all[1]?.id } as never,
    })
    expect(page.deliveries.map((one) => one.id)).toEqual([all[2]?.id])
  })

  it('is visible only to its company, and keeps an old secret valid for a day', async () => {
    const { id, secret } = await subscribe(['ticket.opened'])
    const other = await openDesk(harness)
    const own = await subscribe(['ticket.opened'], other.admin)
    await desk.newTicket('hola')
    await allDone(id, 1)
    const [mine] = await log(id)
    for (const call of [
      other.admin.request('GET', `/webhooks/${id}/deliveries`),
      other.admin.request('GET', `/webhooks/${own.id}/deliveries/${mine?.id}`),
      other.admin.request('POST', `/webhooks/${own.id}/deliveries/${mine?.id}/again`),
      other.admin.request('POST', `/webhooks/${id}/test`),
      other.admin.request('POST', `/webhooks/${id}/secret`),
    ])
      expect((await call).status).toBe(404)
    const renewed = await desk.admin.call(webhookToolsApi.secret, { params: { id } })
    program.reset()
    await desk.newTicket('hola')
    await allDone(id, 2)
    for (const known of [secret, renewed.secret])
      expect(isWebhookSigned(program.requests[0] as LoopbackRequest, known)).toBe(true)
    program.reset()
    await harness
      .wide()
      .db.updateTable('webhooks')
      .set({ previousUntil: harness.clock.now() })
      .where('id', '=', id)
      .execute()
    await desk.newTicket('hola')
    await allDone(id, 3)
    const signed = [secret, renewed.secret].map((known) =>
      isWebhookSigned(program.requests[0] as LoopbackRequest, known),
    )
    expect(signed).toEqual([false, true])
  })
})

describe('several processes', () => {
  it('send each event once, whichever process wrote it, and take over from a process that died', async () => {
    const { id } = await subscribe(['message.created'])
    const { customer } = await desk.openTicket(desk.admin, 'uno')
    await allDone(id, 1)
    const twin = await startSecondProcess(harness, { dispatchTimings: timings })
    for (const text of ['dos', 'tres']) await desk.waitForHandled(await customer.says(text))
    await Promise.all([harness.server.webhookDispatcher.poll(), twin.webhookDispatcher.poll()])
    await allDone(id, 3)
    expect(bodies().map(({ data }) => data.body)).toEqual(['uno', 'dos', 'tres'])
    // The process that held the lease died during a call, so the result was not recorded.
    const { db } = harness.wide()
    const dead = { holder: 'a process that died', heldUntil: addMs(harness.clock.now(), 30_000) }
    await db.updateTable('webhooks').set(dead).where('id', '=', id).execute()
    await desk.waitForHandled(await customer.says('cuatro'))
    await Promise.all([harness.server.webhookDispatcher.poll(), twin.webhookDispatcher.poll()])
    expect(program.requests.length).toBe(3)
    await inThe(31_000, async () => {
      await twin.webhookDispatcher.poll()
      await allDone(id, 4)
    })
    expect(bodies().map(({ data }) => data.body)).toEqual(['uno', 'dos', 'tres', 'cuatro'])
    // A process ends after the webhook received the event but before recording it: the event is sent again
    // under the same id.
    await twin.webhookDispatcher.close()
    program.state.permanentFailure = { kind: 'hang' }
    await desk.waitForHandled(await customer.says('cinco'))
    await harness.server.webhookDispatcher.poll()
    await program.waitForRequest(5)
    await harness.server.webhookDispatcher.close()
    expect((await rows(id)).at(-1)).toMatchObject({ state: 'waiting', attempts: 0 })
    program.state.permanentFailure = null
    const third = await startSecondProcess(harness, { dispatchTimings: timings })
    await third.webhookDispatcher.poll()
    await allDone(id, 5)
    expect(bodies()[5]).toEqual(bodies()[4])
  })
})
