import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { hashPassword } from '../server/src/kernel/crypto.ts'
import { openPool } from '../server/src/kernel/data/database.ts'
import { makeLog } from '../server/src/kernel/log.ts'
import { startPostgres } from '../server/src/kernel/postgres/embedded.ts'
import type { ServiceAnswer, ServiceCommand, ServiceReady } from '../whatsapp/src/service-process.ts'
import { roundTo } from './bench-server.ts'

type Phone = { url: string; credentials: ServiceReady['credentials']; send(command: ServiceCommand): Promise<unknown> }

/** A fake WhatsApp in a separate process. */
async function openPhone(): Promise<{ phone: Phone; child: ChildProcess }> {
  const child = fork(new URL('../whatsapp/src/service-process.ts', import.meta.url), { execArgv: [] })
  const [{ url, credentials }] = (await once(child, 'message')) as [ServiceReady]
  const repliesByNumber = new Map<number, PromiseWithResolvers<unknown>>()
  child.on('message', ({ number, result, error }: ServiceAnswer) => {
    if (error) repliesByNumber.get(number)?.reject(new Error(error))
    else repliesByNumber.get(number)?.resolve(result)
    repliesByNumber.delete(number)
  })
  let number = 0
  const sendCommand = (command: ServiceCommand): Promise<unknown> => {
    const pendingReply = Promise.withResolvers<unknown>()
    repliesByNumber.set(++number, pendingReply)
    child.send({ number, command })
    return pendingReply.promise
  }
  return { phone: { url, credentials, send: sendCommand }, child }
}

type BenchInfrastructure = { databaseUrl: string; dataDir: string; phone: Phone; pool: pg.Pool }

async function openServerProcess({
  databaseUrl,
  dataDir,
  phone,
}: BenchInfrastructure): Promise<{ serverProcess: ChildProcess; address: string }> {
  const serverProcess = fork(new URL('./server-process.ts', import.meta.url), {
    execArgv: ['--import', import.meta.resolve('../whatsapp/src/trust-service.ts')],
    env: {
      ...process.env,
      PORT: '0',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      WHATSAPP_URL: phone.url,
      LOCAL_WHATSAPP: JSON.stringify(phone.credentials),
      LOG_LEVEL: 'error',
    },
  })
  const [{ address }] = (await once(serverProcess, 'message')) as [{ address: string }]
  return { serverProcess: serverProcess, address }
}
async function stopServerProcess(serverProcess: ChildProcess): Promise<void> {
  const ended = once(serverProcess, 'exit')
  serverProcess.disconnect()
  await ended
}
type ProcessUsage = { rss: number; heapUsed: number; cpuMs: number }
async function readProcessUsage(serverProcess: ChildProcess): Promise<ProcessUsage> {
  const answer = once(serverProcess, 'message')
  serverProcess.send('weigh')
  return (await answer)[0] as never
}

/** A company, its admin, and the wanted number of lines. */
async function seedCompany(
  { pool }: BenchInfrastructure,
  lines: number,
): Promise<{ companyId: number; ids: number[] }> {
  const { rows } = await pool.query(`insert into companies (name, "planId") values ('Bench', 2) returning id`)
  const companyId = rows[0].id as number
  await pool.query(
    `insert into users ("companyId", name, email, profile, "allTicket", "passwordHash") values ($1, 'Ana', 'ana@bench.local', 'admin', 'enabled', $2)`,
    [companyId, await hashPassword('bench-Passw0rd')],
  )
  const made = await pool.query(
    `insert into whatsapps ("companyId", name, provider) select $1, 'Line ' || n, 'beta' from generate_series(1, $2) n returning id`,
    [companyId, lines],
  )
  return { companyId, ids: made.rows.map((r) => r.id) }
}

const setWantedLines = (pool: pg.Pool, ids: number[]) =>
  pool.query(
    `with w as (update whatsapps set wanted = id = any($1::int[]), status = case when wanted then status else 'OPENING' end returning 1)
     select pg_notify('recado', 'lines') from (select count(*) from w) c`,
    [ids],
  )
async function waitForLineStatus(pool: pg.Pool, ids: number[], status: string): Promise<void> {
  for (let tries = 0; tries < 3000; tries++) {
    const { rows } = await pool.query('select count(*) from whatsapps where id = any($1::int[]) and status = $2', [
      ids,
      status,
    ])
    if (Number(rows[0].count) === ids.length) return
    await pause(20)
  }
  throw new Error(`not all lines are ${status}`)
}

async function linkPhone({ pool, phone }: BenchInfrastructure, id: number): Promise<string> {
  const number = String(15_000_000_000 + id)
  await phone.send({ do: 'person', phone: number, name: 'Shop' })
  for (;;) {
    const { rows } = await pool.query('select qrcode from whatsapps where id = $1', [id])
    if (rows[0].qrcode) {
      await phone.send({ do: 'scan', phone: number, qr: rows[0].qrcode })
      return number
    }
    await pause(20)
  }
}

async function loginToken(address: string): Promise<string> {
  const login = await fetch(`${address}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ana@bench.local', password: 'bench-Passw0rd' }),
  })
  return ((await login.json()) as { token: string }).token
}

type SocketClientReport = { heard: number; first: number; last: number }
async function askSocketClient(socketClient: ChildProcess, command: 'report' | 'reset'): Promise<SocketClientReport> {
  const answer = once(socketClient, 'message')
  socketClient.send(command)
  return (await answer)[0] as SocketClientReport
}

/** Sends a burst of messages at once, and measures the rate per second at the agent's socket. */
async function measureBurst(
  infrastructure: BenchInfrastructure,
  socketClient: ChildProcess,
  number: string,
  customers: number,
  each: number,
) {
  await askSocketClient(socketClient, 'reset')
  const sent = (await infrastructure.phone.send({
    do: 'burst',
    phone: number,
    customers,
    textsEach: each,
    text: 'hola',
  })) as number
  for (;;) {
    const report = await askSocketClient(socketClient, 'report')
    if (report.heard >= sent) return sent / ((report.last - report.first) / 1000)
    await pause(50)
  }
}

/** Assigns all tickets to an agent, so that no bot answers. */
const assignTickets = (pool: pg.Pool) =>
  pool.query(
    `update tickets set status = 'open', "botLeft" = true, "userId" = (select id from users where email = 'ana@bench.local')`,
  )

async function measureThroughput(
  infrastructure: BenchInfrastructure,
  ids: number[],
  companyId: number,
): Promise<Record<string, unknown>> {
  const [first = 0] = ids
  const { serverProcess, address } = await openServerProcess(infrastructure)
  await setWantedLines(infrastructure.pool, [first])
  const number = await linkPhone(infrastructure, first)
  await waitForLineStatus(infrastructure.pool, [first], 'CONNECTED')
  const socketClient = fork(new URL('./socket-client.ts', import.meta.url), [
    address,
    await loginToken(address),
    String(companyId),
  ])
  await once(socketClient, 'message')
  const strangers = await measureBurst(infrastructure, socketClient, number, 100, 1)
  await assignTickets(infrastructure.pool)
  await measureBurst(infrastructure, socketClient, number, 100, 10)
  const before = await readProcessUsage(serverProcess)
  const rate = await measureBurst(infrastructure, socketClient, number, 100, 40)
  const cpuMs = (await readProcessUsage(serverProcess)).cpuMs - before.cpuMs
  socketClient.send('stop')
  for (const id of ids.slice(1)) {
    await setWantedLines(infrastructure.pool, ids.slice(0, ids.indexOf(id) + 1))
    await linkPhone(infrastructure, id)
  }
  await waitForLineStatus(infrastructure.pool, ids, 'CONNECTED')
  await stopServerProcess(serverProcess)
  return {
    'messages/s of 100 known customers, WhatsApp to socket': `${Math.round(rate)}  (aim 400)`,
    'of it in the house, ms of a core for each': roundTo(cpuMs / 4000, 2),
    'messages/s of 100 new customers': Math.round(strangers),
  }
}

/** Measures memory as after a restart: the first line also loads the library, the others cost only their own memory. */
async function measureMemory(infrastructure: BenchInfrastructure, ids: number[]): Promise<Record<string, unknown>> {
  await setWantedLines(infrastructure.pool, [])
  const { serverProcess } = await openServerProcess(infrastructure)
  const none = await readProcessUsage(serverProcess)
  await setWantedLines(infrastructure.pool, ids.slice(0, 1))
  await waitForLineStatus(infrastructure.pool, ids.slice(0, 1), 'CONNECTED')
  await pause(2000)
  const one = await readProcessUsage(serverProcess)
  const started = performance.now()
  await setWantedLines(infrastructure.pool, ids)
  await waitForLineStatus(infrastructure.pool, ids, 'CONNECTED')
  const took = performance.now() - started
  await pause(5000)
  const all = await readProcessUsage(serverProcess)
  await stopServerProcess(serverProcess)
  const mb = (bytes: number) => roundTo(bytes / 1024 / 1024)
  return {
    'house with the library loaded, MB': mb(none.rss),
    'the first linked line, MB more': mb(one.rss - none.rss),
    [`each of ${ids.length} idle lines, MB more`]: `${roundTo((all.rss - one.rss) / 1024 / 1024 / (ids.length - 1), 2)}  (aim 3)`,
    'of it on the heap, MB': roundTo((all.heapUsed - one.heapUsed) / 1024 / 1024 / (ids.length - 1), 2),
    [`${ids.length} lines connected again after, s`]: roundTo(took / 1000),
  }
}

export async function benchLinkedPhones(o: { lines: number }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'recado-bench-'))
  const postgres = await startPostgres({ dataDir })
  const { phone, child } = await openPhone()
  const pool = openPool(postgres.url, makeLog('error'), { max: 2 })
  const infrastructure = { databaseUrl: postgres.url, dataDir, phone, pool }
  try {
    // The first process creates the tables.
    await stopServerProcess((await openServerProcess(infrastructure)).serverProcess)
    const { companyId, ids } = await seedCompany(infrastructure, o.lines)
    return {
      ...(await measureThroughput(infrastructure, ids, companyId)),
      ...(await measureMemory(infrastructure, ids)),
    }
  } finally {
    child.kill()
    await pool.end()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
