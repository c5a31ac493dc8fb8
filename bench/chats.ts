import { setTimeout as pause } from 'node:timers/promises'
import { type Chat, chatsApi } from '@recado/contract/chats'
import { chromium } from 'playwright-core'
import { applyLoginState } from '../e2e/login-state.ts'
import { ensureChromium } from '../scripts/chromium.mjs'
import { type BenchServer, openBenchServer, openOwnerPool, percentile, roundTo } from './bench-server.ts'
import { installStopwatch } from './stopwatch.ts'

/** Creates as many chats as on a large server, with all of its users as members. */
async function seedChats(benchServer: BenchServer, chats: number, people: number): Promise<void> {
  const pool = openOwnerPool(benchServer)
  const c = benchServer.companyId
  await pool.query(`insert into users ("companyId", name, email, profile, "passwordHash")
    select ${c}, 'Person ' || n, 'p' || n || '@bench.local', 'user', '' from generate_series(1, ${people}) n`)
  await pool.query(`insert into chats ("companyId", title, "ownerId")
    select ${c}, 'Chat ' || n, ${benchServer.admin.id} from generate_series(1, ${chats}) n`)
  await pool.query(`insert into "chatUsers" ("companyId", "chatId", "userId")
    select ${c}, k.id, u.id from (select id, row_number() over (order by id) as n from chats where "companyId" = ${c}) k
    join (select id, row_number() over (order by id) as n from users where "companyId" = ${c}) u
      on u.n % ${chats} = k.n % ${chats} or u.id = ${benchServer.admin.id}`)
  await pool.query('analyze')
  await pool.end()
}

async function post<T>(benchServer: BenchServer, path: string, body: object): Promise<T> {
  const response = await fetch(benchServer.address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${benchServer.admin.token}` },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return (await response.json()) as T
}

/** One user writes and another reads in a real browser: measures from the API call to the painted bubble. */
export async function benchChats(o: { chats: number; people: number; messages: number; perSecond: number }) {
  const benchServer = await openBenchServer()
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] })
  try {
    await seedChats(benchServer, o.chats, o.people)
    const reader = await benchServer.addAgent('Beto')
    const chat = await post<Chat>(benchServer, chatsApi.create.path, { title: 'Recepción', users: [{ id: reader.id }] })
    const path = chatsApi.send.path.replace(':id', String(chat.id))
    await post(benchServer, path, { message: 'Hola' })
    const context = await browser.newContext({ baseURL: benchServer.address, viewport: { width: 1440, height: 900 } })
    await applyLoginState(context, reader.loginState)
    await context.addInitScript(installStopwatch)
    const page = await context.newPage()
    await page.goto(`/chats/${chat.uuid}`)
    await page.locator('[role="log"] [data-message]').first().waitFor()
    await pause(1000)
    await page.evaluate(() => stopwatch.watchMessages('[role="log"]'))
    const calls: number[] = []
    const started = performance.now()
    for (let n = 0; n < o.messages; n++) {
      const due = started + (n * 1000) / o.perSecond
      if (due > performance.now()) await pause(due - performance.now())
      const asked = performance.now()
      await post(benchServer, path, { message: `[${Date.now()}] ${n}` })
      calls.push(performance.now() - asked)
    }
    await pause(1000)
    const delays = await page.evaluate(() => stopwatch.delays)
    const shown = (times: number[]) =>
      `p50 ${roundTo(percentile(times, 0.5))}  p95 ${roundTo(percentile(times, 0.95))} ms`
    return {
      [`chat message to the other screen, ${delays.length} of ${o.messages}`]: `${shown(delays)}  (aim 150)`,
      [`the call itself, ${o.people} people in ${o.chats} chats`]: shown(calls),
    }
  } finally {
    await browser.close()
    await benchServer.close()
  }
}
