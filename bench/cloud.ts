import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type BenchServer, openBenchServer, percentile, roundTo } from './bench-server.ts'
import { measureReplyRate, openFakeMeta } from './cloud-replies.ts'

const appSecret = 'bench-secret'
const phoneNumberId = '1000'
const chatCount = 200

type CloudWebhook = { url: string }

/** A line on the official API. */
async function openCloudWebhook(benchServer: BenchServer): Promise<CloudWebhook> {
  const cloud = { phoneNumberId, businessAccountId: '2000', accessToken: 'bench-token', appSecret }
  const response = await fetch(`${benchServer.address}/whatsapp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${benchServer.admin.token}` },
    body: JSON.stringify({ name: 'cloud', provider: 'cloud', cloud }),
  })
  const row = (await response.json()) as { cloud: { webhookUrl: string } }
  return { url: row.cloud.webhookUrl }
}

function webhookBody(n: number): string {
  const from = `55119${String(60_000_000 + (n % chatCount))}`
  const message = {
    id: `wamid.${n}.${randomBytes(12).toString('base64url')}`,
    from,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'text',
    text: { body: 'hola, ¿tienen stock del 42?' },
  }
  const contacts = [{ wa_id: from, user_id: `BR.${n % chatCount}`, profile: { name: `Customer ${n % chatCount}` } }]
  const value = {
    messaging_product: 'whatsapp',
    metadata: { phone_number_id: phoneNumberId },
    contacts,
    messages: [message],
  }
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '2000', changes: [{ field: 'messages', value }] }],
  })
}

/** Measures how long Meta waits for our answer, which is sent after the journal's commit. */
async function measureWebhookCall({ url }: CloudWebhook, n: number): Promise<number> {
  const body = webhookBody(n)
  const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
  const startedAt = performance.now()
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
    body,
  })
  await answer.text()
  if (answer.status !== 200) throw new Error(`the webhook answered ${answer.status}`)
  return performance.now() - startedAt
}

/** Runs this many clients in parallel, each with sequential calls. */
async function measureConcurrentCalls(
  hook: CloudWebhook,
  of: number,
  count: number,
  first: number,
): Promise<{ took: number[]; rate: number }> {
  const took: number[] = []
  let next = first
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: of }, async () => {
      while (next < first + count) took.push(await measureWebhookCall(hook, next++))
    }),
  )
  return { took, rate: count / ((performance.now() - startedAt) / 1000) }
}

async function measureSteadyCalls(
  hook: CloudWebhook,
  perSecond: number,
  seconds: number,
  first: number,
): Promise<number[]> {
  const calls: Promise<number>[] = []
  const startedAt = performance.now()
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = startedAt + (n * 1000) / perSecond - performance.now()
    if (due > 0) await pause(due)
    calls.push(measureWebhookCall(hook, first + n))
  }
  return Promise.all(calls)
}

export async function benchCloud(o: { calls: number; seconds: number }) {
  const meta = await openFakeMeta(100)
  const benchServer = await openBenchServer(undefined, meta.url)
  try {
    const hook = await openCloudWebhook(benchServer)
    await measureConcurrentCalls(hook, 8, chatCount * 2, 0)
    const calm = await measureSteadyCalls(hook, 100, o.seconds, 1_000_000)
    const load = await measureConcurrentCalls(hook, 64, o.calls, 2_000_000)
    await benchServer.running.switchboard.inbox.idle()
    const out = await measureReplyRate(benchServer, meta.taken, 100, 5)
    return {
      'webhook at 100/s, answer after the journal, p50 ms': `${roundTo(percentile(calm, 0.5))}  (aim 250)`,
      'webhook at 100/s, p99 ms': roundTo(percentile(calm, 0.99)),
      'webhook with 64 calls at once, p50 ms': `${roundTo(percentile(load.took, 0.5))}  (aim 250)`,
      'webhook with 64 calls at once, p99 ms': roundTo(percentile(load.took, 0.99)),
      'webhook calls/s, the caller on the same cores': Math.round(load.rate),
      'answers/s to 100 customers, Meta 100 ms away': `${Math.round(out)}  (Meta allows 80)`,
    }
  } finally {
    await benchServer.close()
    meta.close()
  }
}
