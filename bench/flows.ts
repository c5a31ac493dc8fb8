import { setTimeout as pause } from 'node:timers/promises'
import { FlowDocument } from '@recado/contract/flows/flow-document'
import type { FlowPosition } from '@recado/contract/flows/walk'
import type pg from 'pg'
import { type BenchServer, openBenchServer, openOwnerPool, percentile, roundTo } from './bench-server.ts'
import { createBenchLine, measureRawInserts } from './inbound.ts'

/** Waits, writes to the customer, and waits again. */
const document = FlowDocument.parse({
  kind: 'flow',
  triggers: [{ kind: 'person' }],
  first: 'before',
  steps: [
    { kind: 'wait', id: 'before', until: { kind: 'time', minutes: 60 }, next: 'say' },
    { kind: 'say', id: 'say', text: 'Hola {{firstName}}, ¿pudiste verlo?', next: 'after' },
    { kind: 'wait', id: 'after', until: { kind: 'time', minutes: 600 }, next: 'end' },
    { kind: 'end', id: 'end' },
  ],
})
const waiting: FlowPosition = {
  stepId: 'before',
  isWaiting: true,
  tries: 0,
  stepsSincePause: 0,
  variables: {},
  ended: null,
}

/** People who wait inside a flow; their waits do not end yet. */
async function seedRuns(benchServer: BenchServer, pool: pg.Pool, people: number): Promise<void> {
  const line = await createBenchLine(benchServer, 'Flows')
  const c = benchServer.companyId
  const { rows } = await pool.query<{ id: number }>(
    `insert into flows ("companyId", kind, name, draft) values (${c}, 'flow', 'Bench', $1) returning id`,
    [JSON.stringify(document)],
  )
  const flowId = rows[0]?.id
  const version = await pool.query<{ id: number }>(
    `insert into "flowVersions" ("companyId", "flowId", number, document) values (${c}, ${flowId}, 1, $1) returning id`,
    [JSON.stringify(document)],
  )
  const versionId = version.rows[0]?.id
  const sqls = [
    `update flows set "versionId" = ${versionId}, active = true where id = ${flowId}`,
    `insert into contacts ("companyId", name, number) select ${c}, 'Contact number ' || n, '5511' || (900000000 + n) from generate_series(1, ${people}) n`,
    `insert into tickets ("companyId", "contactId", "whatsappId", status, "botLeft", "lastMessage", "createdAt", "updatedAt")
     select ${c}, id, ${line.id}, 'pending', true, 'Hola', now() - interval '1 hour', now() - interval '1 hour' from contacts where "companyId" = ${c}`,
    `insert into "flowRuns" ("companyId", "flowId", "versionId", "eventKey", "ticketId", "contactId", position, state, speaks, "dueAt")
     select ${c}, ${flowId}, ${versionId}, 'bench:' || id, id, "contactId", '${JSON.stringify(waiting)}', 'waiting', true, now() + interval '1 day'
     from tickets where "companyId" = ${c}`,
    `update tickets t set "flowRunId" = r.id from "flowRuns" r where r."companyId" = ${c} and r."ticketId" = t.id and t."companyId" = ${c}`,
    'analyze',
  ]
  for (const text of sqls) await pool.query(text)
}

const countTurns = async (pool: pg.Pool): Promise<number> =>
  Number(
    (await pool.query(`select count(*)::int as n from "flowRuns" where position ->> 'stepId' = 'after'`)).rows[0].n,
  )

/** The engine looks every second for what is due in the next one: an end that is set earlier is known when it comes. */
const knownBeforeMs = 2000

/** Ends the waits of `count` people, `perSecond` of them in each second; all at once without it. Resolves when all had their turn. */
async function runTurns(pool: pg.Pool, count: number, perSecond = Number.POSITIVE_INFINITY): Promise<number> {
  const before = await countTurns(pool)
  const began = performance.now()
  await pool.query(
    `update "flowRuns" r set "dueAt" = x.at, "waitsUntil" = x.at
     from (
       select id, clock_timestamp() + ($3 + row_number() over (order by id) * $2::float8) * interval '1 second' as at
       from "flowRuns" where position ->> 'stepId' = 'before' order by id limit $1
     ) x
     where r.id = x.id`,
    [count, 1 / perSecond, Number.isFinite(perSecond) ? knownBeforeMs / 1000 : 0],
  )
  while ((await countTurns(pool)) < before + count) await pause(200)
  return (performance.now() - began) / 1000
}

/** How long after the end of each wait its message was stored, for the newest `count` messages. */
async function readDelays(pool: pg.Pool, dueAts: Map<number, number>): Promise<number[]> {
  const { rows } = await pool.query<{ ticketId: number; at: number }>(
    `select "ticketId", extract(epoch from "storedAt")::float8 * 1000 as at from messages where "fromMe" and "ticketId" = any($1)`,
    [[...dueAts.keys()]],
  )
  return rows.map(({ ticketId, at }) => at - (dueAts.get(ticketId) ?? at))
}

/** People inside a flow whose waits end: first at a stated pace, then all at once. */
export async function benchFlows({ people, pace }: { people: number; pace: number }) {
  const benchServer = await openBenchServer()
  const pool = openOwnerPool(benchServer)
  try {
    await seedRuns(benchServer, pool, people)
    const paced = Math.min(people / 5, pace * 20)
    const rawBefore = await measureRawInserts(benchServer, 3000, 1)
    const readMemory = () => Math.round(process.memoryUsage().rss / 1024 / 1024)
    const memory = [readMemory()]
    const reading = runTurns(pool, paced, pace)
    await pause(500)
    const due = await pool.query<{ ticketId: number; at: number }>(
      `select "ticketId", extract(epoch from "dueAt")::float8 * 1000 as at from "flowRuns"
       where position ->> 'stepId' = 'before' and "dueAt" < now() + interval '1 hour'`,
    )
    await reading
    const delays = await readDelays(pool, new Map(due.rows.map(({ ticketId, at }) => [ticketId, at])))
    const rest = people - paced
    let seconds = 0
    for (const half of [Math.floor(rest / 2), Math.ceil(rest / 2)]) {
      seconds += await runTurns(pool, half)
      memory.push(readMemory())
    }
    const raw = (rawBefore + (await measureRawInserts(benchServer, 3000, 1))) / 2
    const { rows } = await pool.query(
      `select count(*)::int as n, count(distinct "ticketId")::int as people from messages where "fromMe"`,
    )
    return {
      'raw single-row transactions/s, one after the other': Math.round(raw),
      [`turns/s that write to the customer, ${rest} people, half of them at once`]: `${roundTo(rest / seconds)}  (aim 1000)`,
      'raw transactions in the time of one turn': roundTo(raw / (rest / seconds)),
      [`at ${pace} turns/s, end of the wait to the stored message, p50 ms`]: roundTo(percentile(delays, 0.5)),
      [`at ${pace} turns/s, end of the wait to the stored message, p99 ms`]: roundTo(percentile(delays, 0.99)),
      'messages, and people who got one': `${rows[0].n}, ${rows[0].people}`,
      'memory before, after a half and after all, MB': memory.join(', '),
    }
  } finally {
    await pool.end()
    await benchServer.close()
  }
}
