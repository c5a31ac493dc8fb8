import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { applyLoginState } from '../e2e/login-state.ts'
import { ensureChromium } from '../scripts/chromium.mjs'
import type { LineRow } from '../server/src/lines/line.ts'
import { type BenchServer, openBenchServer, openOwnerPool, percentile, roundTo } from './bench-server.ts'
import { createBenchLine } from './inbound.ts'
import { installStopwatch } from './stopwatch.ts'

/** How many of the newest tickets have a long history. */
const longTicketCount = 24
const perTicket = 5000
const sentences = [
  'Hola, ¿tienen lugar para este fin de semana?',
  'Sí, queda una habitación con vista al lago. Son USD 90 por noche, con desayuno incluido y salida hasta las 11.',
  'Perfecto, gracias',
  'Te mando el detalle por acá en un momento. ¿A nombre de quién hago la reserva?',
  'Genial 👌',
]

/** Creates ten thousand open and as many closed tickets; the newest of them have thousands of messages each. */
export async function seedTickets(
  benchServer: BenchServer,
  row: LineRow,
  tickets: number,
  long: number,
): Promise<void> {
  const pool = openOwnerPool(benchServer)
  const c = benchServer.companyId
  const said = `(array[${sentences.map((s) => `'${s}'`).join(', ')}])[1 + (hashint4(n + t.id) & 1023) % ${sentences.length}]`
  const sqls = [
    'drop index if exists messages_search',
    `insert into queues ("companyId", name, color) select ${c}, 'Queue ' || n, '#' || lpad(to_hex(n * 40503), 6, '0') from generate_series(1, 5) n`,
    `insert into tags ("companyId", name, color) select ${c}, 'Tag ' || n, '#' || lpad(to_hex(n * 90503), 6, '0') from generate_series(1, 8) n`,
    `insert into contacts ("companyId", name, number) select ${c}, 'Contact number ' || n, '5511' || (900000000 + n) from generate_series(1, ${tickets * 2}) n`,
    `insert into "contactIdentities" ("companyId", kind, value, "contactId") select ${c}, 'phone', number, id from contacts where "companyId" = ${c}`,
    `insert into tickets ("companyId", "contactId", "whatsappId", "queueId", "userId", status, "botLeft", "lastMessage", "createdAt", "updatedAt")
     select ${c}, k.id, ${row.id}, q.id, ${benchServer.admin.id}, case when k.n <= ${tickets} then 'open' else 'closed' end, true, 'Perfecto, gracias',
       now() - interval '90 days', now() - k.n * interval '20 seconds'
     from (select id, row_number() over (order by id) as n from contacts where "companyId" = ${c}) k
     join lateral (select id from queues where "companyId" = ${c} order by id offset (k.n % 5) limit 1) q on true`,
    `insert into "ticketTags" ("companyId", "ticketId", "tagId") select ${c}, t.id, g.id from tickets t
     join lateral (select id from tags where "companyId" = ${c} order by id offset (t.id % 8) limit 2) g on true where t."companyId" = ${c}`,
    `insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, "quotedWid", ack, state, read, "createdAt")
     select ${c}, t.id, t."contactId", ${row.id}, t.id || '-' || n, n % 3 = 0, ${said}, case when n % 12 = 0 then t.id || '-' || (n - 3) end,
       4, case when n % 3 = 0 then 'sent' else 'received' end, true, t."updatedAt" - (t.many - n) * interval '6 minutes'
     from (select *, case when row_number() over (order by "updatedAt" desc) <= ${long} then ${perTicket} else 2 end as many from tickets where "companyId" = ${c}) t,
       generate_series(1, t.many) n`,
    'create index messages_search on messages using gin (fold(body) gin_trgm_ops) with (gin_pending_list_limit = 8192)',
    'analyze',
  ]
  for (const text of sqls) await pool.query(text)
  await pool.end()
}

/** `index`: the ticket's position in the list. */
type LongTicket = { id: number; uuid: string; lastMessage: string; phone: string; index: number }
async function longTickets(benchServer: BenchServer): Promise<LongTicket[]> {
  const pool = openOwnerPool(benchServer)
  const { rows } = await pool.query<LongTicket>(
    `select t.id, t.uuid, (select max(m.id)::text from messages m where m."companyId" = t."companyId" and m."ticketId" = t.id) as last, k.number as phone
     from tickets t join contacts k on k."companyId" = t."companyId" and k.id = t."contactId"
     where t."companyId" = $1 and t.status = 'open' order by t."updatedAt" desc limit 200`,
    [benchServer.companyId],
  )
  await pool.end()
  return rows.map((ticket, index) => ({ ...ticket, index: index }))
}

export const ticketRowSelector = 'li[data-ticket]'
const rowLinkSelector = (id: number) => `${ticketRowSelector}[data-ticket="${id}"] [data-opener]`
const bubble = (id: string) => `[data-message="${id}"]`

export async function openAgentPage(browser: Browser, benchServer: BenchServer): Promise<Page> {
  const context = await browser.newContext({
    baseURL: benchServer.address,
    viewport: { width: 1440, height: 900 },
    locale: 'es',
  })
  await applyLoginState(context, benchServer.admin.loginState)
  await context.addInitScript(installStopwatch)
  const page = await context.newPage()
  await page.goto('/tickets')
  await page.locator(ticketRowSelector).first().waitFor()
  return page
}

/** Clicks each ticket in the list; tickets out of view are scrolled into view first. */
async function measureOpening(page: Page, tickets: LongTicket[]): Promise<number[]> {
  const times: number[] = []
  for (const { id, lastMessage: last, index } of tickets) {
    await page.evaluate((n) => stopwatch.showRow(n), index)
    await pause(150)
    times.push(
      await page.evaluate(([what, drawn]) => stopwatch.measureClick(what, drawn), [
        rowLinkSelector(id),
        bubble(last),
      ] as const),
    )
  }
  return times
}

/** Measures the list after a reload, and from the cache when the user returns to it. */
async function measureListing(page: Page, rounds: number): Promise<{ first: number[]; again: number[] }> {
  const first: number[] = []
  const again: number[] = []
  const tab = (n: number) => `[role="tablist"] [role="tab"]:nth-child(${n})`
  const press = (n: number, drawn: string) =>
    page.evaluate(([what, seen]) => stopwatch.measureClick(what, seen), [tab(n), drawn] as const)
  for (let round = 0; round < rounds; round++) {
    await page.goto('/tickets')
    await page.locator(ticketRowSelector).first().waitFor()
    await pause(500)
    first.push(await press(2, `[aria-label="Tickets resueltos"] ${ticketRowSelector}`))
    await pause(300)
    again.push(await press(1, `[aria-label="Tickets asignados"] ${ticketRowSelector}`))
  }
  return { first, again }
}

let receivedCount = 0
const receiveMessage = (benchServer: BenchServer, row: LineRow, phone: string) =>
  benchServer.running.switchboard.inbox.receive(row, [
    {
      ...{
        kind: 'message',
        id: `screen-${++receivedCount}`,
        chat: `${phone}@s.whatsapp.net`,
        at: new Date().toISOString(),
      },
      ...{ fromMe: false, person: { phone }, pushName: 'Contact' },
      content: { kind: 'text', body: `[${Date.now()}] ${sentences[receivedCount % sentences.length]}` },
    },
  ])

/** Messages arrive at an even pace: every fourth in the open conversation, the others spread over the list. */
async function receiveSteadily(
  benchServer: BenchServer,
  row: LineRow,
  to: string[],
  perSecond: number,
  seconds: number,
): Promise<void> {
  const started = performance.now()
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = started + (n * 1000) / perSecond
    if (due > performance.now()) await pause(due - performance.now())
    void receiveMessage(benchServer, row, to[n % 4 === 0 ? 0 : (n * 7) % to.length] as string)
  }
  await pause(1000)
}

export const formatPercentiles = (times: number[], aim?: number) =>
  `p50 ${roundTo(percentile(times, 0.5))}  p95 ${roundTo(percentile(times, 0.95))} ms${aim ? `  (aim ${aim})` : ''}`

/** Measures the agent's screen in a real browser, with 20,000 tickets. `webDir`: another build than web/dist. */
export async function benchWorkspace(o: { tickets: number; webDir?: string | undefined }) {
  const benchServer = await openBenchServer(o.webDir)
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const row = await createBenchLine(benchServer)
    await seedTickets(benchServer, row, o.tickets, longTicketCount)
    const tickets = await longTickets(benchServer)
    const page = await openAgentPage(browser, benchServer)
    const [warm, cold] = [tickets.slice(20, longTicketCount), tickets.slice(0, 20)]
    await measureOpening(page, warm)
    const firstOpened = await measureOpening(page, cold)
    const reopened = await measureOpening(page, cold.slice(0, 15).reverse())
    const lists = await measureListing(page, 10)
    await page.goto('/tickets')
    await page.locator(ticketRowSelector).first().waitFor()
    const rows = await page.evaluate((n) => stopwatch.load(n), o.tickets)
    const frames = await page.evaluate(() => stopwatch.scroll(160, 6000))
    await page.goto(`/tickets/${tickets[0]?.uuid}`)
    await page.locator(bubble(tickets[0]?.lastMessage ?? '')).waitFor()
    await pause(1000)
    await page.evaluate(() => stopwatch.watchMessages())
    const phones = tickets.map(({ phone }) => phone)
    await receiveSteadily(benchServer, row, phones.slice(0, 1), 5, 20)
    const delays = await page.evaluate(() => stopwatch.delays)
    await page.evaluate(() => stopwatch.watchTasks())
    await receiveSteadily(benchServer, row, phones, 20, 20)
    const tasks = await page.evaluate(() => stopwatch.tasks)
    return {
      [`ticket of ${perTicket} messages, first time, ${cold.length} of them`]: formatPercentiles(firstOpened, 150),
      'the same, opened again': formatPercentiles(reopened),
      [`list of ${o.tickets}, first time`]: formatPercentiles(lists.first, 200),
      'the same, come back to': formatPercentiles(lists.again),
      [`scrolling ${rows} rows, a frame`]: `${formatPercentiles(frames, 16.7)}, ${roundTo((frames.filter((f) => f > 25).length / frames.length) * 100)} % late`,
      [`phone to screen, ${delays.length} messages`]: formatPercentiles(delays, 150),
      'longest task at 20 messages/s, ms': `${roundTo(Math.max(0, ...tasks))}, ${tasks.length} over 50  (aim 100)`,
    }
  } finally {
    await browser.close()
    await benchServer.close()
  }
}
