import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { publishMessageWebhooks } from '../server/src/desk/messages/webhook-events.ts'
import type { LineRow } from '../server/src/lines/line.ts'
import { type BenchServer, openBenchServer, openOwnerPool, percentile, roundTo } from './bench-server.ts'
import {
  chatCount,
  createBenchLine,
  measureLatency,
  measureThroughput,
  receiveBenchMessage,
  waitForMessages,
} from './inbound.ts'

const lineCount = 4

async function countReceived(receiver: ChildProcess): Promise<number> {
  receiver.send('report')
  const [{ count }] = (await once(receiver, 'message')) as [{ count: number }]
  return count
}
async function waitForReceived(receiver: ChildProcess, count: number): Promise<void> {
  for (let tries = 0; tries < 6000; tries++) {
    if ((await countReceived(receiver)) >= count) return
    await pause(50)
  }
  throw new Error(`the webhook did not receive all ${count} events`)
}

async function subscribe(benchServer: BenchServer, port: number): Promise<void> {
  const answer = await fetch(`${benchServer.address}/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${benchServer.admin.token}` },
    body: JSON.stringify({
      name: 'Bench',
      url: `http://127.0.0.1:${port}/`,
      events: ['message.created'],
      active: true,
    }),
  })
  if (answer.status !== 200) throw new Error(`not subscribed: ${answer.status} ${await answer.text()}`)
}

/** Measures only the cost of writing events, a thousand per statement. */
async function measureEventWrites(benchServer: BenchServer, count: number): Promise<number> {
  const { rows } = await openOwnerPool(benchServer).query<{ id: number }>(
    'select id from messages order by id limit 1000',
  )
  const ids = rows.map((row) => row.id)
  const started = performance.now()
  for (let done = 0; done < count; done += ids.length)
    await benchServer.scope.transaction((tx) => publishMessageWebhooks(tx, 'message.created', ids))
  return count / ((performance.now() - started) / 1000)
}

/** Measures the cost of a webhook for every message, for the writer and for latency. */
export async function benchWebhooks(o: { messages: number; seconds: number; perSecond: number }) {
  const benchServer = await openBenchServer(undefined, undefined, { privateTargets: true })
  const socketClient = fork(new URL('./socket-client.ts', import.meta.url), [
    benchServer.address,
    benchServer.admin.token,
    String(benchServer.companyId),
  ])
  const receiver = fork(new URL('./webhook-receiver.ts', import.meta.url))
  try {
    const [[{ port }]] = (await Promise.all([once(receiver, 'message'), once(socketClient, 'message')])) as [
      [{ port: number }],
      unknown,
    ]
    const lines: LineRow[] = []
    while (lines.length < lineCount) lines.push(await createBenchLine(benchServer, `bench ${lines.length}`))
    for (let n = 0; n < chatCount; n++) await receiveBenchMessage(benchServer, lines, n)
    await waitForMessages(socketClient, chatCount)
    await measureThroughput(benchServer, lines, socketClient, o.messages, 1_000_000)
    const rateAlone = await measureThroughput(benchServer, lines, socketClient, o.messages, 2_000_000)
    const alone = await measureLatency(benchServer, lines, socketClient, o.perSecond, o.seconds, 3_000_000)
    await subscribe(benchServer, port)
    const beside = await measureLatency(benchServer, lines, socketClient, o.perSecond, o.seconds, 4_000_000)
    const inSteady = o.perSecond * o.seconds
    await waitForReceived(receiver, inSteady)
    const started = performance.now()
    const rate = await measureThroughput(benchServer, lines, socketClient, o.messages, 5_000_000)
    await waitForReceived(receiver, inSteady + o.messages)
    const delivered = o.messages / ((performance.now() - started) / 1000)
    const batches = await measureEventWrites(benchServer, 20_000)
    const [p99, p99Beside] = [percentile(alone, 0.99), percentile(beside, 0.99)]
    return {
      'messages/s without a webhook': Math.round(rateAlone),
      'messages/s with an event each for a webhook': `${Math.round(rate)}  (${Math.round((rate / rateAlone) * 100)} %)`,
      'events/s written by themselves, 1,000 to a statement': `${Math.round(batches)}  (aim 1,000)`,
      'events/s delivered while messages flood in': Math.round(delivered),
      [`at ${o.perSecond}/s, line event to socket, p99 ms without`]: roundTo(p99),
      [`at ${o.perSecond}/s, line event to socket, p99 ms with`]: `${roundTo(p99Beside)}  (${roundTo(p99Beside / p99)} times)`,
    }
  } finally {
    socketClient.send('stop')
    receiver.send('stop')
    await benchServer.close()
  }
}
