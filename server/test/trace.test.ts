import { webhookEvents, webhooksApi, webhookToolsApi } from '@recado/contract/api-access/webhooks'
import { queuesApi } from '@recado/contract/queues'
import { sql } from 'kysely'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { makeLog } from '../src/kernel/log.ts'
import { nextPhoneNumber, openDesk } from './desk.ts'
import { openLoopbackServer } from './loopback-server.ts'
import { closeTestServers, testServer } from './test-server.ts'
import { waitTimeoutMs } from './wait-timeout.ts'

afterAll(closeTestServers)
const longTimeout = { timeout: waitTimeoutMs }
type Line = { trace?: string; msg: string; event?: string; type?: string; job?: string; level: number }

/** A server whose log the test can read. */
async function openLoggedServer(more: Parameters<typeof testServer>[0] = {}) {
  const lines: Line[] = []
  const log = makeLog('debug', { write: (text: string) => void lines.push(JSON.parse(text)) })
  const h = await testServer(more, log)
  return { h, lines, of: (trace: string) => lines.filter((line) => line.trace === trace) }
}

it('keeps one trace id from the line’s event to the sent answer and the browser', async () => {
  const { h, lines, of } = await openLoggedServer()
  const company = await h.createCompany()
  const line = await h.openLine(company, { greetingMessage: 'Hola, ya te atendemos' })
  const socketClient = await company.admin.listen()
  const heard: { name: string; trace: string | undefined }[] = []
  socketClient.socket.onAny((name: string, _payload: unknown, beside?: { trace: string }) => {
    heard.push({ name, trace: beside?.trace })
  })
  const customer = line.customer('+5511987650001', 'Sol')
  const wid = await customer.says('buenas')
  // The trace begins with the journaled event of the line.
  const journalled = await vi.waitFor(() => {
    const found = lines.find((one) => one.msg === 'journalled' && one.event === wid)
    if (!found?.trace) throw new Error('not written down yet')
    return found
  }, longTimeout)
  const id = journalled.trace as string
  expect(id).toMatch(/^j\d+$/)
  // The automatic answer was sent with the same trace id.
  await vi.waitFor(
    () => expect(of(id).map(({ msg }) => msg)).toEqual(expect.arrayContaining(['handled', 'sent'])),
    longTimeout,
  )
  // The trace id is stored in the row of the answer.
  const { rows } = await sql`select trace from messages where "companyId" = ${company.id} and "fromMe"`.execute(
    h.wide().db,
  )
  expect(rows).toEqual([{ trace: id }])
  // Browsers receive the trace id with the event.
  await vi.waitFor(() => {
    const told = heard.filter(({ trace }) => trace === id).map(({ name }) => name)
    expect(told).toContain(`company-${company.id}-appMessage`)
    expect(told).toContain(`company-${company.id}-ticket`)
  }, longTimeout)
  // The sandbox's event view shows the trace id.
  const inside = await customer.inside()
  expect(inside.map((one) => one.id)).toContain(id)
  // Once the ticket is accepted, the next message triggers no automatic answer, and it has its own id.
  const ticket = await sql<{ id: number }>`select id from tickets where "companyId" = ${company.id}`.execute(
    h.wide().db,
  )
  await company.admin.request('PUT', `/tickets/${ticket.rows[0]?.id}`, { status: 'open', userId: company.admin.id })
  const next = await customer.says('sigo aquí')
  const plain = await vi.waitFor(() => {
    const found = lines.find((one) => one.msg === 'journalled' && one.event === next)
    if (!found?.trace) throw new Error('not written down yet')
    return found.trace
  }, longTimeout)
  expect(plain).not.toBe(id)
  await vi.waitFor(
    () => expect(heard).toContainEqual({ name: `company-${company.id}-appMessage`, trace: plain }),
    longTimeout,
  )
})

it('uses the request id of a response in the log, in the started job and in the sent message', async () => {
  const { h, of } = await openLoggedServer()
  const company = await h.createCompany()
  const line = await h.openLine(company)
  const customer = line.customer('+5511987650002', 'Luz')
  await customer.says('hola')
  const ticketId = await vi.waitFor(async () => {
    const { rows } = await sql<{ id: number }>`select id from tickets where "companyId" = ${company.id}`.execute(
      h.wide().db,
    )
    if (!rows[0]) throw new Error('no ticket yet')
    return rows[0].id
  }, longTimeout)
  await company.admin.request('PUT', `/tickets/${ticketId}`, { status: 'open', userId: company.admin.id })
  const said = await company.admin.request('POST', `/messages/${ticketId}`, { body: 'Ya te ayudo' })
  const id = said.headers.get('x-request-id') as string
  expect(id).toMatch(/^r[0-9a-f]+-[0-9a-z]+$/)
  await vi.waitFor(() => expect(of(id).map(({ msg }) => msg)).toContain('sent'), longTimeout)
  const queue = await company.admin.call(queuesApi.create, { body: { name: 'Ventas', color: '#112233' } as never })
  const gone = await company.admin.request('DELETE', `/queue/${queue.id}`)
  const removal = gone.headers.get('x-request-id') as string
  await vi.waitFor(
    () => expect(of(removal)).toContainEqual(expect.objectContaining({ msg: 'job done', job: 'event' })),
    longTimeout,
  )
  // Every id is different, and a client's own id is not trusted.
  const other = await company.admin.request('GET', '/whatsapp', undefined, { 'x-request-id': 'mine-all-mine' })
  expect(other.headers.get('x-request-id')).not.toBe('mine-all-mine')
})

it('passes the trace id to webhooks: row, log entry, header and view', async () => {
  const program = await openLoopbackServer(() => ({ body: 'ok' }))
  onTestFinished(() => program.close())
  const { h, lines } = await openLoggedServer({ privateTargets: true })
  const d = await openDesk(h)
  const events = [...webhookEvents]
  const hook = await d.admin.call(webhooksApi.create, {
    body: { name: 'Reservas', url: `${program.url}/hook`, events, active: true },
  })
  const from = async (act: () => Promise<{ headers: Headers }>) => (await act()).headers.get('x-request-id') as string
  const journalled = (wid: string) =>
    vi.waitFor(() => {
      const found = lines.find((one) => one.msg === 'journalled' && one.event === wid)
      if (!found?.trace) throw new Error('not written down yet')
      return found.trace
    }, longTimeout)
  // Three unknown numbers at once form one batch, and each message keeps its own id. A request and a message
  // without an automatic answer follow.
  const wids = await Promise.all(
    ['uno', 'dos', 'tres'].map((text) => d.line.customer(nextPhoneNumber(), `Cliente ${text}`).says(text)),
  )
  const strangers = await Promise.all(wids.map(journalled))
  const customer = d.line.customer(nextPhoneNumber(), 'Sol')
  const { ticketId } = await d.waitForMessage(await customer.says('hola'))
  const accept = { status: 'open', userId: d.admin.id }
  const accepted = await from(() => d.admin.request('PUT', `/tickets/${ticketId}`, accept))
  const said = await from(() => d.admin.request('POST', `/messages/${ticketId}`, { body: 'Ya te ayudo' }))
  const plain = await journalled(await customer.says('gracias'))
  type ShownDelivery = { type: string; trace: string | null; eventId: string }
  const shown = async (): Promise<ShownDelivery[]> =>
    (await d.admin.call(webhookToolsApi.deliveries, { params: { id: hook.id }, query: {} as never })).deliveries
  const typesOf = async (trace: string) => (await shown()).filter((one) => one.trace === trace).map(({ type }) => type)
  await vi.waitFor(async () => {
    for (const id of strangers)
      expect((await typesOf(id)).toSorted()).toEqual(['contact.created', 'message.created', 'ticket.opened'])
    expect(await typesOf(accepted)).toEqual(['ticket.accepted'])
    // Acks arrive separately and in batches: each has the trace id of its message.
    expect(new Set(await typesOf(said))).toEqual(new Set(['message.created', 'message.state']))
    expect(await typesOf(plain)).toEqual(['message.created'])
  }, longTimeout)
  // The last ack may still be on its way.
  await vi.waitFor(async () => {
    for (const { eventId, trace } of await shown()) {
      const told = program.requests.filter((one) => one.headers['webhook-id'] === eventId)
      expect(new Set(told.map((one) => one.headers['x-request-id']))).toEqual(new Set([trace ?? undefined]))
      const logged = lines.filter((one) => one.msg === 'told outside' && one.event === eventId)
      expect(new Set(logged.map((one) => one.trace))).toEqual(new Set([trace ?? undefined]))
    }
  }, longTimeout)
})

it('gives an action started by a timer its own trace id, and its message the same id', async () => {
  const { h, of, lines } = await openLoggedServer()
  const d = await openDesk(h)
  const { id } = await d.newTicket('hola')
  const { contactId } = await d.showTicket(id)
  const sendAt = new Date(h.clock.now().getTime() + 60_000).toISOString()
  const body = { body: 'Te esperamos mañana', contactId, sendAt, whatsappId: d.line.id }
  expect((await d.admin.request('POST', '/schedules', body)).status).toBe(200)
  h.clock.advance(61_000)
  await h.server.switchboard.timers.poll()
  const { rows } = await vi.waitFor(async () => {
    const found = await sql<{ trace: string }>`
      select trace from messages where "companyId" = ${d.company.id} and body like '%Te esperamos%'`.execute(
      h.wide().db,
    )
    expect(found.rows).toHaveLength(1)
    return found
  }, longTimeout)
  const trace = rows[0]?.trace as string
  expect(trace).toMatch(/^t[0-9a-f-]{13}$/)
  await vi.waitFor(() => expect(of(trace).map(({ msg }) => msg)).toEqual(['rang', 'sent']), longTimeout)
  expect(lines.filter((one) => one.msg === 'rang').every((one) => one.trace?.startsWith('t'))).toBe(true)
})

it('accepts the request id of a trusted proxy, if it is valid', async () => {
  const h = await testServer({ trustProxy: true })
  const idOf = async (given: string) =>
    (await h.anonymous.request('GET', '/version', undefined, { 'x-request-id': given })).headers.get('x-request-id')
  expect(await idOf('edge-7f3a9c21')).toBe('edge-7f3a9c21')
  expect(await idOf('a b","level":60')).toMatch(/^r/)
  expect(await idOf('x'.repeat(200))).toMatch(/^r/)
})
