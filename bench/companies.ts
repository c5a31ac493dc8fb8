import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { hashPassword } from '../server/src/kernel/crypto.ts'
import { percentile, roundTo } from './bench-server.ts'
import { openSeparateServer, type SeparateServer } from './separate-server.ts'

const password = 'bench-Passw0rd'
/** This many users, each of another company, who each send one request every `everyMs` milliseconds. */
const readerCount = 20
const everyMs = 500
const seconds = 10
const idleMs = 20_000
const maxSummingMs = 60_000

/** Creates companies in a range, with ten users, two lines, three queues and twenty tickets each. */
export async function seedCompanies({ pool }: Pick<SeparateServer, 'pool'>, from: number, to: number): Promise<void> {
  const hash = await hashPassword(password)
  const { rows } = await pool.query<{ least: number }>(
    `with made as (
       insert into companies (name, "planId") select 'Firm ' || n, 2 from generate_series(${from}, ${to}) n returning id)
     select min(id) as least from made`,
  )
  const own = `(select id from companies where id >= ${rows[0]?.least}) c`
  const sqls = [
    `insert into users ("companyId", name, email, profile, "allTicket", "passwordHash")
     select c.id, 'Person ' || n, 'p' || n || '.' || c.id || '@bench.local', case n when 1 then 'admin' else 'user' end, 'enabled', '${hash}'
     from generate_series(1, 10) n, ${own}`,
    `insert into queues ("companyId", name, color)
     select c.id, 'Queue ' || n, '#' || lpad(to_hex(n * 40503), 6, '0') from generate_series(1, 3) n, ${own}`,
    `insert into whatsapps ("companyId", name) select c.id, 'Line ' || n from generate_series(1, 2) n, ${own}`,
    `insert into contacts ("companyId", name, number)
     select c.id, 'Contact ' || n, '5511' || (900000000 + n) from generate_series(1, 20) n, ${own}`,
    `insert into tickets ("companyId", "contactId", "whatsappId", "queueId", status, "lastMessage", "botLeft")
     select c.id, k.id, w.id, q.id, (array['open', 'pending', 'closed', 'closed'])[1 + k.id % 4], 'hola', true
     from ${own} join contacts k on k."companyId" = c.id
     join (select "companyId", min(id) as id from whatsapps group by 1) w on w."companyId" = c.id
     join (select "companyId", min(id) as id from queues group by 1) q on q."companyId" = c.id`,
    `insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, "createdAt")
     select c.id, t.id, t."contactId", t."whatsappId", 'm' || t.id || '.' || n, n % 2 = 0, 'gracias por escribir, mensaje ' || n, now()
     from ${own} join tickets t on t."companyId" = c.id, generate_series(1, 2) n`,
    'vacuum analyze',
  ]
  for (const text of sqls) await pool.query(text)
}

async function login({ address }: SeparateServer, email: string): Promise<string> {
  const answer = await fetch(`${address}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  return ((await answer.json()) as { token: string }).token
}

const get = async ({ address }: SeparateServer, token: string, path: string): Promise<number> => {
  const startedAt = performance.now()
  const answer = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } })
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  await answer.arrayBuffer()
  return performance.now() - startedAt
}

/** Sends requests at a fixed rate, without waiting for earlier answers. */
async function measureClicks(apart: SeparateServer, tokens: string[]) {
  const delays: number[] = []
  const asked: Promise<unknown>[] = []
  const { cpu } = await apart.measureCpu(async () => {
    for (let n = 0; n < (readerCount * seconds * 1000) / everyMs; n++) {
      const token = tokens[n % tokens.length] as string
      asked.push(get(apart, token, '/tickets?status=open&showAll=true&pageNumber=1').then((ms) => delays.push(ms)))
      await pause(everyMs / readerCount)
    }
    await Promise.all(asked)
  })
  const each = (ms: number) => roundTo(ms / delays.length, 2)
  return {
    p50: percentile(delays, 0.5),
    p99: percentile(delays, 0.99),
    cost: `${each(cpu.node)} + ${each(cpu.database)}`,
  }
}

async function measureIdleCpu(apart: SeparateServer): Promise<string> {
  const { cpu } = await apart.measureCpu(() => pause(idleMs))
  const share = (ms: number) => roundTo((ms / idleMs) * 100, 2)
  return `${share(cpu.node)} + ${share(cpu.database)}`
}

/** Measures the time until a second process on the same tables listens. */
async function measureSecondServerStart({ url }: SeparateServer): Promise<number> {
  const startedAt = performance.now()
  const serverProcess = fork(new URL('./server-process.ts', import.meta.url), {
    env: { ...process.env, PORT: '0', DATABASE_URL: url, LOG_LEVEL: 'error' },
  })
  await once(serverProcess, 'message')
  const ms = performance.now() - startedAt
  const ended = once(serverProcess, 'exit')
  serverProcess.disconnect()
  await ended
  return ms
}

/** Measures the cost of updating one company's reports while all companies have changes; the other results are discarded. */
async function measureReportSums({ pool, measureCpu: spent }: SeparateServer): Promise<string> {
  const left = async () =>
    Number((await pool.query('select count(distinct "companyId") as n from "figureNews"')).rows[0].n)
  const before = await left()
  const { result: after, cpu } = await spent(async () => {
    await pause(maxSummingMs)
    return left()
  })
  await pool.query('truncate "figureNews"')
  await pause(5000)
  const each = (ms: number) => roundTo(ms / Math.max(1, before - after), 2)
  return `${each(cpu.node)} + ${each(cpu.database)}, ${roundTo((before - after) / (maxSummingMs / 1000))} companies a second`
}

/** Compares the cost of one server with many companies to its cost with one company. */
export async function benchCompanies(o: { many: number }) {
  const apart = await openSeparateServer()
  try {
    const measure = async () => {
      const { rows } = await apart.pool.query<{ email: string }>(
        `select email from users where email like 'p2.%' order by id limit ${readerCount}`,
      )
      const tokens: string[] = []
      for (const { email } of rows) tokens.push(await login(apart, email))
      await measureClicks(apart, tokens)
      return {
        idle: await measureIdleCpu(apart),
        start: await measureSecondServerStart(apart),
        ...(await measureClicks(apart, tokens)),
      }
    }
    await seedCompanies(apart, 1, 1)
    const few = await measure()
    await seedCompanies(apart, 2, o.many)
    const news = await measureReportSums(apart)
    const rss = (await apart.readMemoryUsage()).rss / 1024 / 1024
    const many = await measure()
    await apart.pool.query(
      `insert into users ("companyId", name, email, profile, super, "passwordHash") values ($1, 'Boss', 'boss@bench.local', 'admin', true, $2)`,
      [apart.companyId, await hashPassword(password)],
    )
    const boss = await login(apart, 'boss@bench.local')
    const list = await get(apart, boss, '/companies/list')
    const of = (name: 'start' | 'p50' | 'p99') => `${roundTo(many[name])}  (with one company: ${roundTo(few[name])})`
    return {
      'companies, people, tickets': `${o.many}, ${o.many * 10}, ${o.many * 20}`,
      'idle, % of a core (house + database)': `${many.idle}  (with one company: ${few.idle})`,
      'memory of the house, MB': Math.round(rss),
      'start of another process, ms': of('start'),
      'a page of tickets, CPU ms (house + database)': `${many.cost}  (with one company: ${few.cost})`,
      [`a page of tickets at ${(readerCount * 1000) / everyMs} a second, p50 ms`]: of('p50'),
      [`a page of tickets at ${(readerCount * 1000) / everyMs} a second, p99 ms`]: of('p99'),
      "the super user's list of all companies, ms": roundTo(list),
      'adding up the figures of a company, CPU ms': news,
    }
  } finally {
    await apart.close()
  }
}
