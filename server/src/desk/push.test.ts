import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { waitingMessageBody } from '@recado/contract/messages'
import { pushApi } from '@recado/contract/push'
import { usersApi } from '@recado/contract/users'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Desk, makeTextEvent, openDesk } from '../../test/desk.ts'
import { openOwnerPool } from '../../test/fixtures.ts'
import { openPushService } from '../../test/push-service.ts'
import {
  closeTestServers,
  startSecondProcess,
  type TestServer,
  type TestUser,
  testServer,
} from '../../test/test-server.ts'
import { tinyPng } from '../../test/upload.ts'
import { pushDelayMs } from './push.ts'

let harness: TestServer
let service: Awaited<ReturnType<typeof openPushService>>
beforeAll(async () => {
  // A long timeout, so that no call times out during a test.
  harness = await testServer({ privateTargets: true, callTimeoutMs: 120_000 })
  service = await openPushService()
})
afterAll(async () => {
  await closeTestServers()
  service.close()
})

async function subscribeBrowser(person: TestUser) {
  const browser = service.browser()
  await person.call(pushApi.subscribe, { body: browser.subscription })
  await vi.waitFor(() => expect(harness.server.deps.push.hasSubscribers(person.companyId)).toBe(true))
  return browser
}
const waitForPushes = (browser: Awaited<ReturnType<typeof subscribeBrowser>>, times: number) =>
  vi.waitFor(() => expect(browser.received()).toHaveLength(times), { timeout: 8000 })
const rows = (d: Desk) =>
  d.db.selectFrom('pushSubscriptions').select(['userId', 'endpoint']).where('companyId', '=', d.company.id).execute()
/** Waits until no job is left. */
const waitForNoJobs = (owner: pg.Pool) =>
  vi.waitFor(
    async () => {
      const { rows } = await owner.query(
        'select count(*)::int as n from graphile_worker._private_jobs where run_at <= now()',
      )
      expect(rows[0].n).toBe(0)
    },
    { timeout: 8000 },
  )
/** A ticket attended by this agent; the customer has written once. */
async function openConversation(d: Desk, by: TestUser) {
  const { customer, id } = await d.newTicket()
  await d.putTicket(d.admin, id, { userId: by.id })
  return { customer, id }
}

describe('push notification when a customer writes while no tab is open', () => {
  it('contains the customer, the text and the ticket, signed with the platform keys', async () => {
    const d = await openDesk(harness)
    const ana = await d.createUser('user')
    const { id, customer } = await openConversation(d, ana)
    const browser = await subscribeBrowser(ana)
    await customer.says('¿Siguen abiertos?')
    await waitForPushes(browser, 1)
    const { contact, uuid } = await d.showTicket(id)
    expect(browser.received()[0]?.notification).toEqual({
      title: contact.name,
      body: '¿Siguen abiertos?',
      tag: `ticket-${id}`,
      url: `/tickets/${uuid}`,
    })
    const { publicKey } = await ana.call(pushApi.key)
    const { headers } = browser.received()[0] as { headers: Record<string, string> }
    expect(headers.authorization).toMatch(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=/)
    expect(headers.authorization).toContain(`k=${publicKey}`)
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high', topic: `ticket-${id}` })
    expect(Number(headers.ttl)).toBeGreaterThan(0)
  })

  it("is in the agent's own language, and describes a file by its kind", async () => {
    const d = await openDesk(harness)
    const ana = await d.createUser('user')
    const { customer } = await openConversation(d, ana)
    const browser = await subscribeBrowser(ana)
    await d.db.updateTable('users').set({ language: 'en' }).where('id', '=', ana.id).execute()
    await customer.sends(new File([tinyPng], 'IMG-1.png', { type: 'image/png' }))
    await waitForPushes(browser, 1)
    expect(browser.received()[0]?.notification.body).toBe('Photo')
  })

  it.each([
    [waitingMessageBody, 'Waiting for this message'],
    ['poll\n¿Qué día?\nLunes\nMartes', 'Poll: ¿Qué día?'],
    ['view-once', 'View once'],
    ['pinInChatMessage', "A message we can't show"],
  ])('describes unsupported content in words: %s', async (body, told) => {
    const d = await openDesk(harness)
    const ana = await d.createUser('user')
    const { customer } = await openConversation(d, ana)
    const browser = await subscribeBrowser(ana)
    await d.db.updateTable('users').set({ language: 'en' }).where('id', '=', ana.id).execute()
    await customer.sendEvent('unknown', { body })
    await waitForPushes(browser, 1)
    expect(browser.received()[0]?.notification.body).toBe(told)
  })

  it('names the author of an assignment or mention, and skips users who have an open tab or have read it', async () => {
    const d = await openDesk(harness)
    const sales = await d.createQueue()
    const ana = await d.createUser('user', [sales])
    const { id } = await d.newTicket('hola', 'Sol')
    const browser = await subscribeBrowser(ana)
    await d.putTicket(d.admin, id, { queueId: sales.id, userId: ana.id, note: 'Pide la factura' })
    await waitForPushes(browser, 1)
    const { uuid } = await d.showTicket(id)
    const { name: by } = await d.db
      .selectFrom('users')
      .select('name')
      .where('id', '=', d.admin.id)
      .executeTakeFirstOrThrow()
    const where = { tag: `ticket-${id}`, url: `/tickets/${uuid}` }
    expect(browser.received()[0]?.notification).toEqual({
      title: `${by} te pasó el ticket de Sol`,
      body: 'Pide la factura',
      ...where,
    })
    await d.admin.request('POST', '/ticket-notes', { note: '@Ana ¿cómo va?', ticketId: id, mentions: [ana.id] })
    await waitForPushes(browser, 2)
    expect(browser.received()[1]?.notification).toEqual({
      title: `${by} te mencionó: Sol`,
      body: '@Ana ¿cómo va?',
      ...where,
    })
    const socketClient = await ana.listen()
    await d.admin.request('POST', '/ticket-notes', { note: '@Ana otra vez', ticketId: id, mentions: [ana.id] })
    const owner = openOwnerPool(harness)
    await waitForNoJobs(owner)
    await owner.end()
    expect(browser.received()).toHaveLength(2)
    socketClient.close()
  })

  it('tells an agent of an offer although a tab is open, for the browser to show while none has the focus', async () => {
    const d = await openDesk(harness)
    const queue = await d.createQueue()
    const ana = await d.createUser('user', [queue])
    const browser = await subscribeBrowser(ana)
    await ana.listen()
    await d.db
      .updateTable('queues')
      .set({ routing: 'fewestOpen', offerSeconds: 60 })
      .where('id', '=', queue.id)
      .execute()
    const { id } = await d.newTicket('¿Tienen lugar?', 'Lucía Campos')
    await d.putTicket(d.admin, id, { queueId: queue.id, status: 'pending', userId: null })
    await vi.waitFor(() => expect(JSON.stringify(browser.received())).toContain('"unlessFocused":true'), {
      timeout: 8000,
    })
    const offer = browser.received().find((push) => JSON.stringify(push).includes('unlessFocused'))
    expect(JSON.stringify(offer)).toContain('Lucía Campos te espera: ¿lo aceptas?')
    expect(JSON.stringify(offer)).toContain('¿Tienen lugar?')
  })

  it('is sent once at the start of ten messages in a row, and once more with the last message', async () => {
    const d = await openDesk(harness)
    const ana = await d.createUser('user')
    const { customer } = await openConversation(d, ana)
    const browser = await subscribeBrowser(ana)
    await customer.says('línea 0')
    await waitForPushes(browser, 1)
    // All messages are received in one batch, because on a busy machine one at a time would outlast the pause.
    await d.receive(...Array.from({ length: 9 }, (_, i) => makeTextEvent(customer.number, `línea ${i + 1}`)))
    await waitForPushes(browser, 2)
    expect(browser.received().map((p) => p.notification.body)).toEqual(['línea 0', 'línea 9'])
  })

  it('is not suppressed by a push that another server in the same process has sent', () => {
    const [one, other] = [{}, {}]
    const now = Date.now()
    expect(pushDelayMs(one, 'ticket 1', now + 60_000)).toBe(0)
    expect(pushDelayMs(one, 'ticket 1', now)).toBe(null)
    expect(pushDelayMs(other, 'ticket 1', now)).toBe(0)
  })

  it('is not sent to users with an open tab, nor to users who may not be notified', async () => {
    const d = await openDesk(harness)
    const sales = await d.createQueue()
    const ana = await d.createUser('user', [sales])
    const others = {
      atWork: await d.createUser('user', [sales], 'enabled'),
      notGivenWhatWaits: await d.createUser('user', [sales]),
      elsewhere: await d.createUser('user', [await d.createQueue()], 'enabled'),
      boss: await d.createUser('supervisor', [sales]),
    }
    const { id, customer } = await d.newTicket()
    await d.putTicket(d.admin, id, { status: 'pending', queueId: sales.id })
    const browsers = []
    for (const other of Object.values(others)) browsers.push(await subscribeBrowser(other))
    const given = await subscribeBrowser(await d.createUser('user', [sales], 'enabled'))
    const socketClient = await others.atWork.listen()
    await customer.says('¿hay alguien?')
    await waitForPushes(given, 1)
    const owner = openOwnerPool(harness)
    await waitForNoJobs(owner)
    await d.putTicket(ana, id, { status: 'open', userId: ana.id })
    harness.clock.advance(10_000)
    const own = await subscribeBrowser(ana)
    await customer.says('solo para Ana')
    await waitForPushes(own, 1)
    await waitForNoJobs(owner)
    await owner.end()
    expect([given, ...browsers].map((b) => b.received().length)).toEqual([1, 0, 0, 0, 0])
    socketClient.close()
  })

  it('deletes a subscription that no longer exists, and retries after a failure', async () => {
    const d = await openDesk(harness)
    const [ana, beto] = [await d.createUser('user'), await d.createUser('user')]
    const [gone, busy] = [await subscribeBrowser(ana), await subscribeBrowser(beto)]
    gone.answer(410)
    busy.answer(503)
    const [first, second] = [await openConversation(d, ana), await openConversation(d, beto)]
    await first.customer.says('a')
    await second.customer.says('b')
    await waitForPushes(gone, 1)
    await waitForPushes(busy, 1)
    await vi.waitFor(async () => expect((await rows(d)).map((r) => r.userId)).toEqual([beto.id]))
    busy.answer(201)
    await vi.waitFor(() => expect(busy.received().at(-1)?.notification.body).toBe('b'), { timeout: 10_000 })
  })

  it('does not call an address in our own network', async () => {
    const strict = await testServer()
    const d = await openDesk(strict)
    const ana = await d.createUser('user')
    const browser = service.browser()
    const endpoint = browser.subscription.endpoint.replace('http:', 'https:')
    await ana.call(pushApi.subscribe, { body: { ...browser.subscription, endpoint } })
    await vi.waitFor(() => expect(strict.server.deps.push.hasSubscribers(d.company.id)).toBe(true))
    const { customer } = await openConversation(d, ana)
    await customer.says('hola')
    await vi.waitFor(async () => expect(await rows(d)).toEqual([]), { timeout: 8000 })
    expect(browser.received()).toEqual([])
    await strict.close()
  })
})

describe('a push subscription', () => {
  it('ends with its session, however the session ends, and with its user', async () => {
    const d = await openDesk(harness)
    const left = await d.createUser('user')
    await subscribeBrowser(left)
    await left.request('DELETE', '/auth/logout')
    const moved = await d.createUser('user')
    await subscribeBrowser(moved)
    await harness.login(moved.email)
    const gone = await d.createUser('user')
    await subscribeBrowser(gone)
    await d.admin.call(usersApi.remove, { params: { id: gone.id } })
    expect(await rows(d)).toEqual([])
    await vi.waitFor(() => expect(harness.server.deps.push.hasSubscribers(d.company.id)).toBe(false))
  })

  it('is stored once per browser, whoever is logged in there, and can be removed', async () => {
    const [d, other] = [await openDesk(harness), await openDesk(harness)]
    const ana = await d.createUser('user')
    const browser = await subscribeBrowser(ana)
    await ana.call(pushApi.subscribe, { body: browser.subscription })
    expect(await rows(d)).toHaveLength(1)
    await other.admin.call(pushApi.subscribe, { body: browser.subscription })
    expect([await rows(d), (await rows(other)).length]).toEqual([[], 1])
    await ana.call(pushApi.unsubscribe, { query: { endpoint: browser.subscription.endpoint } })
    expect(await rows(other)).toHaveLength(1)
    await other.admin.call(pushApi.unsubscribe, { query: { endpoint: browser.subscription.endpoint } })
    expect(await rows(other)).toEqual([])
  })

  it('is limited per session, however often a script subscribes', async () => {
    const d = await openDesk(harness)
    for (let i = 0; i < 8; i++) await d.admin.call(pushApi.subscribe, { body: service.browser().subscription })
    expect(await rows(d)).toHaveLength(5)
  })
})

describe("the platform's push keys", () => {
  it('are created once, stored encrypted, and read by the next process', async () => {
    const { platformPool } = harness.server.deps.database
    const { rows } = await platformPool.query(`select sealed from "platformSecrets" where name = 'vapid'`)
    expect(rows).toHaveLength(1)
    expect(rows[0].sealed).not.toContain('privateKey')
    const next = await startSecondProcess(harness)
    expect(next.deps.push.publicKey).toBe(harness.server.deps.push.publicKey)
  })

  it('are created again if their secret is lost, and browsers must subscribe again', async () => {
    const own = await testServer({ privateTargets: true })
    const { admin } = await own.createCompany()
    await admin.call(pushApi.subscribe, { body: service.browser().subscription })
    const other = { ...own, config: { ...own.config, appSecret: 'another secret that is long enough, too' } }
    const next = await startSecondProcess(other)
    expect(next.deps.push.publicKey).toHaveLength(own.server.deps.push.publicKey.length)
    expect(next.deps.push.publicKey).not.toBe(own.server.deps.push.publicKey)
    expect(await own.wide().db.selectFrom('pushSubscriptions').selectAll().execute()).toEqual([])
  })
})

describe('companies whose push services never answer', () => {
  it('do not block push notifications and mails of other companies', async () => {
    const dead = createServer(() => undefined)
    await new Promise<void>((done) => dead.listen(0, '127.0.0.1', done))
    onTestFinished(() => {
      dead.closeAllConnections()
      dead.close()
    })
    const ours = await openDesk(harness)
    // These companies have enough pushes to occupy all other workers of the server.
    const theirs = [await openDesk(harness), await openDesk(harness)]
    for (const desk of theirs) {
      const boss = await desk.createUser('admin', [], 'enabled')
      for (let n = 0; n < 5; n++) {
        const { keys } = service.browser().subscription
        const endpoint = `http://127.0.0.1:${(dead.address() as AddressInfo).port}/${boss.companyId}/${n}`
        await boss.call(pushApi.subscribe, { body: { endpoint, keys } })
      }
      await vi.waitFor(() => expect(harness.server.deps.push.hasSubscribers(boss.companyId)).toBe(true))
    }
    const ana = await ours.createUser('user')
    const { customer } = await openConversation(ours, ana)
    const browser = await subscribeBrowser(ana)
    const asked = new Set<Socket>()
    dead.on('connection', (socket) => asked.add(socket))
    for (const desk of theirs) for (let n = 0; n < 4; n++) await desk.newTicket()
    // Two calls of each company are hanging: the maximum per company.
    await vi.waitFor(() => expect(asked.size).toBe(4))
    await customer.says('¿Siguen abiertos?')
    await harness.anonymous.request('POST', `/forgetpassword/${ana.email}`)
    await waitForPushes(browser, 1)
    const mail = async () => (await readdir(join(harness.dataDir, 'mail')).catch(() => [])).join()
    await vi.waitFor(async () => expect(await mail()).toContain(ana.email))
    expect(asked.size).toBe(4)
  })
})
