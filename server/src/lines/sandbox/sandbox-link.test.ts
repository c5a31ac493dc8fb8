import { connectionsApi } from '@recado/contract/connections'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import type { InboundEvent } from '../line.ts'

let harness: TestServer
let receivedEvents: InboundEvent[] = []
beforeAll(async () => {
  harness = await testServer({}, undefined, {
    sandbox: { reconnectMs: 20, reorderWaitMs: 150, pollMs: 100 },
    receive: async (_row, events) => void receivedEvents.push(...events),
  })
})
afterAll(closeTestServers)
beforeEach(() => {
  receivedEvents = []
})

/** The events that a socket client received about a line, without duplicates. */
const lineEventsOf = (said: { name: string; payload: Record<string, unknown> }[], companyId: number) =>
  said
    .filter((e) => e.name === `company-${companyId}-whatsappSession`)
    .map((e) => e.payload.session as { status: string; reason: string; qrcode: string })
    .map((s) => [s.status, s.reason].filter(Boolean).join(' ') + (s.qrcode ? ' +code' : ''))

describe('the life cycle of a sandbox link', () => {
  it('goes from QR code to scan to connected, can be unlinked and linked again, and recovers from a lost connection', async () => {
    const company = await harness.createCompany()
    const { admin } = company
    const socketClient = await admin.listen()
    const line = await harness.openLine(company)
    expect(await line.showLine()).toMatchObject({
      status: 'CONNECTED',
      qrcode: '',
      reason: '',
      number: expect.stringMatching(/^1555\d{7}$/),
    })
    await line.unlink()
    await line.waitForStatus('DISCONNECTED', 'unlinked')
    expect(await admin.request('POST', `/sandbox/${line.id}/scan`)).toMatchObject({
      status: 409,
      body: { error: 'ERR_WAPP_NOT_INITIALIZED' },
    })
    await admin.call(connectionsApi.renew, { params: { whatsappId: line.id } })
    const first = await line.waitForStatus('qrcode')
    expect(first.qrcode).toMatch(new RegExp(`^recado-sandbox:${line.id}:[\\w-]{32}$`))
    await line.scan()
    await line.waitForStatus('CONNECTED')
    await line.dropConnection()
    await vi.waitFor(() =>
      expect(lineEventsOf(socketClient.received, company.id).slice(-3)).toEqual([
        'DISCONNECTED network',
        'OPENING',
        'CONNECTED',
      ]),
    )
    const told = lineEventsOf(socketClient.received, company.id).filter((s, i, all) => s !== all[i - 1])
    expect(told.join(', ')).toMatch(
      /^(OPENING, )?(qrcode \+code, PAIRING, )?CONNECTED, DISCONNECTED unlinked, OPENING, qrcode \+code, PAIRING, CONNECTED, DISCONNECTED network, OPENING, CONNECTED$/,
    )
  })

  it('shows three different QR codes, and then waits for a request', async () => {
    const hasty = await testServer({}, undefined, { sandbox: { qrMs: 200 } })
    const { admin, id: companyId } = await hasty.createCompany()
    const socketClient = await admin.listen()
    const { id } = await admin.call(connectionsApi.create, {
      body: { name: 'Nobody scans', provider: 'sandbox' } as never,
    })
    await socketClient.waitFor(`company-${companyId}-whatsappSession`)
    await vi.waitFor(
      async () =>
        expect(await admin.call(connectionsApi.show, { params: { id } })).toMatchObject({
          status: 'DISCONNECTED',
          reason: 'qr-timeout',
          qrcode: '',
        }),
      { timeout: 5000 },
    )
    const codes = () =>
      socketClient.received
        .filter((e) => e.name.endsWith('-whatsappSession'))
        .map((e) => (e.payload.session as { qrcode: string }).qrcode)
    await vi.waitFor(() => expect(codes().at(-1)).toBe(''))
    expect(new Set(codes().filter(Boolean)).size).toBe(3)
    const { wanted } = await hasty
      .wide()
      .db.selectFrom('whatsapps')
      .select('wanted')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(wanted).toBe(false)
    await admin.call(connectionsApi.restart, { params: { whatsappId: id } })
    await vi.waitFor(async () =>
      expect((await admin.call(connectionsApi.show, { params: { id } })).status).toBe('qrcode'),
    )
  })

  it('removes the phone on disconnect, asks for a phone again on restart, and keeps its queues', async () => {
    const company = await harness.createCompany()
    const { admin } = company
    const line = await harness.openLine(company)
    const queue = (await admin.request<{ id: number }>('POST', '/queue', { name: 'Ventas', color: '#112233' })).body
    await admin.request('PUT', `/whatsapp/${line.id}`, { name: 'Con cola', queueIds: [queue.id] })
    const act = (method: string) => admin.request(method, `/whatsappsession/${line.id}`)
    await act('DELETE')
    expect(await line.showLine()).toMatchObject({ status: 'DISCONNECTED', reason: 'off', queues: [{ id: queue.id }] })
    await vi.waitFor(() => expect(harness.server.lines.connectedLine(line.id)).toBeUndefined())
    await act('POST')
    expect(await line.waitForStatus('qrcode')).toMatchObject({ queues: [{ id: queue.id }] })
    await line.scan()
    await line.waitForStatus('CONNECTED')
    await act('POST')
    expect(await line.showLine()).toMatchObject({ status: 'CONNECTED' })
    await act('PUT')
    expect(await line.waitForStatus('qrcode')).toMatchObject({ queues: [{ id: queue.id }] })
  })
})

describe('simulated faults', () => {
  it('drop, duplicate, swap, delay and refuse events, as configured', async () => {
    const line = await harness.openLine(await harness.createCompany())
    const lucia = line.customer('5491155550001', 'Lucía')
    const bodies = () =>
      receivedEvents.map((e) => (e.kind === 'message' && e.content.kind === 'text' ? e.content.body : e.kind))
    await line.setFaults({ drop: 1 })
    const lost = [await lucia.says('primero'), await lucia.says('segundo')]
    const { db } = harness.wide()
    const gone = () => db.selectFrom('sandboxMessages').select('delivered').where('id', 'in', lost).execute()
    await vi.waitFor(async () => expect(await gone()).toEqual([{ delivered: true }, { delivered: true }]))
    expect(bodies()).toEqual([])
    await line.setFaults({ duplicate: 1 })
    await lucia.says('doble')
    await vi.waitFor(() => expect(bodies()).toEqual(['doble', 'doble']))
    receivedEvents = []
    await line.setFaults({ reorder: 1 })
    // Both events are made pending at once: an event that has already arrived cannot be overtaken.
    await db.updateTable('sandboxMessages').set({ delivered: false }).where('id', 'in', lost).execute()
    await vi.waitFor(() => expect(bodies()).toEqual(['segundo', 'primero']))
    receivedEvents = []
    await line.setFaults({ delayMs: 200 })
    const sent = performance.now()
    await lucia.says('tarde')
    await vi.waitFor(() => expect(bodies()).toEqual(['tarde']))
    expect(performance.now() - sent).toBeGreaterThan(180)
    const send = () =>
      harness.server.lines.connectedLine(line.id)?.send({ id: 'OUT', chat: lucia.number, body: 'hola' })
    await line.setFaults({ failSends: 'blocked' })
    await expect(send()).rejects.toMatchObject({ reason: 'blocked' })
    await line.setFaults({ failSends: 'network' })
    await expect(send()).rejects.not.toHaveProperty('reason')
    await line.setFaults({})
    await send()
    expect((await lucia.listMessages()).map((m) => m.body)).toContain('hola')
  })

  it('do not delay the stop of a line', async () => {
    const company = await harness.createCompany()
    const line = await harness.openLine(company)
    await line.setFaults({ delayMs: 60_000 })
    await line.customer('5491155550001').says('más tarde')
    await company.admin.request('DELETE', `/whatsapp/${line.id}`)
    await vi.waitFor(() => expect(harness.server.lines.connectedLine(line.id)).toBeUndefined())
    expect(receivedEvents).toEqual([])
  })
})
