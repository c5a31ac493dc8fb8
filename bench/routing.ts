import { setTimeout as pause } from 'node:timers/promises'
import { type BenchServer, openBenchServer, openOwnerPool, percentile, roundTo } from './bench-server.ts'
import { createBenchLine, measureRawInserts } from './inbound.ts'

/** People who are connected and available, all in one queue, and tickets that wait in it. */
async function seedQueue(benchServer: BenchServer, tickets: number, people: number): Promise<number> {
  const line = await createBenchLine(benchServer, 'Routing')
  const pool = openOwnerPool(benchServer)
  const c = benchServer.companyId
  const { rows } = await pool.query(
    `insert into queues ("companyId", name, color) values (${c}, 'Routed', '#2f9e44') returning id`,
  )
  const queueId = Number(rows[0].id)
  const sqls = [
    `insert into users ("companyId", name, email, profile, "passwordHash", online, "lastSeenAt")
     select ${c}, 'Agent ' || n, 'agent' || n || '@bench.local', 'user', '', true, now() + interval '1 day' from generate_series(1, ${people}) n`,
    `insert into "userQueues" ("companyId", "userId", "queueId") select ${c}, id, ${queueId} from users where "companyId" = ${c} and profile = 'user'`,
    `insert into contacts ("companyId", name, number) select ${c}, 'Contact number ' || n, '5511' || (900000000 + n) from generate_series(1, ${tickets}) n`,
    `insert into tickets ("companyId", "contactId", "whatsappId", "queueId", status, "botLeft", "lastMessage", "createdAt", "updatedAt")
     select ${c}, id, ${line.id}, ${queueId}, 'pending', true, 'Hola', now() - interval '1 day' + id * interval '1 second', now()
     from contacts where "companyId" = ${c}`,
    'analyze',
  ]
  for (const text of sqls) await pool.query(text)
  await pool.end()
  return queueId
}

/** Lets the server assign tickets until nobody has a free place. Each one is timed from the assignment before to its own. */
async function measureAssignments(benchServer: BenchServer, queueId: number, count: number, capacity: number) {
  const pool = openOwnerPool(benchServer)
  await pool.query(`update queues set capacity = ${capacity}, routing = 'fewestOpen' where id = ${queueId}`)
  const readTimes = async () => {
    const { rows } = await pool.query<{ at: number }>(
      `select extract(epoch from at)::float8 * 1000 as at from "ticketEvents" where kind = 'accept' order by id`,
    )
    return rows.map(({ at }) => at)
  }
  let times = await readTimes()
  for (; times.length < count; times = await readTimes()) await pause(500)
  const { rows } = await pool.query(
    `select max(n)::int as most from (select count(*) as n from tickets where status = 'open' group by "userId") x`,
  )
  await pool.end()
  const took = times.slice(1).map((at, n) => at - (times[n] as number))
  const seconds = ((times.at(-1) as number) - (times[0] as number)) / 1000
  return { rate: took.length / seconds, took, most: Number(rows[0].most) }
}

/** How fast a long queue drains when many people have free places: `capacity` of each. */
export async function benchRouting({
  tickets,
  people,
  capacity,
}: {
  tickets: number
  people: number
  capacity: number
}) {
  const benchServer = await openBenchServer()
  try {
    const queueId = await seedQueue(benchServer, tickets, people)
    const rawBefore = await measureRawInserts(benchServer, 3000, 1)
    const { rate, took, most } = await measureAssignments(benchServer, queueId, people * capacity, capacity)
    // Before and after: on a shared machine the two differ.
    const raw = (rawBefore + (await measureRawInserts(benchServer, 3000, 1))) / 2
    return {
      'raw single-row transactions/s, one after the other': Math.round(raw),
      [`assignments/s, ${tickets} waiting, ${people} people with ${capacity} places`]: roundTo(rate),
      'raw transactions in the time of one assignment': Math.round(raw / rate),
      'one assignment, p50 ms': roundTo(percentile(took, 0.5)),
      'one assignment, p99 ms': roundTo(percentile(took, 0.99)),
      'p99 in raw transactions': Math.round((percentile(took, 0.99) * raw) / 1000),
      'most open tickets of one person': `${most} of ${capacity}`,
    }
  } finally {
    await benchServer.close()
  }
}
