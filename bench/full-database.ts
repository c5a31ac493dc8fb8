import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Measurement } from './bench-report.ts'
import { percentile, roundTo } from './bench-server.ts'
import type { openMeasuringWindows } from './measuring-windows.ts'
import type { SeparateServer } from './separate-server.ts'

/** Clients that wait for their answer before the next request. */
const clientCount = 16
const sendsPerSecond = 50
/** API sends go to this many people, so that most of them have a ticket already. */
const peopleCount = 1000
const appSecret = 'bench-secret'
const phoneNumberId = '1000'

/** Runs `request` on parallel clients; with a pace, each begins on time whatever the answers take. */
async function measureCalls(
  ms: number,
  request: (client: number) => Promise<void>,
  perSecond?: number,
): Promise<number[]> {
  const delays: number[] = []
  const startedAt = performance.now()
  const timeOne = async (client: number) => {
    const at = performance.now()
    await request(client)
    delays.push(performance.now() - at)
  }
  const untilTime = async (at: number) => pause(Math.max(0, startedAt + at - performance.now()))
  if (perSecond) {
    const calls: Promise<void>[] = []
    for (let n = 0; n < (ms / 1000) * perSecond; n++) {
      await untilTime((n * 1000) / perSecond)
      calls.push(timeOne(n % clientCount))
    }
    await Promise.all(calls)
  } else
    await Promise.all(
      Array.from({ length: clientCount }, async (_, client) => {
        while (performance.now() - startedAt < ms) await timeOne(client)
      }),
    )
  return delays
}

/** Programs that send, and customers who write to an official line: the work that grows with the database. */
export async function openWriters({ address, admin, pool, companyId }: SeparateServer) {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as Record<string, unknown>
  }
  await post('/whatsapp', { name: 'sends', provider: 'sandbox', isDefault: true })
  const keys: string[] = []
  for (let n = 0; n < clientCount; n++)
    keys.push(String((await post('/api-keys', { name: `program ${n}`, scopes: ['send'] })).key))
  const greeted = { name: 'official', provider: 'cloud', greetingMessage: 'Hola', queueIds: [] as number[] }
  for (const [name, color] of [
    ['Ventas', '#2f9e44'],
    ['Soporte', '#1971c2'],
  ] as const)
    greeted.queueIds.push(Number((await post('/queue', { name, color, greetingMessage: 'Bienvenida' })).id))
  const cloud = { phoneNumberId, businessAccountId: '2000', accessToken: 'bench-token', appSecret }
  const line = (await post('/whatsapp', { ...greeted, cloud })) as { cloud: { webhookUrl: string } }
  const webhook = `${address}${new URL(line.cloud.webhookUrl).pathname}`

  let sent = 0
  const send = async (client: number) => {
    const n = ++sent
    const headers = { authorization: `Bearer ${keys[client]}`, 'idempotency-key': `bench-${n}` }
    await post('/api/messages/send', { number: `54911${50_000_000 + (n % peopleCount)}`, body: `Hola ${n}` }, headers)
  }
  let strangerCount = 0
  /** Somebody unknown writes; Meta's request is answered when the message is journaled. */
  const writeAsStranger = async () => {
    const n = ++strangerCount
    const from = `55119${60_000_000 + n}`
    const message = {
      ...{ id: `wamid.${n}.${randomBytes(12).toString('base64url')}`, from, type: 'text', text: { body: 'hola' } },
      timestamp: String(Math.floor(Date.now() / 1000)),
    }
    const value = {
      ...{ messaging_product: 'whatsapp', metadata: { phone_number_id: phoneNumberId }, messages: [message] },
      contacts: [{ wa_id: from, user_id: `BR.${n}`, profile: { name: `Customer ${n}` } }],
    }
    const body = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: '2000', changes: [{ field: 'messages', value }] }],
    })
    const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
    const reply = await fetch(webhook, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
      body,
    })
    if (!reply.ok) throw new Error(`webhook: ${reply.status}`)
    await reply.arrayBuffer()
  }
  const untilStrangersHaveTickets = async () => {
    for (;;) {
      const { rows } = await pool.query<{ n: number }>(
        `select count(*)::int as n from tickets t join contacts c on c."companyId" = t."companyId" and c.id = t."contactId"
         where t."companyId" = $1 and c.number like '551196%'`,
        [companyId],
      )
      if ((rows[0]?.n ?? 0) >= strangerCount) return
      await pause(20)
    }
  }
  return {
    send,
    async measureStrangers(ms: number): Promise<number> {
      const delays = await measureCalls(ms, writeAsStranger)
      await untilStrangersHaveTickets()
      return delays.length
    },
    /** Strangers write at a steady pace until the returned function is called. */
    startArrivals(perSecond: number): () => Promise<void> {
      let running = true
      const work = (async () => {
        while (running) {
          const at = performance.now()
          await writeAsStranger()
          await pause(Math.max(0, 1000 / perSecond - (performance.now() - at)))
        }
      })()
      return async () => {
        running = false
        await work
      }
    },
  }
}
export type Writers = Awaited<ReturnType<typeof openWriters>>

/** API sends and strangers in the database as it is now. */
export async function measureWriters(
  apart: SeparateServer,
  writers: Writers,
  windows: Awaited<ReturnType<typeof openMeasuringWindows>>,
  part: string,
  ms: number,
): Promise<Measurement[]> {
  const cost = ({ node, database }: { node: number; database: number }, n: number) => ({
    value: (node + database) / Math.max(1, n),
    note: `node ${roundTo(node / Math.max(1, n), 2)}, database ${roundTo(database / Math.max(1, n), 2)}`,
    ...{ unit: ' ms of a core', better: 'less' as const },
  })
  // The first calls create the contacts and tickets of the people who are written to.
  await measureCalls(Math.min(3000, ms), writers.send)
  const sends = await windows.measure(() => apart.measureCpu(() => measureCalls(ms, writers.send)))
  const paced = await windows.measure(() => measureCalls(ms, writers.send, sendsPerSecond))
  const strangers = await windows.measure(() => apart.measureCpu(() => writers.measureStrangers(ms)))
  const sendCount = sends.result.result.length
  const about = (name: string, taken: number) => ({ part, name, taken })
  return [
    { ...about('API send', sends.stolenShare), of: 'cost', ...cost(sends.result.cpu, sendCount) },
    {
      ...about('API send', sends.stolenShare),
      ...{ of: `${clientCount} clients`, value: sendCount / (ms / 1000), unit: '/s', better: 'more', aim: 500 },
    },
    {
      ...about('API send', paced.stolenShare),
      ...{ of: `at ${sendsPerSecond} a second, p99`, value: percentile(paced.result, 0.99), unit: ' ms' },
      ...{ better: 'less', aim: 250, note: `p50 ${roundTo(percentile(paced.result, 0.5))} ms` },
    },
    { ...about('stranger', strangers.stolenShare), of: 'cost', ...cost(strangers.result.cpu, strangers.result.result) },
  ]
}
