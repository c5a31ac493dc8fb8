import { io, type Socket } from 'socket.io-client'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { closeTestServers, password, type TestServer, testServer, viaProcess } from '../test/test-server.ts'
import { minutes } from './kernel/clock.ts'
import { openPool } from './kernel/data/database.ts'
import { makeLog } from './kernel/log.ts'
import { openServer } from './server.ts'

afterAll(closeTestServers)

/** A client like the older ones, which reconnects only with socket.io's built-in retries. */
function plainClient(address: string, token: string): Socket {
  const pace = { reconnectionDelay: 50, reconnectionDelayMax: 50 }
  const socket = io(address, { transports: ['websocket'], query: { token }, forceNew: true, ...pace })
  onTestFinished(() => void socket.close())
  return socket
}

const database = (h: TestServer) => /\/([^/?]+)(\?|$)/.exec(h.databaseUrl)?.[1]

describe('a lost database connection', () => {
  it('makes the server report "not ready" without stopping, until the database is back', async () => {
    const h = await testServer()
    const { admin } = await h.createCompany()
    const name = database(h)
    await h.adminPool.query(`alter database ${name} allow_connections false`)
    await h.adminPool.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    await vi.waitFor(async () =>
      expect(await h.anonymous.request('GET', '/readyz')).toMatchObject({
        status: 503,
        body: { error: 'ERR_NOT_READY' },
      }),
    )
    expect((await h.anonymous.request('GET', '/healthz')).status).toBe(200)
    // The error code must not be a session error: clients would log out.
    const notReady = { status: 503, body: { error: 'ERR_NOT_READY' } }
    expect(await admin.request('GET', '/tags')).toMatchObject(notReady)
    expect(await h.anonymous.request('POST', '/auth/login', { email: admin.email, password })).toMatchObject(notReady)
    expect(await h.anonymous.request('POST', '/auth/refresh_token', undefined, { cookie: admin.cookie })).toMatchObject(
      {
        ...notReady,
        cookies: [],
      },
    )
    // A client that cannot be authenticated now retries, and is connected when the database is back.
    const plain = plainClient(h.address, admin.token)
    await new Promise((tried) => plain.io.once('reconnect_attempt', tried))
    expect(plain.connected).toBe(false)
    await h.adminPool.query(`alter database ${name} allow_connections true`)
    await vi.waitFor(async () => expect((await h.anonymous.request('GET', '/readyz')).status).toBe(200))
    expect((await admin.request('GET', '/tags')).status).toBe(200)
    const { db } = h.wide()
    const online = () => db.selectFrom('users').select('online').where('id', '=', admin.id).executeTakeFirstOrThrow()
    await expect.poll(online).toEqual({ online: true })
    plain.close()
    // A user with a socket is online, even if the row says otherwise.
    await expect
      .poll(() => db.selectFrom('users').select('disconnectedAt').where('id', '=', admin.id).executeTakeFirstOrThrow())
      .toEqual({ disconnectedAt: expect.any(String) })
    await db
      .updateTable('users')
      .set({ online: true, lastSeenAt: new Date(0) })
      .where('id', '=', admin.id)
      .execute()
    await h.wide().enqueueJob('presence:sweep', {})
    await expect.poll(online).toEqual({ online: false })
  })

  it('does not prevent a running job and waiting jobs from finishing once the database is back', async () => {
    const h = await testServer()
    const people = [(await h.createCompany()).admin.id, (await h.createCompany()).admin.id] as const
    const { db } = h.wide()
    const gone = { online: true, lastSeenAt: new Date(0) }
    await db.updateTable('users').set(gone).where('id', '=', people[0]).execute()
    const name = database(h)
    // The job waits for a locked row.
    const holder = openPool(h.databaseUrl, makeLog('silent'), { max: 1 })
    const holding = await holder.connect()
    holding.on('error', () => {})
    await holding.query('begin')
    await holding.query('select 1 from users where id = $1 for update', [people[0]])
    await h.wide().enqueueJob('presence:sweep', {})
    const waits = `select 1 from pg_stat_activity where datname = '${name}' and wait_event_type = 'Lock'`
    await expect.poll(async () => (await h.adminPool.query(waits)).rows).not.toEqual([])
    await h.adminPool.query(`alter database ${name} allow_connections false`)
    await h.adminPool.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    await vi.waitFor(async () => expect((await h.anonymous.request('GET', '/readyz')).status).toBe(503))
    holding.release(true)
    await holder.end()
    await h.adminPool.query(`alter database ${name} allow_connections true`)
    await vi.waitFor(async () => expect((await h.anonymous.request('GET', '/readyz')).status).toBe(200))
    const online = (id: number) => db.selectFrom('users').select('online').where('id', '=', id).executeTakeFirst()
    await expect.poll(() => online(people[0])).toEqual({ online: false })
    await db.updateTable('users').set(gone).where('id', '=', people[1]).execute()
    await h.wide().enqueueJob('presence:sweep', {})
    await expect.poll(() => online(people[1])).toEqual({ online: false })
  })
})

describe('stopping the server', () => {
  it('answers requests that arrived before, and accepts no new ones', async () => {
    const h = await testServer()
    const { admin } = await h.createCompany()
    const running = await openServer({ ...h.config, port: 0 }, h.databaseUrl, makeLog('silent'), h.clock)
    const login = () =>
      fetch(`${running.address}/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: admin.email, password }),
      })
    await login() // The login leaves a keep-alive connection open.
    let arrived = 0
    running.app.server.on('request', () => void arrived++)
    // Four logins keep the hashing threads busy while the server closes.
    const asked = Promise.all([1, 2, 3, 4].map(() => login().then((a) => a.status)))
    await vi.waitFor(() => expect(arrived).toBe(4), { interval: 1 })
    await running.close()
    expect(await asked).toEqual([200, 200, 200, 200])
    await expect(login()).rejects.toThrow()
  })

  it('lets clients reconnect automatically to the next server at that address', async () => {
    const h = await testServer()
    const { admin } = await h.createCompany()
    const open = (port: number) => openServer({ ...h.config, port }, h.databaseUrl, makeLog('silent'), h.clock)
    const first = await open(0)
    const plain = plainClient(first.address, admin.token)
    await vi.waitFor(() => expect(plain.connected).toBe(true), { timeout: 5000 })
    await first.close()
    await vi.waitFor(() => expect(plain.connected).toBe(false))
    const second = await open(Number(new URL(first.address).port))
    await vi.waitFor(() => expect(plain.connected).toBe(true), { timeout: 15_000 })
    plain.close()
    await second.close()
  })

  it('sets all connected users offline, and logs no errors', async () => {
    const said: string[] = []
    const h = await testServer()
    const log = makeLog('warn', { write: (line) => void said.push(line) })
    const running = await openServer({ ...h.config, port: 0 }, h.databaseUrl, log, h.clock)
    // Ignore the warning that there is no web app to serve.
    said.length = 0
    const { admin, id, user } = await h.createCompany()
    const people = [admin, await user(), await user(), await user()]
    for (const person of people) await viaProcess(running, person).listen()
    const online = async () =>
      (await h.wide().db.selectFrom('users').select('online').where('companyId', '=', id).execute()).map(
        (u) => u.online,
      )
    expect(await online()).toEqual([true, true, true, true])
    await running.close()
    // They are offline a minute later, unless they connect to the next process.
    h.clock.advance(minutes(1))
    await h.server.switchboard.timers.poll()
    expect([await online(), said]).toEqual([[false, false, false, false], []])
  })
})
