import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { answerAll, openMeta } from './cloud-out.ts'
import { openPlace, type Place, percentile, round } from './place.ts'

const appSecret = 'bench-secret'
const phoneNumberId = '1000'
const chats = 200

type Hook = { url: string }

/** A line on the official API. */
async function openHook(place: Place): Promise<Hook> {
  const cloud = { phoneNumberId, businessAccountId: '2000', accessToken: 'bench-token', appSecret }
  const response = await fetch(`${place.address}/whatsapp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${place.admin.token}` },
    body: JSON.stringify({ name: 'cloud', provider: 'cloud', cloud }),
  })
  const row = (await response.json()) as { cloud: { webhookUrl: string } }
  return { url: row.cloud.webhookUrl }
}

function noticeOf(n: number): string {
  const from = `55119${String(60_000_000 + (n % chats))}`
  const message = {
    id: `wamid.${n}.${randomBytes(12).toString('base64url')}`,
    from,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'text',
    text: { body: 'hola, ¿tienen stock del 42?' },
  }
  const contacts = [{ wa_id: from, user_id: `BR.${n % chats}`, profile: { name: `Customer ${n % chats}` } }]
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

/** How long Meta waits for its answer, which comes after the journal's commit. */
async function call({ url }: Hook, n: number): Promise<number> {
  const body = noticeOf(n)
  const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
  const began = performance.now()
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
    body,
  })
  await answer.text()
  if (answer.status !== 200) throw new Error(`the webhook answered ${answer.status}`)
  return performance.now() - began
}

/** So many calls at once, one after the other each. */
async function crowd(hook: Hook, of: number, count: number, first: number): Promise<{ took: number[]; rate: number }> {
  const took: number[] = []
  let next = first
  const began = performance.now()
  await Promise.all(
    Array.from({ length: of }, async () => {
      while (next < first + count) took.push(await call(hook, next++))
    }),
  )
  return { took, rate: count / ((performance.now() - began) / 1000) }
}

async function steady(hook: Hook, perSecond: number, seconds: number, first: number): Promise<number[]> {
  const calls: Promise<number>[] = []
  const began = performance.now()
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = began + (n * 1000) / perSecond - performance.now()
    if (due > 0) await pause(due)
    calls.push(call(hook, first + n))
  }
  return Promise.all(calls)
}

export async function cloud(o: { calls: number; seconds: number }) {
  const meta = await openMeta(100)
  const place = await openPlace(undefined, meta.url)
  try {
    const hook = await openHook(place)
    await crowd(hook, 8, chats * 2, 0)
    const calm = await steady(hook, 100, o.seconds, 1_000_000)
    const load = await crowd(hook, 64, o.calls, 2_000_000)
    await place.running.switchboard.inbox.idle()
    const out = await answerAll(place, meta.taken, 100, 5)
    return {
      'webhook at 100/s, answer after the journal, p50 ms': `${round(percentile(calm, 0.5))}  (aim 250)`,
      'webhook at 100/s, p99 ms': round(percentile(calm, 0.99)),
      'webhook with 64 calls at once, p50 ms': `${round(percentile(load.took, 0.5))}  (aim 250)`,
      'webhook with 64 calls at once, p99 ms': round(percentile(load.took, 0.99)),
      'webhook calls/s, the caller on the same cores': Math.round(load.rate),
      'answers/s to 100 customers, Meta 100 ms away': `${Math.round(out)}  (Meta allows 80)`,
    }
  } finally {
    await place.close()
    meta.close()
  }
}
