import { argon2Sync, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoint, EndpointInput, Reply } from '@recado/contract/endpoint'
import type { Profile } from '@recado/contract/rules'
import { io, type Socket } from 'socket.io-client'
import { inject } from 'vitest'
import type { LineOptions } from '../src/app.ts'
import type { Config } from '../src/kernel/config.ts'
import { openPool } from '../src/kernel/data/database.ts'
import { Scope } from '../src/kernel/data/scope.ts'
import { makeLog } from '../src/kernel/log.ts'
import { openServer, type RunningServer } from '../src/server.ts'
import { asAppLogin, withDatabaseName } from './global-setup.ts'
import type { HttpCaller } from './http-caller.ts'
import { openSandboxLine } from './sandbox-phone.ts'
import { waitTimeoutMs } from './wait-timeout.ts'

export const superEmail = 'super@recado.test'
export const password = 'a-Good-passw0rd'
/**
 * A real password hash takes 40 ms on purpose, at every login: a tenth of the CPU time of all tests. A stored hash
 * contains its cost, so users made by the test harness get the cheapest hash. Users created by the server itself,
 * including the super user, have a real hash.
 */
const passwordHash = hashCheaply(password)

function hashCheaply(message: string): string {
  const nonce = randomBytes(16)
  const [memory, passes] = [8, 1]
  const hash = argon2Sync('argon2id', { message, nonce, parallelism: 1, tagLength: 32, memory, passes })
  return `argon2id$${memory}$${passes}$${nonce.toString('base64url')}$${hash.toString('base64url')}`
}

/** A clock that the test moves. It starts at the real time, so that rows written by the database agree. */
export function makeManualClock() {
  let offset = 0
  let held: number | null = null
  return {
    now: () => new Date((held ?? Date.now()) + offset),
    advance: (ms: number) => {
      offset += ms
    },
    /** After this call only `advance` moves the clock: slow work takes no time. */
    freeze: () => {
      held ??= Date.now()
    },
    /** The clock follows the real time again. */
    resume: () => {
      held = null
    },
  }
}

export type TestUser = HttpCaller & {
  id: number
  companyId: number
  email: string
  profile: Profile
  token: string
  cookie: string
  sessionId: string
  /** The cookie that identifies the user's browser. */
  browser: string
  /** The current token and cookie of the user's browser, after any renewal of the session. */
  currentLogin: () => { token: string; cookie: string }
  listen(cookie?: string): Promise<SocketClient>
}
/** An open socket and all events it has received. */
export type SocketClient = {
  socket: Socket
  received: { name: string; payload: Record<string, unknown> }[]
  /** Waits until an event with this name (and these keys) was received; returns its payload. */
  waitFor(name: string, like?: Record<string, unknown>): Promise<Record<string, unknown>>
  /** Resolves when everything the server sent before this moment has arrived. */
  whenCaughtUp(): Promise<void>
  close(): void
}

const openResources: (() => Promise<void>)[] = []
/** Closes all servers and connections that the test file opened; call it in `afterAll`. */
export async function closeTestServers(): Promise<void> {
  for (const close of openResources.splice(0)) await close()
}

export async function testServer(
  overrides: Partial<Config> = {},
  log = makeLog(process.env.TEST_LOG ?? 'silent'),
  lines: LineOptions = {},
) {
  const url = inject('databaseUrl')
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const admin = openPool(withDatabaseName(url, 'postgres'), makeLog('silent'), { max: 1 })
  // Copying files takes half the time of copying through the log, which is what PostgreSQL would choose.
  await admin.query(`create database ${name} template recado_template strategy file_copy owner recado`)
  const dataDir = await mkdtemp(join(tmpdir(), 'recado-house-'))
  const clock = makeManualClock()
  const config: Config = {
    // The tests must not depend on the free disk space of this machine.
    diskReservePercent: 0,
    host: '127.0.0.1',
    port: 0,
    dataDir,
    databaseUrl: undefined,
    appSecret: randomBytes(32).toString('hex'),
    publicUrl: undefined,
    smtpUrl: undefined,
    mailFrom: 'Recado <no-reply@recado.test>',
    logLevel: 'silent',
    metricsToken: undefined,
    corsOrigins: [],
    trustProxy: false,
    adminEmail: superEmail,
    adminPassword: password,
    privateTargets: false,
    uploadLimit: 1024 * 1024,
    apiRate: 10_000,
    bodyTimeoutMs: 30_000,
    // Long timeouts, so that slow machines fail no test: calls that hang on purpose have their own limit.
    callTimeoutMs: waitTimeoutMs,
    graphUrl: 'http://127.0.0.1:9/v0',
    dialogflowUrl: 'http://127.0.0.1:9/v2',
    whatsappUrl: '',
    webDir: new URL('../../web/dist', import.meta.url).pathname,
    ...overrides,
  }
  const databaseUrl = asAppLogin(withDatabaseName(url, name))
  const running = await openServer(config, databaseUrl, log, clock, { crontab: '', ...lines })
  // Tests call the server by its port, because its public URL may not be reachable from here.
  const address = `http://127.0.0.1:${(running.app.server.address() as AddressInfo).port}`
  const socketClients: SocketClient[] = []
  const close = async () => {
    if (openResources.includes(close)) openResources.splice(openResources.indexOf(close), 1)
    for (const socketClient of socketClients) socketClient.close()
    await running.close()
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
    await rm(dataDir, { recursive: true, force: true })
  }
  openResources.push(close)
  return {
    ...makeServerHelpers(running, address, clock, socketClients),
    server: running,
    config,
    clock,
    databaseUrl,
    dataDir,
    address,
    adminPool: admin,
    /** Closes a server that only one test uses, because each server holds about twenty connections. */
    close,
  }
}
export type TestServer = Awaited<ReturnType<typeof testServer>>

/** A second process on the same database. */
export async function startSecondProcess(
  h: TestServer,
  lines: LineOptions = {},
  overrides: Partial<Config> = {},
): Promise<RunningServer> {
  const log = makeLog(process.env.TEST_LOG ?? 'silent')
  const running = await openServer({ ...h.config, ...overrides }, h.databaseUrl, log, h.clock, {
    crontab: '',
    ...lines,
  })
  // A test may close it earlier.
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= running.close()
    return closing
  }
  // The second process closes before the server it depends on.
  openResources.unshift(close)
  return { ...running, close }
}

/** The same user, calling the other process. */
export function viaProcess(process: RunningServer, person: TestUser): TestUser {
  const address = `http://127.0.0.1:${(process.app.server.address() as AddressInfo).port}`
  const socketClients: SocketClient[] = []
  openResources.unshift(async () => {
    for (const socketClient of socketClients) socketClient.close()
  })
  return {
    ...person,
    ...makeCaller(address, person.token, person.cookie),
    listen: (cookie) => openSocketClient(address, person.token, socketClients, cookie),
  }
}

function makeServerHelpers(
  running: RunningServer,
  address: string,
  clock: ReturnType<typeof makeManualClock>,
  socketClients: SocketClient[],
) {
  const anonymous = makeCaller(address)
  const platformScope = () => new Scope(running.deps, { companyId: 0, wide: true })

  async function login(email: string, secret = password, browser = ''): Promise<TestUser> {
    const answer = await anonymous.request<{
      token: string
      user: { id: number; companyId: number; profile: Profile }
    }>('POST', '/auth/login', { email, password: secret }, browser ? { cookie: browser } : {})
    if (answer.status !== 200) throw new Error(`login of ${email}: ${answer.status} ${JSON.stringify(answer.body)}`)
    const { token, user } = answer.body
    const cookieOf = (name: string) => answer.cookies.find((c) => c.startsWith(`${name}=`))?.split(';')[0] ?? ''
    const cookie = cookieOf('jrt')
    const sessionId = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()).sid as string
    const person: TestUser = {
      ...makeRenewingCaller(address, token, cookie),
      id: user.id,
      companyId: user.companyId,
      profile: user.profile,
      email,
      token,
      cookie,
      sessionId,
      browser: cookieOf('jrb'),
      listen: (cookie) => openSocketClient(address, token, socketClients, cookie),
    }
    return person
  }

  let companyCount = 0
  /** A paid company on plan 2 with its admin logged in. */
  async function company(name = `Company ${++companyCount} ${randomUUID().slice(0, 8)}`) {
    const email = `admin-${randomUUID().slice(0, 8)}@desk.test`
    const row = await platformScope()
      .db.insertInto('companies')
      .values({ name, email, planId: 2, dueDate: null, trialExpiration: null, recurrence: 'MENSAL', referrerId: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const adminPerson = await person(row.id, 'admin', email)
    return { id: row.id, name, admin: adminPerson, user: (profile: Profile = 'user') => person(row.id, profile) }
  }
  /** A user of a company, created directly and logged in. */
  async function person(
    companyId: number,
    profile: Profile,
    email = `${profile}-${randomUUID().slice(0, 8)}@desk.test`,
  ): Promise<TestUser> {
    await platformScope()
      .db.insertInto('users')
      .values({
        companyId,
        name: `The ${profile}`,
        email,
        profile,
        allTicket: 'desabled',
        whatsappId: null,
        language: null,
        passwordHash,
      })
      .execute()
    return login(email)
  }
  /** A connected test line of that company, and its customers' phones. */
  const line = (of: { admin: TestUser }, input?: Record<string, unknown>) => openSandboxLine(of.admin, input)
  return {
    anonymous: anonymous,
    login,
    createCompany: company,
    createUser: person,
    openLine: line,
    superUser: () => login(superEmail),
    wide: platformScope,
    clock,
  }
}

export function makeCaller(address: string, token?: string, cookie?: string): HttpCaller {
  const request: HttpCaller['request'] = async (method, path, body, headers = {}) => {
    const form = body instanceof FormData
    const response = await fetch(address + path, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        ...(body !== undefined && !form && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(cookie && { cookie }),
        ...headers,
      },
      ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      body: (isJson ? JSON.parse(text) : text) as never,
      headers: response.headers,
      cookies: response.headers.getSetCookie(),
    }
  }
  return { request: request, call: (endpoint, input) => callEndpoint(request, endpoint, input) }
}

async function callEndpoint<E extends Endpoint>(
  request: HttpCaller['request'],
  endpoint: E,
  input?: EndpointInput<E>,
): Promise<Reply<E>> {
  const { params, query, body } = (input ?? {}) as { params?: object; query?: object; body?: unknown }
  const answer = await request(
    endpoint.method,
    fillPath(endpoint.path, params ?? {}) + toQueryString(query ?? {}),
    body,
  )
  if (answer.status >= 300)
    throw new CallRefusedError(answer.status, (answer.body as unknown as { error: string }).error, answer.body)
  return answer.body as never
}

/** Like a browser: after a reply with a new cookie, a 403 makes it refresh the session and repeat the call. */
function makeRenewingCaller(
  address: string,
  token: string,
  cookie: string,
): HttpCaller & Pick<TestUser, 'currentLogin'> {
  let current = makeCaller(address, token, cookie)
  let renewedCookie = ''
  let held = { token, cookie }
  const request: HttpCaller['request'] = async (method, path, body, headers) => {
    const answer = await current.request(method, path, body, headers)
    renewedCookie = answer.cookies.find((one) => one.startsWith('jrt='))?.split(';')[0] ?? renewedCookie
    if (answer.status !== 403 || !renewedCookie) return answer as never
    const entered = await makeCaller(address).request<{ token: string }>('POST', '/auth/refresh_token', undefined, {
      cookie: renewedCookie,
    })
    if (entered.status !== 200) return answer as never
    held = { token: entered.body.token, cookie: renewedCookie }
    current = makeCaller(address, held.token, renewedCookie)
    return current.request(method, path, body, headers)
  }
  return {
    request: request,
    currentLogin: () => held,
    call: (endpoint, input) => callEndpoint(request, endpoint, input),
  }
}

export class CallRefusedError extends Error {
  readonly status: number
  readonly code: string
  readonly body: unknown
  constructor(status: number, code: string, body: unknown) {
    super(`${status} ${code}`)
    this.status = status
    this.code = code
    this.body = body
  }
}

export const fillPath = (path: string, params: object) =>
  path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(Reflect.get(params, key))))
const toQueryString = (query: object) => {
  const input = Object.entries(query).filter(([, v]) => v !== undefined && v !== null)
  return input.length ? `?${new URLSearchParams(input.map(([k, v]): [string, string] => [k, String(v)]))}` : ''
}

async function openSocketClient(
  address: string,
  token: string,
  socketClients: SocketClient[],
  cookie = '',
): Promise<SocketClient> {
  const socket = io(address, {
    ...{ transports: ['websocket'], query: { token }, forceNew: true, reconnection: false },
    ...(cookie && { extraHeaders: { cookie } }),
  })
  const received: SocketClient['received'] = []
  const waitingChecks = new Set<() => void>()
  socket.onAny((name: string, payload: Record<string, unknown>) => {
    received.push({ name, payload })
    for (const check of waitingChecks) check()
  })
  const socketClient: SocketClient = {
    socket,
    received: received,
    waitFor: (name, like = {}) =>
      new Promise((resolve, reject) => {
        const fits = (h: SocketClient['received'][number]) =>
          h.name === name &&
          Object.entries(like).every(([k, v]) => JSON.stringify(h.payload?.[k]) === JSON.stringify(v))
        const check = () => {
          const found = received.find(fits)
          if (!found) return
          clearTimeout(timer)
          waitingChecks.delete(check)
          resolve(found.payload ?? {})
        }
        const timer = setTimeout(() => {
          waitingChecks.delete(check)
          reject(
            new Error(`never heard ${name} ${JSON.stringify(like)}; heard ${received.map((h) => h.name).join(', ')}`),
          )
        }, waitTimeoutMs)
        waitingChecks.add(check)
        check()
      }),
    // Packets of one socket keep their order, so this answer comes after everything sent before.
    whenCaughtUp: () =>
      new Promise((resolve, reject) =>
        socket.timeout(waitTimeoutMs).emit('userStatus', (late: Error | null) => (late ? reject(late) : resolve())),
      ),
    close: () => socket.close(),
  }
  socketClients.push(socketClient)
  await new Promise<void>((resolve, reject) => {
    socket.once('ready', resolve)
    socket.once('connect_error', reject)
  })
  return socketClient
}
