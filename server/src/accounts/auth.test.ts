import { authApi } from '@recado/contract/auth'
import { companiesApi } from '@recado/contract/companies'
import type { SessionEndReason } from '@recado/contract/live'
import { passkeyAssertionExample } from '@recado/contract/passwords/passkeys'
import { twoFactorApi } from '@recado/contract/passwords/two-factor'
import { tagsApi } from '@recado/contract/tags'
import { usersApi } from '@recado/contract/users'
import { SignJWT } from 'jose'
import { sql } from 'kysely'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { HttpCaller } from '../../test/http-caller.ts'
import {
  closeTestServers,
  password,
  type SocketClient,
  type TestServer,
  type TestUser,
  testServer,
} from '../../test/test-server.ts'
import { days, endOfDay, minutes, toCalendarDay } from '../kernel/clock.ts'
import { hashPassword } from '../kernel/crypto.ts'
import { makeLog } from '../kernel/log.ts'
import { makeSessions } from './sessions.ts'

let harness: TestServer
/** A server with a movable clock; each test creates the users it needs. */
let moving: TestServer
beforeAll(async () => {
  harness = await testServer()
  moving = await testServer()
  // Time moves only by `forward`: on a slow machine, real seconds would make tokens expire too early.
  moving.clock.freeze()
})
afterAll(closeTestServers)

type LoginBody = { token: string; user: { id: number; companyId: number; company: { dueDate: string } } }
const enter = (who: HttpCaller, email: string, secret = password) =>
  who.request<LoginBody>('POST', '/auth/login', { email, password: secret })
/** Refreshes the session like a browser: with the cookie, and with any bearer token it happens to send. */
const refresh = (server: TestServer, cookie: string, headers: Record<string, string> = {}) =>
  server.anonymous.request<LoginBody>('POST', '/auth/refresh_token', undefined, {
    ...(cookie && { cookie }),
    ...headers,
  })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const cookieOf = (answer: { cookies: string[] }) =>
  answer.cookies.find((c) => c.startsWith('jrt='))?.split(';')[0] ?? ''
const clearsCookie = (answer: { cookies: string[] }) =>
  answer.cookies.some((c) => /^jrt=;/.test(c) && /Path=\/auth/.test(c) && /Expires=Thu, 01 Jan 1970/.test(c))
const decodeClaims = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString())
const addQueue = async (companyId: number, name: string, color: string) => {
  const made = await sql<{
    id: number
  }>`insert into queues ("companyId", name, color) values (${companyId}, ${name}, ${color}) returning id`.execute(
    harness.wide().db,
  )
  return made.rows[0] as { id: number }
}
const sessionExpired = { status: 401, body: { error: 'ERR_SESSION_EXPIRED' } }

describe('login', () => {
  it('answers with the session user that Whaticket-compatible clients expect', async () => {
    const { id: companyId, name, admin } = await harness.createCompany()
    const queue = await addQueue(companyId, 'Ventas', '#112233')
    const answer = await enter(harness.anonymous, admin.email)
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body)).toEqual(['token', 'user'])
    expect(answer.body.user).toEqual({
      id: admin.id,
      name: 'The admin',
      email: admin.email,
      profile: 'admin',
      super: false,
      companyId,
      allTicket: 'desabled',
      whatsappId: null,
      queues: [{ id: queue.id, name: 'Ventas', color: '#112233', UserQueue: { queueId: queue.id } }],
      language: null,
      active: true,
      online: false,
      availability: 'available',
      availabilityCause: 'person',
      availabilityReason: '',
      availabilitySince: expect.any(String),
      capacity: null,
      onShift: true,
      shifts: [],
      skillIds: [],
      hasLoggedIn: false,
      timeZone: expect.any(String),
      hasTimeZone: false,
      weeklyMail: false,
      hidesGuide: false,
      undoSeconds: 0,
      twoFactor: false,
      invited: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      company: {
        id: companyId,
        name,
        email: admin.email,
        dueDate: '2093-03-14T23:59:59.000Z',
        expired: false,
        trialExpiration: null,
        planId: 2,
        ...{ billingName: '', billingDocument: '', addressStreet: '', addressDistrict: '', addressCity: '' },
        ...{ addressState: '', addressZipCode: '', addressCountry: '' },
        settings: expect.arrayContaining([
          { key: 'campaignsEnabled', value: 'false' },
          { key: 'asaas', value: '' },
        ]),
      },
    })
  })

  it('gives an agent only the queues assigned to them', async () => {
    const company = await harness.createCompany()
    const mine = await addQueue(company.id, 'Mine', '#000001')
    await addQueue(company.id, 'Other', '#000002')
    const agent = await company.user()
    await harness
      .wide()
      .db.insertInto('userQueues')
      .values({ companyId: company.id, userId: agent.id, queueId: mine.id })
      .execute()
    const { body } = await enter(harness.anonymous, agent.email)
    expect(body.user).toMatchObject({ profile: 'user', queues: [{ id: mine.id, name: 'Mine' }] })
  })

  it('accepts the e-mail in any letter case and with blanks', async () => {
    const { admin } = await harness.createCompany()
    expect((await enter(harness.anonymous, `  ${admin.email.toUpperCase()} `)).status).toBe(200)
  })

  it('issues a JWT that expires after 15 minutes', async () => {
    const { admin } = await harness.createCompany()
    const { token } = (await enter(harness.anonymous, admin.email)).body
    expect(token.split('.')).toHaveLength(3)
    const { exp, iat, id, companyId, profile } = decodeClaims(token)
    expect({ life: exp - iat, id, companyId, profile }).toEqual({
      life: 900,
      id: admin.id,
      companyId: admin.companyId,
      profile: 'admin',
    })
    expect(Math.abs(exp * 1000 - Date.now() - minutes(15))).toBeLessThan(10_000)
  })

  it('answers a wrong e-mail, a wrong password and a disabled user alike, and equally slowly', async () => {
    const { admin, id: companyId } = await harness.createCompany()
    const left = await harness.createUser(companyId, 'user')
    const { db } = harness.wide()
    // Use hashes of production cost, because hashes of the test harness take no time.
    await db
      .updateTable('users')
      .set({ passwordHash: await hashPassword(password) })
      .where('companyId', '=', companyId)
      .execute()
    await db.updateTable('users').set({ active: false }).where('id', '=', left.id).execute()
    const timed = async (email: string, secret: string) => {
      const start = performance.now()
      const { status, body, cookies } = await enter(harness.anonymous, email, secret)
      return { told: { status, body, cookies }, ms: performance.now() - start }
    }
    const known: number[] = []
    const unknown: number[] = []
    for (let n = 0; n < 5; n++) {
      const a = await timed(admin.email, 'not-the-password')
      const b = await timed('nobody@nowhere.test', 'not-the-password')
      expect(b.told).toEqual(a.told)
      expect(a.told).toEqual({ status: 401, body: { error: 'ERR_INVALID_CREDENTIALS' }, cookies: [] })
      known.push(a.ms)
      unknown.push(b.ms)
    }
    expect((await timed(left.email, password)).told).toEqual({
      status: 401,
      body: { error: 'ERR_INVALID_CREDENTIALS' },
      cookies: [],
    })
    // The fastest of five runs has the least noise. Without the decoy hash, an unknown address takes a tenth of
    // the time.
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 2)
  })

  it('logs a refused login with its IP address and nothing that was typed', async () => {
    let said = ''
    const keep = (line: string) => {
      said += line
    }
    const watched = await testServer({ trustProxy: true }, makeLog('info', { write: keep }))
    onTestFinished(() => watched.close())
    const { admin } = await watched.createCompany()
    const from = { 'x-forwarded-for': '203.0.113.9' }
    for (const email of [admin.email, 'my-Password-by-mistake'])
      await watched.anonymous.request('POST', '/auth/login', { email, password: 'not-this-one' }, from)
    const lines = said.split('\n').filter((line) => line.includes('login refused'))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, from: '203.0.113.9', userId: admin.id },
      { level: 40, from: '203.0.113.9', userId: null },
    ])
    for (const secret of ['my-Password-by-mistake', 'not-this-one', admin.email]) expect(said).not.toContain(secret)
  })

  it('counts failed IPv6 logins by network prefix, because a subscriber has a whole prefix', async () => {
    const watched = await testServer({ trustProxy: true })
    onTestFinished(() => watched.close())
    const { admin } = await watched.createCompany()
    const knockFrom = async (ip: string, secret = 'not-this-one') =>
      (
        await watched.anonymous.request(
          'POST',
          '/auth/login',
          { email: admin.email, password: secret },
          { 'x-forwarded-for': ip },
        )
      ).status
    for (let n = 1; n <= 10; n++) expect(await knockFrom(`2001:db8:7:7::${n}`)).toBe(401)
    expect(await knockFrom('2001:db8:7:7:9:9:9:9', password)).toBe(429)
    expect(await knockFrom('2001:db8:7:8::1', password)).toBe(200)
  })

  it('forbids caching of its answer, and of every other API answer', async () => {
    const { admin } = await harness.createCompany()
    const answers = [
      await enter(harness.anonymous, admin.email, 'not-this-one'),
      await refresh(harness, admin.cookie),
      await admin.request('GET', '/auth/me'),
      await enter(harness.anonymous, admin.email, password),
    ]
    expect(answers.map((a) => a.headers.get('cache-control'))).toEqual(answers.map(() => 'no-store'))
  })

  it('leaves only one session active when an account logs in twice at the same moment', async () => {
    const { admin } = await harness.createCompany()
    const both = await Promise.all([enter(harness.anonymous, admin.email), enter(harness.anonymous, admin.email)])
    const alive = await Promise.all(
      both.map((one) => harness.anonymous.request('GET', '/auth/me', undefined, bearer(one.body.token))),
    )
    expect(alive.map((a) => a.status).sort()).toEqual([200, 401])
  })
})

describe('an access token', () => {
  it('is answered with 401 if missing and 403 if invalid', async () => {
    expect(await harness.anonymous.request('GET', '/tags')).toMatchObject(sessionExpired)
    expect(await harness.anonymous.request('GET', '/tags', undefined, { authorization: 'Basic eDp5' })).toMatchObject(
      sessionExpired,
    )
    const { admin } = await harness.createCompany()
    const [head, , signature] = admin.token.split('.')
    const forged = [
      head,
      Buffer.from(JSON.stringify({ ...decodeClaims(admin.token), id: 1 })).toString('base64url'),
      signature,
    ].join('.')
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${admin.token.split('.')[1]}.`
    for (const token of ['garbage', `${admin.token}x`, forged, unsigned, 'a.b.c', 'null', 'undefined']) {
      expect(await harness.anonymous.request('GET', '/tags', undefined, bearer(token)), token).toMatchObject({
        status: 403,
        body: { error: 'ERR_TOKEN_EXPIRED' },
      })
    }
  })

  it('is accepted only with HS256, even if another algorithm uses the right key', async () => {
    const { admin } = await harness.createCompany()
    const signedWith = (alg: string) =>
      new SignJWT(decodeClaims(admin.token)).setProtectedHeader({ alg }).sign(harness.server.deps.vault.tokenKey)
    const statusOf = async (alg: string) =>
      (await harness.anonymous.request('GET', '/tags', undefined, bearer(await signedWith(alg)))).status
    expect([await statusOf('HS256'), await statusOf('HS512')]).toEqual([200, 403])
  })

  it('is refused if another server issued it', async () => {
    const other = await testServer()
    onTestFinished(other.close)
    const { admin } = await harness.createCompany()
    expect((await other.anonymous.request('GET', '/tags', undefined, bearer(admin.token))).status).toBe(403)
    expect(await refresh(other, admin.cookie)).toMatchObject(sessionExpired)
  })

  it('is checked before ids in the request are parsed', async () => {
    expect(await harness.anonymous.request('GET', '/companies/listPlan/undefined')).toMatchObject(sessionExpired)
    expect((await (await harness.createCompany()).admin.request('GET', '/companies/listPlan/undefined')).status).toBe(
      400,
    )
  })

  it('identifies its user', async () => {
    const { admin } = await harness.createCompany()
    expect(await admin.request('GET', '/auth/me')).toMatchObject({
      status: 200,
      body: { id: admin.id, profile: 'admin', super: false },
    })
    expect((await (await harness.superUser()).request('GET', '/auth/me')).body).toMatchObject({
      profile: 'admin',
      super: true,
    })
  })
})

describe('session expiry', () => {
  it('answers 403 to an access token after 15 minutes, and issues the next token for the cookie alone', async () => {
    const { admin } = await moving.createCompany()
    moving.clock.advance(minutes(14))
    expect((await admin.request('GET', '/tags')).status).toBe(200)
    moving.clock.advance(minutes(2))
    expect(await admin.request('GET', '/tags')).toMatchObject({ status: 403, body: { error: 'ERR_TOKEN_EXPIRED' } })
    for (const old of [admin.token, 'garbage']) {
      const fresh = await refresh(moving, admin.cookie, bearer(old))
      expect(fresh).toMatchObject({
        status: 200,
        body: { user: { id: admin.id, company: { dueDate: '2093-03-14T23:59:59.000Z', email: admin.email } } },
      })
      expect((await moving.anonymous.request('GET', '/tags', undefined, bearer(fresh.body.token))).status).toBe(200)
    }
  })

  it('keeps a refresh token valid for seven days from its last use', async () => {
    const { admin } = await moving.createCompany()
    let { cookie } = admin
    for (let week = 0; week < 2; week++) {
      moving.clock.advance(days(6))
      const next = await refresh(moving, cookie)
      expect(next.status).toBe(200)
      expect(cookieOf(next)).not.toBe(cookie)
      cookie = cookieOf(next)
    }
    moving.clock.advance(days(7) + 1000)
    const late = await refresh(moving, cookie)
    expect(late).toMatchObject(sessionExpired)
    expect(clearsCookie(late)).toBe(true)
  })

  it('ends a session ninety days after its login, even if it is used every week', async () => {
    const { admin } = await moving.createCompany()
    let { cookie } = admin
    let token = admin.token
    for (let passed = 0; passed < 84; passed += 6) {
      moving.clock.advance(days(6))
      const next = await refresh(moving, cookie)
      expect(next.status).toBe(200)
      cookie = cookieOf(next)
      token = next.body.token
    }
    moving.clock.advance(days(6) - minutes(5))
    const last = await refresh(moving, cookie)
    expect(last.status).toBe(200)
    token = last.body.token
    expect((await moving.anonymous.request('GET', '/tags', undefined, bearer(token))).status).toBe(200)
    // The access token itself would be valid for ten more minutes.
    moving.clock.advance(minutes(5) + 1000)
    expect(await moving.anonymous.request('GET', '/tags', undefined, bearer(token))).toMatchObject(sessionExpired)
    await expect(tryToConnect(moving, { query: { token } })).rejects.toThrow('ERR_SESSION_EXPIRED')
    const late = await refresh(moving, cookieOf(last))
    expect(late).toMatchObject(sessionExpired)
    expect(clearsCookie(late)).toBe(true)
  })

  it('counts the ninety days from the new login, also when it replaces an old session', async () => {
    const { admin } = await moving.createCompany()
    let { cookie } = admin
    for (let week = 0; week < 14; week++) {
      moving.clock.advance(days(6))
      cookie = cookieOf(await refresh(moving, cookie))
    }
    const again = await moving.login(admin.email)
    moving.clock.advance(days(6.5))
    expect((await refresh(moving, again.cookie)).status).toBe(200)
  })

  it('uses a shorter maximum age set by the operator, also for sessions opened before', async () => {
    const { admin } = await moving.createCompany()
    const strict = makeSessions(moving.server.deps, undefined, days(2))
    const nobody = () => {}
    const value = admin.cookie.split('=')[1]
    moving.clock.advance(days(1))
    const { refresh: next } = await strict.refresh(value, nobody)
    moving.clock.advance(days(1) + 1000)
    await expect(strict.refresh(next, nobody)).rejects.toThrow('ERR_SESSION_EXPIRED')
    await expect(strict.refresh(value, nobody)).rejects.toThrow('ERR_SESSION_EXPIRED')
  })

  it('accepts overlapping refreshes with one cookie, and all their cookies keep working', async () => {
    const { admin } = await moving.createCompany()
    const three = await Promise.all([1, 2, 3].map(() => refresh(moving, admin.cookie)))
    expect(three.map((a) => a.status)).toEqual([200, 200, 200])
    for (const one of three)
      expect((await moving.anonymous.request('GET', '/auth/me', undefined, bearer(one.body.token))).status).toBe(200)
    for (const one of three) expect((await refresh(moving, cookieOf(one))).status).toBe(200)
    moving.clock.advance(minutes(20))
    const again = await Promise.all(three.map((one) => refresh(moving, cookieOf(one))))
    expect(again.map((a) => a.status)).toEqual([200, 200, 200])
  })

  it('treats a refresh token replaced long ago as stolen: the session ends for every holder, sockets included', async () => {
    const company = await moving.createCompany()
    const { admin } = company
    const socketClient = await admin.listen()
    const rightful = await refresh(moving, admin.cookie)
    moving.clock.advance(minutes(2))
    const stolen = await refresh(moving, admin.cookie)
    expect(stolen).toMatchObject(sessionExpired)
    expect(clearsCookie(stolen)).toBe(true)
    expect(await refresh(moving, cookieOf(rightful))).toMatchObject(sessionExpired)
    expect(await moving.anonymous.request('GET', '/auth/me', undefined, bearer(rightful.body.token))).toMatchObject(
      sessionExpired,
    )
    await socketClient.waitFor(`company-${company.id}-auth`, { action: 'update', reason: 'opened-elsewhere' })
    await expectNoEvent(socketClient, await company.user('supervisor'))
  })

  it('lets a socket reconnect with a token that expired within the last minute, but not with an older token', async () => {
    const { admin } = await moving.createCompany()
    moving.clock.advance(minutes(15) + 50_000)
    expect((await admin.request('GET', '/tags')).status).toBe(403)
    const socketClient = await admin.listen()
    await socketClient.whenCaughtUp()
    socketClient.close()
    moving.clock.advance(20_000)
    await expect(admin.listen()).rejects.toThrow('ERR_SESSION_EXPIRED')
    const renewed = (await refresh(moving, admin.cookie)).body.token
    await tryToConnect(moving, { query: { token: renewed } })
    const [head, , signature] = admin.token.split('.')
    const forged = [
      head,
      Buffer.from(JSON.stringify({ ...decodeClaims(admin.token), exp: decodeClaims(admin.token).exp + 1e6 })).toString(
        'base64url',
      ),
      signature,
    ].join('.')
    await expect(tryToConnect(moving, { query: { token: forged } })).rejects.toThrow('ERR_SESSION_EXPIRED')
    await moving.anonymous.request('DELETE', '/auth/logout', undefined, { cookie: admin.cookie })
    await expect(tryToConnect(moving, { query: { token: renewed } })).rejects.toThrow('ERR_SESSION_EXPIRED')
    await expect(tryToConnect(moving, { query: { token: '' } })).rejects.toThrow('ERR_SESSION_EXPIRED')
  })

  it('accepts a socket token for half a minute, only in the auth payload and only for sockets', async () => {
    const { admin } = await moving.createCompany()
    const another = (await moving.createCompany()).admin
    const { ticket } = await admin.call(authApi.socket)
    await tryToConnect(moving, { auth: { ticket } })
    await expect(tryToConnect(moving, { query: { ticket } })).rejects.toThrow('ERR_SESSION_EXPIRED')
    await expect(tryToConnect(moving, { query: { token: ticket } })).rejects.toThrow('ERR_SESSION_EXPIRED')
    expect((await moving.anonymous.request('GET', '/auth/me', undefined, bearer(ticket))).status).toBe(403)
    const [, until, signature] = ticket.split('.')
    for (const forged of [
      `${another.sessionId}.${until}.${signature}`,
      `${admin.sessionId}.${Number(until) + 1e9}.${signature}`,
      `${ticket}x`,
      '..',
    ])
      await expect(tryToConnect(moving, { auth: { ticket: forged } })).rejects.toThrow('ERR_SESSION_EXPIRED')
    moving.clock.advance(31_000)
    await expect(tryToConnect(moving, { auth: { ticket } })).rejects.toThrow('ERR_SESSION_EXPIRED')
    const next = await admin.call(authApi.socket)
    await moving.login(admin.email)
    await expect(tryToConnect(moving, { auth: next })).rejects.toThrow('ERR_SESSION_EXPIRED')
  })
})

describe('refreshing the session token', () => {
  it('never answers 403, whatever is wrong with the request', async () => {
    const { admin } = await harness.createCompany()
    for (const cookie of ['', 'jrt=', 'jrt=x', 'jrt=a.b.c', `${admin.cookie}x`, admin.cookie.replace(/\.0\./, '.7.')]) {
      const answer = await refresh(harness, cookie, bearer('garbage'))
      expect(answer, cookie).toMatchObject(sessionExpired)
      expect(clearsCookie(answer), cookie).toBe(true)
    }
    expect((await refresh(harness, admin.cookie)).status).toBe(200)
  })

  it('reads only the cookie, and ignores a bearer token of another user', async () => {
    const one = (await harness.createCompany()).admin
    const two = (await harness.createCompany()).admin
    expect((await refresh(harness, one.cookie, bearer(two.token))).body.user.id).toBe(one.id)
  })

  it('needs no body, and accepts an empty body in every form', async () => {
    const { admin } = await harness.createCompany()
    for (const type of [
      'application/x-www-form-urlencoded',
      'application/json',
      'text/plain',
      'application/json; charset=utf-8',
      'x/y',
    ]) {
      expect((await refresh(harness, admin.cookie, { 'content-type': type })).status, type).toBe(200)
    }
    const answer = await harness.anonymous.request('POST', '/auth/refresh_token/', {}, { cookie: admin.cookie })
    expect(answer.status).toBe(200)
  })
})

/** A user of the company creates a tag; expects that this socket client does not receive the event. */
async function expectNoEvent(socketClient: SocketClient, writer: TestUser): Promise<void> {
  const witness = await writer.listen()
  const before = socketClient.received.length
  const tag = await writer.call(tagsApi.create, { body: { name: 'a secret', color: '' } })
  await witness.waitFor(`company-${writer.companyId}-tag`, { action: 'create', tag })
  if (socketClient.socket.connected) await socketClient.whenCaughtUp()
  expect(socketClient.received.slice(before)).toEqual([])
}

const tryToConnect = (
  server: TestServer,
  bringing: { query?: Record<string, string>; auth?: Record<string, string> },
) =>
  new Promise<void>((resolve, reject) => {
    const socket = io(server.address, {
      transports: ['websocket'],
      ...bringing,
      forceNew: true,
      reconnection: false,
    })
    socket.once('ready', () => {
      socket.close()
      resolve()
    })
    socket.once('connect_error', reject)
  })

describe('ending a session', () => {
  /** Ways to end the session of `agent`; each key is a test name. */
  const actions: Record<
    string,
    (company: Awaited<ReturnType<TestServer['createCompany']>>, agent: TestUser) => Promise<unknown>
  > = {
    'a second login': (_c, agent) => harness.login(agent.email),
    'a logout': (_c, agent) =>
      agent.call({ method: 'DELETE', path: '/auth/logout', about: '', access: 'public', reply: undefined as never }),
    'a logout by cookie alone': (_c, agent) =>
      harness.anonymous.request('DELETE', '/auth/logout', undefined, { cookie: agent.cookie }),
    'a new password from the admin': ({ admin }, agent) =>
      admin.call(usersApi.update, {
        params: { id: agent.id },
        body: { whatsappId: null, name: 'They', email: agent.email, password: 'another-1' },
      }),
    'another address from the admin': ({ admin }, agent) =>
      admin.call(usersApi.update, {
        params: { id: agent.id },
        body: { whatsappId: null, name: 'They', email: `other-${agent.email}` },
      }),
    'a second step that the admin ends': ({ admin }, agent) =>
      admin.call(twoFactorApi.endFor, { params: { id: agent.id } }),
    'being disabled': ({ admin }, agent) =>
      admin.call(usersApi.update, {
        params: { id: agent.id },
        body: { whatsappId: null, name: 'They', email: agent.email, active: false },
      }),
    'being deleted': ({ admin }, agent) => admin.call(usersApi.remove, { params: { id: agent.id } }),
    'a company switched off': async ({ id, name }) =>
      (await harness.superUser()).call(companiesApi.update, {
        params: { id },
        body: { name, email: null, phone: '', planId: 2, status: false, dueDate: null, recurrence: null },
      }),
    'a company deleted': async ({ id }) => (await harness.superUser()).call(companiesApi.remove, { params: { id } }),
  }

  const reasons: Record<string, SessionEndReason> = {
    'a second login': 'opened-elsewhere',
    'a logout': 'logged-out',
    'a logout by cookie alone': 'logged-out',
    'a new password from the admin': 'password-changed',
    'another address from the admin': 'sign-in-changed',
    'a second step that the admin ends': 'sign-in-changed',
    'being disabled': 'account-closed',
    'being deleted': 'account-closed',
    'a company switched off': 'account-closed',
    'a company deleted': 'account-closed',
  }

  it.each(Object.entries(actions))('%s: invalidates the token, the cookie and the socket', async (name, action) => {
    const company = await harness.createCompany()
    const agent = await company.user()
    const socketClient = await agent.listen()
    await action(company, agent)
    expect(await socketClient.waitFor(`company-${company.id}-session`)).toMatchObject({
      action: 'update',
      reason: reasons[name],
      user: { id: agent.id },
    })
    expect(await agent.request('GET', '/tags')).toMatchObject(sessionExpired)
    const answer = await refresh(harness, agent.cookie)
    expect(answer).toMatchObject(sessionExpired)
    expect(clearsCookie(answer)).toBe(true)
    await expect(agent.listen()).rejects.toThrow('ERR_SESSION_EXPIRED')
    expect(socketClient.received.filter((e) => e.name === `company-${company.id}-session`)).toHaveLength(1)
    // Older clients take this event for a login elsewhere, and clear the browser's whole storage.
    const elsewhere = socketClient.received.filter((e) => e.name === `company-${company.id}-auth`)
    expect(elsewhere).toHaveLength(reasons[name] === 'opened-elsewhere' ? 1 : 0)
  })

  it('sends nothing more to the socket of an ended session, even if the socket asks to join again', async () => {
    const company = await harness.createCompany()
    const agent = await company.user()
    harness.server.deps.live.onJoin('joinTickets', async (actor) => [`company-${actor.companyId}`])
    const old = await agent.listen()
    const again = await harness.login(agent.email)
    const fresh = await again.listen()
    await old.waitFor(`company-${company.id}-auth`)
    old.socket.emit('joinTickets', 'open')
    await old.whenCaughtUp()
    await expectNoEvent(old, company.admin)
    await fresh.whenCaughtUp()
    expect(fresh.received.filter((e) => e.name === `company-${company.id}-auth`)).toEqual([])
    expect(fresh.received.filter((e) => e.name === `company-${company.id}-tag`)).toHaveLength(1)
    expect((await again.request('GET', '/tags')).status).toBe(200)
  })

  describe('logging out and in again without reloading the page', () => {
    /** Triggers an event in the company and returns whether the socket client received it. */
    async function receivesCompanyEvent(
      company: { id: number; admin: TestUser },
      socketClient: SocketClient,
    ): Promise<boolean> {
      const before = socketClient.received.length
      await company.admin.call(tagsApi.create, { body: { name: `News ${Math.random()}`, color: '' } })
      await socketClient.whenCaughtUp()
      return socketClient.received.slice(before).some((e) => e.name === `company-${company.id}-tag`)
    }
    const leave = (who: TestUser) => who.request('DELETE', '/auth/logout')

    it('reuses one socket, which receives nothing while logged out, and receives events again after the login', async () => {
      const company = await harness.createCompany()
      const first = await company.user()
      const isOnline = async () => (await company.admin.call(usersApi.show, { params: { id: first.id } })).online
      const socketClient = await first.listen(`other=1; ${first.browser}`)
      expect(await receivesCompanyEvent(company, socketClient)).toBe(true)
      await leave(first)
      expect(await receivesCompanyEvent(company, socketClient)).toBe(false)
      await expect.poll(isOnline).toBe(false)
      const second = await harness.login(first.email, password, first.browser)
      expect(second.browser).toBe(first.browser)
      expect(await receivesCompanyEvent(company, socketClient)).toBe(true)
      await expect.poll(isOnline).toBe(true)
      // The socket now belongs to the new session, and ends with that session.
      await leave(second)
      expect(await receivesCompanyEvent(company, socketClient)).toBe(false)
    })

    it('identifies the browser by its cookie, so that a login in another browser or by another user does not reactivate the socket', async () => {
      const company = await harness.createCompany()
      const [person, other] = [await company.user(), await company.user()]
      const [socketClient, thief] = [await person.listen(person.browser), await person.listen()]
      await leave(person)
      for (const browser of ['', 'jrb=', `jrb=${'x'.repeat(32)}`, `${person.browser}x`]) {
        await harness.login(person.email, password, browser)
        expect(await receivesCompanyEvent(company, socketClient)).toBe(false)
      }
      await harness.login(other.email, password, person.browser)
      expect(await receivesCompanyEvent(company, socketClient)).toBe(false)
      await harness.login(person.email, password, person.browser)
      expect(await receivesCompanyEvent(company, socketClient)).toBe(true)
      expect(await receivesCompanyEvent(company, thief)).toBe(false)
    })
  })

  it('keeps the session after a change of the user without a new password', async () => {
    const company = await harness.createCompany()
    const agent = await company.user()
    await company.admin.call(usersApi.update, {
      params: { id: agent.id },
      body: { whatsappId: null, name: 'New name', email: agent.email, password: '' },
    })
    expect((await agent.request('GET', '/tags')).status).toBe(200)
    expect((await refresh(harness, agent.cookie)).status).toBe(200)
  })

  it('clears the cookie on logout, and never refuses a logout', async () => {
    const { admin } = await harness.createCompany()
    const answer = await admin.request('DELETE', '/auth/logout')
    expect(answer.status).toBe(200)
    expect(clearsCookie(answer)).toBe(true)
    const odd: Record<string, string>[] = [
      bearer(admin.token),
      bearer('garbage'),
      { cookie: admin.cookie },
      { cookie: 'jrt=x' },
      {},
    ]
    for (const headers of odd) {
      expect((await harness.anonymous.request('DELETE', '/auth/logout', undefined, headers)).status).toBe(200)
    }
  })
})

describe('the refresh cookie', () => {
  const flags = (cookies: string[]) => (cookies.find((c) => c.startsWith('jrt=')) ?? '').split('; ').slice(1).sort()

  it('is inaccessible to scripts and other sites', async () => {
    const answer = await enter(harness.anonymous, (await harness.createCompany()).admin.email)
    expect(flags(answer.cookies)).toEqual(['HttpOnly', 'Max-Age=604800', 'Path=/auth', 'SameSite=Lax'])
    expect(flags((await refresh(harness, cookieOf(answer))).cookies)).toEqual([
      'HttpOnly',
      'Max-Age=604800',
      'Path=/auth',
      'SameSite=Lax',
    ])
  })

  it('has the same protective flags as the cookie that identifies the browser', async () => {
    const { cookies } = await enter(harness.anonymous, (await harness.createCompany()).admin.email)
    const browser = cookies.find((c) => c.startsWith('jrb=')) ?? ''
    expect(browser.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax'])
  })

  it('is sent only over TLS when the public URL is https', async () => {
    const safe = await testServer({ publicUrl: 'https://desk.example' })
    onTestFinished(safe.close)
    const answer = await enter(safe.anonymous, 'super@recado.test')
    expect(flags(answer.cookies)).toEqual(['HttpOnly', 'Max-Age=604800', 'Path=/auth', 'SameSite=Lax', 'Secure'])
  })
})

describe('a client on another origin', () => {
  const refusedOrigin = { status: 401, body: { error: 'ERR_FOREIGN_ORIGIN' } }
  const friend = 'https://app.friend.example'
  let open: TestServer
  beforeAll(async () => {
    open = await testServer({ corsOrigins: [friend], publicUrl: 'https://desk.example' })
  })
  afterAll(() => open.close())

  it('may use the cookie if the operator allowed its origin, and gets the cookie with cross-site flags', async () => {
    const here = open.anonymous
    const answer = await here.request(
      'POST',
      '/auth/login',
      { email: 'super@recado.test', password },
      { origin: friend },
    )
    expect(answer.headers.get('access-control-allow-origin')).toBe(friend)
    expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
    expect(answer.headers.get('vary')).toMatch(/\bOrigin\b/)
    expect(answer.cookies[0]).toMatch(/; Secure/)
    expect(answer.cookies[0]).toMatch(/; SameSite=None/)
    const cookie = cookieOf(answer)
    // Allowed are the friendly origin, and the server's own page under its public URL and under its plain address.
    for (const origin of [friend, 'https://desk.example', open.address]) {
      expect((await here.request('POST', '/auth/refresh_token', undefined, { origin, cookie })).status, origin).toBe(
        200,
      )
    }
    const foreign = await here.request('POST', '/auth/refresh_token', undefined, {
      origin: 'https://evil.example',
      cookie,
    })
    expect(foreign).toMatchObject(refusedOrigin)
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
    expect((await here.request('POST', '/auth/refresh_token', undefined, { cookie })).status).toBe(200)
  })

  it('is refused by every route that reads a cookie, also on a default install, and ends no session', async () => {
    const { admin } = await harness.createCompany()
    const cookie = `${admin.cookie}; ${admin.browser}`
    const named = { email: admin.email, password }
    const routes = [
      ['POST', '/auth/refresh_token', undefined],
      ['POST', '/auth/login', named],
      ['POST', '/auth/login/passkey', { ...passkeyAssertionExample }],
      ['DELETE', '/auth/logout', undefined],
    ] as const
    const { port } = new URL(harness.address)
    const foreign = [
      'https://evil.example',
      'null',
      'garbage',
      `http://127.0.0.1.evil.example:${port}`,
      'http://127.0.0.1:1',
    ]
    for (const [method, path, body] of routes)
      for (const origin of foreign) {
        const answer = await harness.anonymous.request(method, path, body, { origin, cookie })
        expect(answer, `${path} ${origin}`).toMatchObject(refusedOrigin)
        expect(answer.cookies).toEqual([])
      }
    const ours = [harness.address, harness.address.replace('http:', 'https:')]
    for (const origin of ours) expect((await refresh(harness, cookie, { origin })).status, origin).toBe(200)
    expect((await refresh(harness, cookie)).status).toBe(200)
  })

  it('opens no socket, even with a valid token', async () => {
    const { admin } = await harness.createCompany()
    const { port } = new URL(harness.address)
    const opens = (origin: string | undefined) =>
      new Promise<boolean>((resolve) => {
        const socket = io(harness.address, {
          ...{ transports: ['websocket'], query: { token: admin.token }, forceNew: true, reconnection: false },
          ...(origin && { extraHeaders: { origin } }),
        })
        const end = (yes: boolean) => {
          socket.close()
          resolve(yes)
        }
        socket.once('ready', () => end(true))
        socket.once('connect_error', () => end(false))
      })
    for (const origin of ['https://evil.example', 'null']) expect(await opens(origin), origin).toBe(false)
    for (const origin of [harness.address, `https://127.0.0.1:${port}`, undefined])
      expect(await opens(origin)).toBe(true)
  })

  it('gets its cookie cleared with the flags it was set with, because the browser would ignore other flags', async () => {
    const answer = await open.anonymous.request('DELETE', '/auth/logout', undefined, { origin: friend })
    expect(answer.cookies[0]).toMatch(/^jrt=;.*Path=\/auth.*Secure.*SameSite=None/)
  })

  it('passes the preflight of every HTTP method, unlike origins that are not allowed', async () => {
    const preflight = (origin: string, method: string) =>
      open.anonymous.request('OPTIONS', '/users/1', undefined, {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      })
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const { status, headers } = await preflight(friend, method)
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-origin')).toBe(friend)
      expect(headers.get('access-control-allow-methods')).toContain(method)
      expect(headers.get('access-control-allow-headers')?.toLowerCase()).toBe('authorization,content-type')
    }
    expect((await preflight('https://evil.example', 'GET')).headers.get('access-control-allow-origin')).toBeNull()
  })

  it('is not allowed by default', async () => {
    const answer = await harness.anonymous.request('GET', '/version', undefined, { origin: friend })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(
      (
        await harness.anonymous.request('OPTIONS', '/tags', undefined, {
          origin: friend,
          'access-control-request-method': 'GET',
        })
      ).headers.get('access-control-allow-origin'),
    ).toBeNull()
  })
})

describe('a login with the old password during a password change', () => {
  it('opens no session after the change', async () => {
    const { admin } = await harness.createCompany()
    const database = new URL(harness.databaseUrl.replace('@/', '@localhost/')).pathname.slice(1)
    const isHeld = async () => {
      const text = `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`
      return (await harness.adminPool.query(text, [database])).rowCount
    }
    const passwordHash = await hashPassword('another-password')
    let late: ReturnType<typeof enter> | undefined
    await harness.wide().transaction(async ({ db }) => {
      await db.updateTable('users').set({ passwordHash }).where('id', '=', admin.id).execute()
      await db.deleteFrom('sessions').where('userId', '=', admin.id).execute()
      late = enter(harness.anonymous, admin.email)
      let answered = false
      void late.then(() => {
        answered = true
      })
      await expect.poll(async () => answered || ((await isHeld()) ?? 0) > 0, { timeout: 10_000 }).toBe(true)
    })
    expect(await late).toMatchObject({ status: 401, body: { error: 'ERR_INVALID_CREDENTIALS' } })
    expect((await enter(harness.anonymous, admin.email, 'another-password')).status).toBe(200)
  })
})

describe('too many wrong passwords', () => {
  it('lock the account for that IP address for 15 minutes, while other accounts stay unlocked', async () => {
    const { admin, user } = await moving.createCompany()
    const agent = await user()
    for (let n = 0; n < 10; n++) expect((await enter(moving.anonymous, admin.email, 'wrong')).status).toBe(401)
    expect(await enter(moving.anonymous, admin.email, password)).toMatchObject({
      status: 429,
      body: { error: 'ERR_TOO_MANY_TRIES' },
    })
    expect(await enter(moving.anonymous, admin.email.toUpperCase(), password)).toMatchObject({ status: 429 })
    expect((await enter(moving.anonymous, agent.email)).status).toBe(200)
    moving.clock.advance(minutes(15) + 1000)
    expect((await enter(moving.anonymous, admin.email)).status).toBe(200)
  })

  it('are counted also when they arrive at the same time', async () => {
    const { admin } = await moving.createCompany()
    const answers = await Promise.all(Array.from({ length: 30 }, () => enter(moving.anonymous, admin.email, 'wrong')))
    const tally = (status: number) => answers.filter((a) => a.status === status).length
    expect([tally(401), tally(429)]).toEqual([10, 20])
  })

  it('are counted together for many accounts tried from one IP address, also when they arrive at the same time', async () => {
    moving.clock.advance(minutes(15) + 1000)
    const { admin } = await moving.createCompany()
    const names = Array.from({ length: 130 }, (_, n) => `nobody-${n}@desk.test`)
    const answers = await Promise.all(names.map((name) => enter(moving.anonymous, name, 'one-for-all')))
    const tally = (status: number) => answers.filter((a) => a.status === status).length
    expect([tally(401), tally(429)]).toEqual([100, 30])
    moving.clock.advance(minutes(15) + 1000)
    // Correct passwords are not counted, however many there are.
    for (let n = 0; n < 105; n++) expect((await enter(moving.anonymous, admin.email)).status).toBe(200)
  })

  it('are reset by a correct password, which itself is never counted', async () => {
    const { admin } = await moving.createCompany()
    for (let n = 0; n < 12; n++) expect((await enter(moving.anonymous, admin.email)).status).toBe(200)
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 9; n++) expect((await enter(moving.anonymous, admin.email, 'wrong')).status).toBe(401)
      expect((await enter(moving.anonymous, admin.email)).status).toBe(200)
    }
  })

  it('are counted for the real sender, not for an address forged in a header', async () => {
    const behind = await testServer({ trustProxy: true })
    onTestFinished(behind.close)
    const { admin } = await behind.createCompany()
    // nginx sends the client's claimed addresses followed by the real one.
    const from = (claimed: string, secret: string, real = '203.0.113.9') =>
      behind.anonymous.request(
        'POST',
        '/auth/login',
        { email: admin.email, password: secret },
        { 'x-forwarded-for': `${claimed}, ${real}` },
      )
    for (let n = 0; n < 10; n++) expect((await from(`198.51.100.${n}`, 'wrong')).status).toBe(401)
    expect((await from('198.51.100.99', password)).status).toBe(429)
    expect((await from('198.51.100.99', password, '203.0.113.10')).status).toBe(200)
  })

  it('are counted for the connection if no proxy is trusted, whatever the headers say', async () => {
    const { admin } = await moving.createCompany()
    const from = (address: string, secret: string) =>
      moving.anonymous.request(
        'POST',
        '/auth/login',
        { email: admin.email, password: secret },
        { 'x-forwarded-for': address, forwarded: `for=${address}`, 'x-real-ip': address },
      )
    for (let n = 0; n < 10; n++) expect((await from(`198.51.100.${n}`, 'wrong')).status).toBe(401)
    expect((await from('198.51.100.99', password)).status).toBe(429)
  })
})

describe('a company that has not paid', () => {
  it('lets users log in only to pay, read and log out', async () => {
    const { admin, id, user } = await harness.createCompany()
    const agents = [await user('user'), await user('supervisor')]
    const socket = await admin.listen()
    await harness.wide().db.updateTable('companies').set({ dueDate: '2020-01-31' }).where('id', '=', id).execute()
    const unpaid = { status: 402, body: { error: 'ERR_SUBSCRIPTION_EXPIRED' } }
    for (const agent of agents)
      expect(await enter(harness.anonymous, agent.email)).toMatchObject({
        status: 200,
        // Older clients check the date and refuse to open the app.
        body: { user: { company: { dueDate: '2020-02-01T02:59:59.000Z', expired: true } } },
      })
    expect(await enter(harness.anonymous, admin.email, 'wrong')).toMatchObject({ status: 401 })
    for (const path of [
      '/tags',
      `/companies/${id}`,
      `/companies/listPlan/${id}`,
      '/settings',
      '/users',
      '/announcements',
      '/plans/2',
    ]) {
      expect(await admin.request('GET', path), path).toMatchObject(unpaid)
    }
    expect(await admin.request('POST', '/tags', { name: 'no tag' })).toMatchObject(unpaid)
    socket.close()
    expect((await admin.request('GET', '/auth/me')).status).toBe(200)
    expect(await admin.request('POST', '/auth/refresh_token')).toMatchObject({
      status: 200,
      body: { user: { company: { dueDate: '2020-02-01T02:59:59.000Z' } } },
    })
    expect((await admin.request('DELETE', '/auth/logout')).status).toBe(200)
    const entered = await enter(harness.anonymous, admin.email)
    // Older clients check the date and show that it has passed.
    expect(entered).toMatchObject({
      status: 200,
      body: { user: { company: { dueDate: '2020-02-01T02:59:59.000Z', expired: true } } },
    })
    const inside = (path: string) => harness.anonymous.request('GET', path, undefined, bearer(entered.body.token))
    expect(await inside('/tickets')).toMatchObject({ status: 200, body: { tickets: [] } })
    expect(await inside('/tickets/counts')).toMatchObject(unpaid)
    expect(await inside('/auth/me')).toMatchObject({ status: 200, body: { id: admin.id } })
    expect(await inside('/invoices/all')).toMatchObject({ status: 200, body: [] })
    await harness.wide().db.updateTable('companies').set({ dueDate: null }).where('id', '=', id).execute()
    expect((await inside('/tickets/counts')).status).toBe(200)
  })

  it('is distinguished from a company that was deactivated', async () => {
    const { admin, id } = await harness.createCompany()
    await harness.wide().db.updateTable('companies').set({ status: false }).where('id', '=', id).execute()
    expect(await enter(harness.anonymous, admin.email)).toMatchObject({
      status: 402,
      body: { error: 'ERR_COMPANY_INACTIVE' },
    })
    expect(await admin.request('GET', '/tags')).toMatchObject({ status: 402, body: { error: 'ERR_COMPANY_INACTIVE' } })
  })

  it.each(['Pacific/Kiritimati', 'Asia/Kolkata', 'America/Sao_Paulo', 'Pacific/Pago_Pago'])(
    'works until the end of its last paid day in the time zone %s',
    async (zone) => {
      const { admin, id } = await moving.createCompany()
      const due = toCalendarDay(new Date(moving.clock.now().getTime() + days(1)), zone)
      const { db } = moving.wide()
      await db.updateTable('companies').set({ dueDate: due }).where('id', '=', id).execute()
      await db.insertInto('settings').values({ companyId: id, key: 'timezone', value: zone }).execute()
      moving.clock.advance(endOfDay(due, zone).getTime() - moving.clock.now().getTime() - 8000)
      const last = await enter(moving.anonymous, admin.email)
      expect(last).toMatchObject({
        status: 200,
        body: { user: { company: { dueDate: endOfDay(due, zone).toISOString() } } },
      })
      expect((await moving.anonymous.request('GET', '/tags', undefined, bearer(last.body.token))).status).toBe(200)
      moving.clock.advance(9000)
      expect(await moving.anonymous.request('GET', '/tags', undefined, bearer(last.body.token))).toMatchObject({
        status: 402,
      })
      expect(await enter(moving.anonymous, admin.email)).toMatchObject({
        body: { user: { company: { expired: true } } },
      })
    },
  )
})
