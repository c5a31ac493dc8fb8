import { Worker } from 'node:worker_threads'
import { openPool } from '../server/src/kernel/data/database.ts'
import { makeLog } from '../server/src/kernel/log.ts'
import type { Measurement } from './bench-report.ts'
import { percentile, roundTo } from './bench-server.ts'
import { seedCompanies } from './companies.ts'
import { measureWriters, openWriters } from './full-database.ts'
import { openMeasuringWindows } from './measuring-windows.ts'
import { type BenchUser, openSeparateServer, type SeparateServer } from './separate-server.ts'

const clients = 16
/** The Accept-Encoding of browsers. */
const encodings = 'gzip, deflate, br, zstd'
const queues = 8
const tags = 24
const lanes = 6

/** Creates tickets and messages as after months of work: a common word in most messages, a rare word in a few. */
export async function seedMessages(
  { pool, companyId: c, admin }: SeparateServer,
  messages: number,
  tickets: number,
): Promise<void> {
  const isSeeded = `name like 'Contact %'`
  const sqls = [
    'drop index if exists messages_search',
    `insert into queues ("companyId", name, color) select ${c}, 'Queue ' || n, '#' || lpad(to_hex(n * 40503), 6, '0') from generate_series(1, ${queues}) n`,
    `insert into tags ("companyId", name, color, kanban, position) select ${c}, 'Tag ' || n, '#' || lpad(to_hex(n * 90503), 6, '0'), (n <= ${lanes})::int, n from generate_series(1, ${tags}) n`,
    `insert into whatsapps ("companyId", name) values (${c}, 'line')`,
    `insert into contacts ("companyId", name, number) select ${c}, 'Contact ' || n, '5511' || (900000000 + n) from generate_series(1, ${tickets}) n`,
    `insert into tickets ("companyId", "contactId", "whatsappId", "queueId", "userId", status, "lastMessage", "botLeft", "updatedAt", "laneId")
     select ${c}, k.id, w.id, q.ids[1 + k.n % ${queues}], case when k.n % 20 = 0 then ${admin.id} end,
       case when k.n % 20 = 0 then 'open' when k.n % 20 = 1 then 'pending' else 'closed' end, 'hola', true, now() - k.n * interval '20 seconds',
       g.ids[1 + (k.n / 20) % ${lanes}]
     from (select id, row_number() over (order by id) as n from contacts where "companyId" = ${c} and ${isSeeded}) k
     cross join (select min(id) as id from whatsapps where "companyId" = ${c}) w
     cross join (select array_agg(id order by id) as ids from queues where "companyId" = ${c}) q
     cross join (select array_agg(id order by id) as ids from tags where "companyId" = ${c}) g`,
    `insert into "ticketTags" ("companyId", "ticketId", "tagId")
     select ${c}, id, "laneId" from tickets where "companyId" = ${c} and "laneId" is not null
     union all select ${c}, t.id, g.ids[${lanes + 1} + t.id % ${tags - lanes}] from tickets t
       cross join (select array_agg(id order by id) as ids from tags where "companyId" = ${c}) g where t."companyId" = ${c}`,
    `insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, "createdAt")
     select ${c}, t.id, t."contactId", t."whatsappId", 'm' || n, n % 2 = 0,
       'gracias por escribir, mensaje ' || n || case when n % 50000 = 7 then ' zanahoria' else '' end || ' ' || md5(n::text),
       now() - (${messages} - n) * interval '2 seconds'
     from generate_series(1, ${messages}) n
     join (select t.id, t."contactId", t."whatsappId", row_number() over (order by t.id) - 1 as place from tickets t
       join contacts k on k."companyId" = t."companyId" and k.id = t."contactId" where t."companyId" = ${c} and ${isSeeded}
     ) t on t.place = n % ${tickets}`,
    'create index messages_search on messages using gin (fold(body) gin_trgm_ops) with (gin_pending_list_limit = 8192)',
    // As on a server after months: autovacuum has run.
    'vacuum analyze',
  ]
  for (const text of sqls) await pool.query(text)
}

type PageRequests = { name: string; user: BenchUser; paths: string[]; aim?: number }

/** Runs sixteen clients, which each wait for their answer before the next request. */
export async function measureLoad(address: string, { user: by, paths }: PageRequests, ms: number, pauseMs = 0) {
  const worker = new Worker(new URL('./http-clients.ts', import.meta.url), {
    workerData: { address, token: by.token, paths, clients, ms, pauseMs, encodings },
  })
  return new Promise<{ delays: number[]; bytes: number }>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

/** The requests of screens and older clients. */
async function listPageRequests({ pool, companyId, addUser: person, admin }: SeparateServer): Promise<PageRequests[]> {
  const agent = await person('Beto', 'user')
  await pool.query(
    `insert into "userQueues" ("companyId", "userId", "queueId")
     select "companyId", ${agent.id}, id from queues where "companyId" = ${companyId} order by id limit 2`,
  )
  const ids = async (text: string) => (await pool.query<{ id: number }>(text)).rows.map((row) => row.id)
  const all = await ids(`select id from queues where "companyId" = ${companyId} order by id`)
  const theirs = all.slice(0, 2)
  const open = await ids(
    `select id from tickets where "companyId" = ${companyId} and status = 'open' order by random() limit 200`,
  )
  const closed = await ids(
    `select id from tickets where "companyId" = ${companyId} and status = 'closed' and "queueId" = any(array[${theirs}]) order by random() limit 200`,
  )
  const lane = (await ids(`select id from tags where "companyId" = ${companyId} and kanban = 1 order by id limit 1`))[0]
  const chosen = (ids: number[]) => `&queueIds=${encodeURIComponent(JSON.stringify(ids))}`
  const twoPages = (query: string) => [1, 2].map((n) => `/tickets?pageNumber=${n}&showAll=true${query}`)
  const words = (word: string) => [`/tickets?searchParam=${word}&showAll=true&pageNumber=1`]
  return [
    { name: 'tickets open, all queues chosen', user: admin, paths: twoPages(`&status=open${chosen(all)}`), aim: 1.5 },
    {
      name: 'tickets closed, all queues chosen',
      user: admin,
      paths: twoPages(`&status=closed${chosen(all)}`),
      aim: 1.5,
    },
    {
      name: 'tickets closed, three queues chosen',
      user: admin,
      paths: twoPages(`&status=closed${chosen(all.slice(0, 3))}`),
    },
    { name: 'tickets open, no queueIds', user: admin, paths: twoPages('&status=open'), aim: 1.5 },
    { name: 'tickets closed, agent', user: agent, paths: twoPages(`&status=closed${chosen(theirs)}`), aim: 1.5 },
    { name: 'counts', user: admin, paths: [`/tickets/counts?showAll=true${chosen(all)}`], aim: 0.5 },
    { name: 'counts, agent', user: agent, paths: [`/tickets/counts?showAll=true${chosen(theirs)}`], aim: 0.5 },
    { name: 'thread', user: admin, paths: open.map((id) => `/messages/${id}?pageNumber=1`), aim: 1.5 },
    { name: 'thread, agent', user: agent, paths: closed.map((id) => `/messages/${id}?pageNumber=1`), aim: 1.5 },
    { name: 'contacts', user: admin, paths: [1, 2].map((n) => `/contacts?searchParam=&pageNumber=${n}`), aim: 0.8 },
    { name: '/tags/list', user: admin, paths: ['/tags/list'], aim: 0.5 },
    { name: 'board', user: admin, paths: ['/kanban'] },
    { name: "a lane's page", user: admin, paths: [`/kanban/cards?laneId=${lane}`], aim: 1.5 },
    { name: 'board of older clients', user: admin, paths: [`/ticket/kanban?showAll=true${chosen(all)}`] },
    { name: 'search, a rare word', user: admin, paths: words('zanahoria') },
    { name: 'search, a common word', user: admin, paths: words('gracias'), aim: 10 },
    { name: 'search, a common word, agent', user: agent, paths: words('gracias'), aim: 10 },
  ]
}

/** Measures the maximum of the database: selects of one row by its key, on as many connections as the server has. */
export async function measureRawSelects({ url, companyId }: SeparateServer, ms: number): Promise<number> {
  const pool = openPool(url, makeLog('error'), { max: 8 })
  let done = 0
  const until = performance.now() + ms
  const one = async () => {
    while (performance.now() < until) {
      await pool.query({
        name: 'raw',
        text: 'select * from tickets where "companyId" = $1 and id = $2',
        values: [companyId, 1 + (done++ % 1000)],
      })
    }
  }
  await Promise.all(Array.from({ length: 8 }, one))
  await pool.end()
  return done / (ms / 1000)
}

/** Each user clicks five times a second. */
const clickMs = 200

/** Strangers who write while the pages are measured: otherwise finished rows would hide what a page costs. */
const arrivalsPerSecond = 10

/**
 * For each kind of page, measures its cost without a pause, and its latency for users who click. API sends and strangers
 * are measured in the empty database and in the full one.
 */
export async function benchPages(o: {
  messages: number
  tickets: number
  ms: number
  /**
   * Small companies beside the measured one: PostgreSQL plans for the average company, because the plan does not depend
   * on the company.
   */
  companies: number
}): Promise<Measurement[]> {
  const apart = await openSeparateServer()
  const windows = await openMeasuringWindows(apart.pids)
  const size = `${o.messages.toLocaleString('en')} messages${o.companies ? `, ${o.companies} companies beside` : ''}`
  const figures: Measurement[] = []
  try {
    const writers = await openWriters(apart)
    figures.push(...(await measureWriters(apart, writers, windows, 'empty database', o.ms)))
    await seedMessages(apart, o.messages, o.tickets)
    if (o.companies) await seedCompanies(apart, 1, o.companies)
    figures.push(...(await measureWriters(apart, writers, windows, size, o.ms)))
    const raw = await windows.measure(() => measureRawSelects(apart, o.ms))
    const limit = { name: 'raw selects/s', value: raw.result }
    figures.push({
      part: size,
      name: 'raw select',
      value: raw.result,
      unit: '/s',
      better: 'more',
      taken: raw.stolenShare,
    })
    const stopArrivals = writers.startArrivals(arrivalsPerSecond)
    const only = process.argv.find((word) => word.startsWith('--only='))?.slice(7)
    for (const asked of (await listPageRequests(apart)).filter(({ name }) => !only || name.includes(only))) {
      await measureLoad(apart.address, asked, Math.min(1500, o.ms))
      const { result, stolenShare: taken } = await windows.measure(() =>
        apart.measureCpu(() => measureLoad(apart.address, asked, o.ms)),
      )
      const { delays, bytes } = result.result
      const n = Math.max(1, delays.length)
      const { node, database } = { node: result.cpu.node / n, database: result.cpu.database / n }
      const clicks = await windows.measure(() => measureLoad(apart.address, asked, o.ms, clickMs))
      const about = { part: size, name: asked.name, taken }
      console.log(`  ${size}, ${asked.name}: ${roundTo(node + database, 2)} ms`)
      figures.push(
        {
          ...about,
          of: 'cost of a page',
          value: node + database,
          unit: ' ms of a core',
          better: 'less',
          ...(asked.aim && { aim: asked.aim }),
          note: `node ${roundTo(node, 2)}, database ${roundTo(database, 2)}; ${Math.round(bytes / n)} bytes`,
        },
        { ...about, of: 'without a pause', value: n / (o.ms / 1000), unit: ' pages/s', better: 'more', limit },
        {
          ...about,
          of: 'at five clicks a second, p99',
          value: percentile(clicks.result.delays, 0.99),
          unit: ' ms',
          better: 'less',
          aim: asked.name.startsWith('search') ? 50 : 25,
          note: `p50 ${roundTo(percentile(clicks.result.delays, 0.5))} ms`,
          taken: clicks.stolenShare,
        },
      )
    }
    await stopArrivals()
    return figures
  } finally {
    await windows.close()
    await apart.close()
  }
}
