import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { tellMessages } from '../server/src/desk/messages/told.ts'
import type { LineRow } from '../server/src/lines/line.ts'
import { benchLine, chats, flood, hear, heardAll, steady } from './inbound.ts'
import { openPlace, ownerOf, type Place, percentile, round } from './place.ts'

const lineCount = 4

async function told(receiver: ChildProcess): Promise<number> {
  receiver.send('report')
  const [{ count }] = (await once(receiver, 'message')) as [{ count: number }]
  return count
}
async function toldAll(receiver: ChildProcess, count: number): Promise<void> {
  for (let tries = 0; tries < 6000; tries++) {
    if ((await told(receiver)) >= count) return
    await pause(50)
  }
  throw new Error(`the program was not told all ${count}`)
}

async function subscribe(place: Place, port: number): Promise<void> {
  const answer = await fetch(`${place.address}/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${place.admin.token}` },
    body: JSON.stringify({
      name: 'Bench',
      url: `http://127.0.0.1:${port}/`,
      events: ['message.created'],
      active: true,
    }),
  })
  if (answer.status !== 200) throw new Error(`not subscribed: ${answer.status} ${await answer.text()}`)
}

/** Events alone, a thousand to a statement: what writing them costs the database. */
async function written(place: Place, count: number): Promise<number> {
  const { rows } = await ownerOf(place).query<{ id: number }>('select id from messages order by id limit 1000')
  const ids = rows.map((row) => row.id)
  const started = performance.now()
  for (let done = 0; done < count; done += ids.length)
    await place.scope.transaction((tx) => tellMessages(tx, 'message.created', ids))
  return count / ((performance.now() - started) / 1000)
}

/** What a program that hears of every message costs who writes and who waits. */
export async function webhooks(o: { messages: number; seconds: number; perSecond: number }) {
  const place = await openPlace(undefined, undefined, { privateTargets: true })
  const ear = fork(new URL('./ear.ts', import.meta.url), [place.address, place.admin.token, String(place.companyId)])
  const receiver = fork(new URL('./receiver.ts', import.meta.url))
  try {
    const [[{ port }]] = (await Promise.all([once(receiver, 'message'), once(ear, 'message')])) as [
      [{ port: number }],
      unknown,
    ]
    const lines: LineRow[] = []
    while (lines.length < lineCount) lines.push(await benchLine(place, `bench ${lines.length}`))
    for (let n = 0; n < chats; n++) await hear(place, lines, n)
    await heardAll(ear, chats)
    await flood(place, lines, ear, o.messages, 1_000_000)
    const rateAlone = await flood(place, lines, ear, o.messages, 2_000_000)
    const alone = await steady(place, lines, ear, o.perSecond, o.seconds, 3_000_000)
    await subscribe(place, port)
    const beside = await steady(place, lines, ear, o.perSecond, o.seconds, 4_000_000)
    const inSteady = o.perSecond * o.seconds
    await toldAll(receiver, inSteady)
    const started = performance.now()
    const rate = await flood(place, lines, ear, o.messages, 5_000_000)
    await toldAll(receiver, inSteady + o.messages)
    const delivered = o.messages / ((performance.now() - started) / 1000)
    const batches = await written(place, 20_000)
    const [p99, p99Beside] = [percentile(alone, 0.99), percentile(beside, 0.99)]
    return {
      'messages/s without a webhook': Math.round(rateAlone),
      'messages/s with an event each for a webhook': `${Math.round(rate)}  (${Math.round((rate / rateAlone) * 100)} %)`,
      'events/s written by themselves, 1,000 to a statement': `${Math.round(batches)}  (aim 1,000)`,
      'events/s delivered while messages flood in': Math.round(delivered),
      [`at ${o.perSecond}/s, line event to socket, p99 ms without`]: round(p99),
      [`at ${o.perSecond}/s, line event to socket, p99 ms with`]: `${round(p99Beside)}  (${round(p99Beside / p99)} times)`,
    }
  } finally {
    ear.send('stop')
    receiver.send('stop')
    await place.close()
  }
}
