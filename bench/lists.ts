import { Worker } from 'node:worker_threads'
import { openPlace, ownerOf, type Place, percentile, round } from './place.ts'

const clients = 16

/** Tickets and messages as months of work leave them: a common word in most messages, a rare one in a few. */
async function fill(place: Place, messages: number, tickets: number): Promise<void> {
  const pool = ownerOf(place)
  const c = place.companyId
  const sqls = [
    'drop index if exists messages_search',
    `insert into queues ("companyId", name, color) select ${c}, 'Queue ' || n, '#' || lpad(to_hex(n * 40503), 6, '0') from generate_series(1, 5) n on conflict do nothing`,
    `insert into whatsapps ("companyId", name) values (${c}, 'line') on conflict do nothing`,
    `insert into contacts ("companyId", name, number) select ${c}, 'Contact ' || n, '5511' || (900000000 + n) from generate_series(1, ${tickets}) n`,
    `insert into tickets ("companyId", "contactId", "whatsappId", "queueId", "userId", status, "lastMessage", "updatedAt")
     select ${c}, k.id, w.id, q.id, case when k.n % 20 = 0 then ${place.admin.id} end, case when k.n % 20 = 0 then 'open' when k.n % 20 = 1 then 'pending' else 'closed' end, 'hola', now() - k.n * interval '20 seconds'
     from (select id, row_number() over (order by id) as n from contacts where "companyId" = ${c}) k
     cross join (select id from whatsapps where "companyId" = ${c} limit 1) w
     join lateral (select id from queues where "companyId" = ${c} order by id offset (k.n % 5) limit 1) q on true`,
    `insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, "createdAt")
     select ${c}, t.id, t."contactId", t."whatsappId", 'm' || n, n % 2 = 0,
       'gracias por escribir, mensaje ' || n || case when n % 50000 = 7 then ' zanahoria' else '' end || ' ' || md5(n::text),
       now() - (${messages} - n) * interval '2 seconds'
     from generate_series(1, ${messages}) n
     join (select id, "contactId", "whatsappId", row_number() over (order by id) - 1 as place from tickets where "companyId" = ${c}) t on t.place = n % ${tickets}`,
    'create index messages_search on messages using gin (fold(body) gin_trgm_ops) with (gin_pending_list_limit = 8192)',
    // As a house that has lived for months is found: the database tidies up after itself.
    'vacuum analyze',
  ]
  for (const text of sqls) await pool.query(text)
  await pool.end()
}

/** As somebody clicks who is in a hurry. */
const clickMs = 200

type Asked = { token: string; paths: string[] }

/** Sixteen clients that each wait for their answer before they ask again. */
async function load(place: Place, { token, paths }: Asked, ms: number, pauseMs = 0): Promise<number[]> {
  const worker = new Worker(new URL('./clients.ts', import.meta.url), {
    workerData: { address: place.address, token, paths, clients, ms, pauseMs },
  })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

type Figure = { p50: number; p99: number; clicking: number }

async function figures(place: Place, ms: number): Promise<Record<string, Figure>> {
  const pool = ownerOf(place)
  const { rows } = await pool.query<{ id: number }>(
    `select id from tickets where "companyId" = ${place.companyId} and status = 'open' order by random() limit 200`,
  )
  const agent = await place.agent('Beto')
  await pool.query(
    `insert into "userQueues" ("companyId", "userId", "queueId")
     select "companyId", ${agent.id}, id from queues where "companyId" = ${place.companyId} order by id limit 2`,
  )
  await pool.end()
  const kinds: Record<string, string[]> = {
    'GET /tickets open': ['/tickets?status=open&showAll=true&pageNumber=1'],
    'GET /tickets pending': ['/tickets?status=pending&pageNumber=1'],
    'GET /tickets closed': [
      '/tickets?status=closed&showAll=true&pageNumber=1',
      '/tickets?status=closed&showAll=true&pageNumber=2',
    ],
    'GET /messages': rows.map((r) => `/messages/${r.id}?pageNumber=1`),
    'search, a rare word': ['/tickets?searchParam=zanahoria&showAll=true&pageNumber=1'],
    'search, a common word': ['/tickets?searchParam=gracias&showAll=true&pageNumber=1'],
  }
  const { token } = place.admin
  const asked = Object.entries(kinds).map(([name, paths]): [string, Asked] => [name, { token, paths }])
  const closed = kinds['GET /tickets closed'] as string[]
  asked.push(['GET /tickets closed, an agent with two queues', { token: agent.token, paths: closed }])
  const out: Record<string, Figure> = {}
  for (const [name, by] of asked) {
    await load(place, by, 1000)
    const delays = await load(place, by, ms)
    const clicking = percentile(await load(place, by, ms, clickMs), 0.99)
    out[name] = { p50: percentile(delays, 0.5), p99: percentile(delays, 0.99), clicking }
  }
  return out
}

export async function lists(o: { small: number; large: number; tickets: number; ms: number }) {
  const at = async (messages: number) => {
    const place = await openPlace()
    try {
      await fill(place, messages, o.tickets)
      return await figures(place, o.ms)
    } finally {
      await place.close()
    }
  }
  const [small, large] = [await at(o.small), await at(o.large)]
  return Object.fromEntries(
    Object.entries(large).map(([name, { p50, p99, clicking }]) => {
      const before = small[name]?.p99 ?? Number.NaN
      return [
        name,
        `p99 ${round(before)} ms -> ${round(p99)} ms (${round(p99 / before, 2)}x from ${o.small} to ${o.large} messages, ${clients} clients without a pause); p50 ${round(p50)} ms; p99 ${round(clicking)} ms if each clicks five times a second`,
      ]
    }),
  )
}
