import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { InboundEvent, LineRow } from '../server/src/lines/line.ts'
import { type BenchServer, openBenchServer, openOwnerPool, percentile, roundTo } from './bench-server.ts'

export const chatCount = 200
/** Messages of one line are written in sequence, so the benchmark uses several lines, as a real server does. */
const lineCount = 4
const now = () => performance.timeOrigin + performance.now()

/**
 * Inserts one raw row per transaction, on as many connections as raise the rate: the maximum that this machine can
 * store.
 */
export async function measureRawInserts(benchServer: BenchServer, ms: number, connections: number): Promise<number> {
  const pool = openOwnerPool(benchServer)
  await pool.query(
    'create table bench_raw (id bigint generated always as identity primary key, chat text not null, body text not null, at timestamptz not null)',
  )
  let done = 0
  const until = now() + ms
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (now() < until) {
        await pool.query({
          name: 'raw',
          text: 'insert into bench_raw (chat, body, at) values ($1, $2, $3)',
          values: ['5511999990000', 'hola, ¿tienen stock del 42?', new Date()],
        })
        done++
      }
    }),
  )
  await pool.query('drop table bench_raw')
  await pool.end()
  return done / (ms / 1000)
}

const inboundEvent = (n: number, body = 'hola, ¿tienen stock del 42?'): InboundEvent => {
  const phone = `55119${String(60_000_000 + (n % chatCount))}`
  return {
    kind: 'message',
    id: `bench-${n}`,
    chat: `${phone}@s.whatsapp.net`,
    at: new Date().toISOString(),
    fromMe: false,
    person: { phone },
    pushName: `Customer ${n % chatCount}`,
    content: { kind: 'text', body: `${now()} ${body}` },
  }
}

/** Creates a line with a lease that no other process takes: the benchmark injects its events where a provider would. */
export async function createBenchLine(benchServer: BenchServer, name = 'bench'): Promise<LineRow> {
  const { db } = benchServer.scope
  const { id } = await db
    .insertInto('whatsapps')
    .values({ companyId: benchServer.companyId, name, provider: 'beta' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const pool = openOwnerPool(benchServer)
  await pool.query(
    `insert into "lineLeases" ("whatsappId", "companyId", holder, fence, until) values ($1, $2, 'bench', 1, now() + interval '1 day')`,
    [id, benchServer.companyId],
  )
  await pool.end()
  return { id, companyId: benchServer.companyId, provider: 'beta', wantedRound: 0, fence: 1 }
}

async function askSocketClient(
  socketClient: ChildProcess,
  command: string,
): Promise<{ heard: number; delays: number[] }> {
  socketClient.send(command)
  const [reply] = await once(socketClient, 'message')
  return reply as never
}
export async function waitForMessages(socketClient: ChildProcess, count: number): Promise<number[]> {
  for (let tries = 0; tries < 1200; tries++) {
    const report = await askSocketClient(socketClient, 'report')
    if (report.heard >= count) return report.delays
    await pause(50)
  }
  throw new Error(`the agent did not receive all ${count}`)
}

/** Each customer always writes to the same line. */
export const receiveBenchMessage = (benchServer: BenchServer, lines: LineRow[], n: number) =>
  benchServer.running.switchboard.inbox.receive(lines[(n % chatCount) % lines.length] as LineRow, [inboundEvent(n)])

/** Sends as fast as possible: many senders, which each wait for the confirmation before the next message. */
export async function measureThroughput(
  benchServer: BenchServer,
  lines: LineRow[],
  socketClient: ChildProcess,
  count: number,
  first: number,
): Promise<number> {
  await askSocketClient(socketClient, 'reset')
  let next = first
  const started = now()
  await Promise.all(
    Array.from({ length: 256 }, async () => {
      while (next < first + count) await receiveBenchMessage(benchServer, lines, next++)
    }),
  )
  await waitForMessages(socketClient, count)
  return count / ((now() - started) / 1000)
}

/** Sends at a steady pace, and measures the latency from the line's event to the agent's socket. */
export async function measureLatency(
  benchServer: BenchServer,
  lines: LineRow[],
  socketClient: ChildProcess,
  perSecond: number,
  seconds: number,
  first: number,
): Promise<number[]> {
  await askSocketClient(socketClient, 'reset')
  const started = now()
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = started + (n * 1000) / perSecond
    const wait = due - now()
    if (wait > 0) await pause(wait)
    void receiveBenchMessage(benchServer, lines, first + n)
  }
  return waitForMessages(socketClient, perSecond * seconds)
}

export async function benchInbound(o: { messages: number; seconds: number }) {
  const benchServer = await openBenchServer()
  const socketClient = fork(new URL('./socket-client.ts', import.meta.url), [
    benchServer.address,
    benchServer.admin.token,
    String(benchServer.companyId),
  ])
  try {
    await once(socketClient, 'message')
    const lines: LineRow[] = []
    while (lines.length < lineCount) lines.push(await createBenchLine(benchServer, `bench ${lines.length}`))
    const one = lines.slice(0, 1)
    for (let n = 0; n < chatCount; n++) await receiveBenchMessage(benchServer, lines, n)
    await waitForMessages(socketClient, chatCount)
    const single = await measureRawInserts(benchServer, 3000, 1)
    const raw = await measureRawInserts(benchServer, 5000, 8)
    await measureThroughput(benchServer, lines, socketClient, o.messages / 4, 1_000_000)
    await measureThroughput(benchServer, one, socketClient, o.messages / 4, 1_500_000)
    // Autovacuum would do this within seconds: the benchmark measures sustained load, not the first moment of
    // empty tables.
    const pool = openOwnerPool(benchServer)
    await pool.query('vacuum analyze')
    await pool.end()
    const rate = await measureThroughput(benchServer, lines, socketClient, o.messages, 2_000_000)
    const alone = await measureThroughput(benchServer, one, socketClient, o.messages / 2, 3_000_000)
    const delays = await measureLatency(benchServer, lines, socketClient, 500, o.seconds, 9_000_000)
    const share = (of: number) => `${Math.round((rate / of) * 100)} %`
    return {
      'raw single-row transactions/s, on eight connections': Math.round(raw),
      'the same, one after the other': Math.round(single),
      [`messages/s through journal, ticket and socket, ${lineCount} lines`]: Math.round(rate),
      'the same, one line': Math.round(alone),
      'share of raw': `${share(raw)}  (aim 50 %)`,
      'share of one after the other': share(single),
      'at 500/s, line event to socket, p50 ms': roundTo(percentile(delays, 0.5)),
      'at 500/s, line event to socket, p99 ms': `${roundTo(percentile(delays, 0.99))}  (aim 50)`,
    }
  } finally {
    socketClient.send('stop')
    await benchServer.close()
  }
}
