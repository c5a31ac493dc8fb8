import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { webhooksApi } from '@recado/contract/api-access/webhooks'
import { connectionsApi } from '@recado/contract/connections'
import { contactsApi } from '@recado/contract/contacts'
import { sandboxApi } from '@recado/contract/sandbox'
import { schedulesApi } from '@recado/contract/schedules/schedules'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { addMs, minutes } from '../src/kernel/clock.ts'
import { openSignals } from '../src/kernel/live/signals.ts'
import { makeLog } from '../src/kernel/log.ts'
import type { RunningServer } from '../src/server.ts'
import { type Desk, nextPhoneNumber, openDesk } from './desk.ts'
import { openLoopbackServer } from './loopback-server.ts'
import { closeTestServers, makeCaller, startSecondProcess, type TestServer, testServer } from './test-server.ts'

/** One web process, one lines process, and a jobs process only when a test starts it. */
let web: TestServer
let lines: RunningServer
let desk: Desk
let program: Awaited<ReturnType<typeof openLoopbackServer>>
beforeAll(async () => {
  program = await openLoopbackServer(() => ({ body: 'thanks' }))
  web = await testServer({ role: 'web', privateTargets: true })
  lines = await startSecondProcess(web, {}, { role: 'lines' })
  desk = await openDesk(web)
})
afterAll(async () => {
  await closeTestServers()
  program.close()
})
const addressOf = (process: RunningServer) => {
  const at = process.app.server.address()
  return `http://127.0.0.1:${typeof at === 'object' && at?.port}`
}
/** Runs the due timers of this process, as if a minute had passed. */
const pollTimers = (process: RunningServer) => process.switchboard.timers.poll()

describe('a process with one role', () => {
  it('answers health checks; only the role web answers other requests', async () => {
    const at = makeCaller(addressOf(lines))
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect([path, (await at.request('GET', path)).status]).toEqual([path, 200])
    for (const [method, path] of [
      ['GET', '/version'],
      ['POST', '/auth/login'],
      ['GET', '/docs'],
      ['GET', '/'],
    ] as const)
      expect([path, (await at.request(method, path, method === 'POST' ? {} : undefined)).status]).toEqual([path, 404])
    const turnedAway = await fetch(`${addressOf(lines)}/socket.io/?EIO=4&transport=websocket`, {
      headers: { accept: 'application/json' },
    })
    expect(turnedAway.status).toBe(404)
    expect((await web.anonymous.request('GET', '/version')).status).toBe(200)
  })

  it('takes a line only with the role lines', async () => {
    const { holder } = await web
      .wide()
      .db.selectFrom('lineLeases')
      .select('holder')
      .where('whatsappId', '=', desk.line.id)
      .executeTakeFirstOrThrow()
    expect(holder).toBe(lines.lines.holder)
    expect(lines.lines.connectedLine(desk.line.id)).toBeDefined()
    expect(web.server.lines.connectedLine(desk.line.id)).toBeUndefined()
  })
})

describe('users of a process without lines', () => {
  it('see messages that a line of another process receives, and answer through that line', async () => {
    const socketClient = await desk.admin.listen()
    const { customer, id } = await desk.newTicket('hola, ¿hay alguien?')
    await socketClient.waitFor(`company-${desk.company.id}-ticket`, { action: 'update' })
    await desk.accept(desk.admin, id)
    await desk.send(desk.admin, id, 'Aquí estamos')
    await vi.waitFor(async () => expect((await customer.listMessages()).map((m) => m.body)).toContain('Aquí estamos'))
    const texts = socketClient.received.filter(
      (e) => e.name === `company-${desk.company.id}-appMessage` && e.payload.action === 'create',
    )
    expect(texts).toHaveLength(2)
  })

  it('see the QR code of a line, and that it was scanned', async () => {
    const socketClient = await desk.admin.listen()
    const { id } = await desk.admin.call(connectionsApi.create, {
      body: { name: 'Con código', provider: 'sandbox' } as never,
    })
    const shown = () =>
      socketClient.received
        .filter((e) => e.name === `company-${desk.company.id}-whatsappSession`)
        .map((e) => e.payload.session as { id: number; status: string; qrcode: string })
        .filter((session) => session.id === id)
    await vi.waitFor(() => expect(shown().some((s) => s.status === 'qrcode' && s.qrcode.length > 10)).toBe(true))
    await desk.admin.call(sandboxApi.scan, { params: { whatsappId: id } })
    await vi.waitFor(() => expect(shown().at(-1)?.status).toBe('CONNECTED'))
    await desk.admin.call(connectionsApi.remove, { params: { id } })
    await vi.waitFor(() => expect(lines.lines.connectedLine(id)).toBeUndefined())
  })

  it('can check numbers, see typing, and are seen typing', async () => {
    await expect(
      desk.admin.call(contactsApi.create, {
        body: { name: 'No está', number: '1234567890123456', email: '', extraInfo: [] } as never,
      }),
    ).rejects.toMatchObject({ code: 'ERR_WAPP_INVALID_CONTACT' })
    const { customer, id } = await desk.openTicket(desk.admin)
    const socketClient = await desk.admin.listen()
    await customer.setTyping()
    await socketClient.waitFor(`company-${desk.company.id}-typing`, { ticketId: id, typing: true })
    await new Promise<void>((done) => socketClient.socket.emit('joinChatBox', String(id), () => done()))
    await new Promise<void>((done) => socketClient.socket.emit('agentTyping', id, true, () => done()))
    await vi.waitFor(async () => {
      const { typingUntil } = await web
        .wide()
        .db.selectFrom('sandboxCustomers')
        .select('typingUntil')
        .where('whatsappId', '=', desk.line.id)
        .where('number', '=', customer.number)
        .executeTakeFirstOrThrow()
      expect(typingUntil).not.toBeNull()
    })
  })
})

describe('an installation without a process for jobs', () => {
  const mails = async () => (await readdir(join(web.dataDir, 'mail')).catch(() => [])).length

  it('loses no work: jobs wait, and two processes later run each of them once', async () => {
    await desk.admin.call(webhooksApi.create, {
      body: { name: 'Fuera', url: `${program.url}/hook`, events: ['message.created'], active: true },
    })
    const people = [await desk.createUser('user'), await desk.createUser('user'), await desk.createUser('user')]
    for (const { email } of people)
      expect((await web.anonymous.request('POST', `/forgetpassword/${encodeURIComponent(email)}`)).status).toBe(200)
    const { customer } = await desk.openTicket(desk.admin)
    const said = [await customer.says('uno'), await customer.says('dos')]
    for (const wid of said) await desk.waitForHandled(wid)
    const number = nextPhoneNumber()
    const contact = await desk.admin.call(contactsApi.create, {
      body: { name: 'Cita', number, email: '', extraInfo: [] } as never,
    })
    const sendAt = addMs(web.clock.now(), minutes(2)).toISOString()
    await desk.admin.call(schedulesApi.create, {
      body: { body: 'Mañana le esperamos', contactId: contact.id, sendAt, whatsappId: desk.line.id } as never,
    })
    web.clock.advance(minutes(4))
    await Promise.all([pollTimers(web.server), pollTimers(lines)])
    const seen = async () => (await desk.line.customer(number).listMessages()).map((m) => m.body)
    expect([await mails(), await seen(), program.requests]).toEqual([0, [], []])

    const both = await Promise.all([
      startSecondProcess(web, {}, { role: 'jobs' }),
      startSecondProcess(web, {}, { role: 'jobs' }),
    ])
    await Promise.all(both.map(pollTimers))
    await vi.waitFor(async () => expect(await mails()).toBe(people.length))
    await vi.waitFor(async () => expect(await seen()).toEqual(['Mañana le esperamos']))
    const told = () => program.requests.map(({ body }) => JSON.parse(body).id as string)
    // Three messages are from the customer, and one is the scheduled message.
    await vi.waitFor(() => expect(told()).toHaveLength(4))
    // New events are dispatched at once, because the process that writes them signals that they are pending.
    const signals = await openSignals(web.databaseUrl, makeLog('silent'))
    onTestFinished(() => signals.close())
    let untold = 0
    signals.on('untold', () => untold++)
    await desk.waitForHandled(await customer.says('tres'))
    await vi.waitFor(() => expect([untold > 0, told().length]).toEqual([true, 5]))
    expect(new Set(told()).size).toBe(5)
    expect([await mails(), await seen()]).toEqual([people.length, ['Mañana le esperamos']])
    for (const one of both) expect(one.lines.connectedLine(desk.line.id)).toBeUndefined()
    web.clock.advance(-minutes(4))
  })
})
