import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type BenchServer, openBenchServer, openOwnerPool, percentile, roundTo } from './bench-server.ts'
import { chatCount, createBenchLine, measureLatency, receiveBenchMessage, waitForMessages } from './inbound.ts'

type Answer = Record<string, unknown>
async function callApi(
  benchServer: BenchServer,
  method: string,
  path: string,
  body?: object | FormData,
): Promise<Answer> {
  const isForm = body instanceof FormData
  const headers = {
    authorization: `Bearer ${benchServer.admin.token}`,
    ...(!isForm && { 'content-type': 'application/json' }),
  }
  const requestBody = body && (isForm ? body : JSON.stringify(body))
  const answer = await fetch(benchServer.address + path, { method, headers, ...(requestBody && { body: requestBody }) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

async function createTestLine(benchServer: BenchServer): Promise<number> {
  const { id } = await callApi(benchServer, 'POST', '/whatsapp', { name: 'bench', provider: 'sandbox' })
  await callApi(benchServer, 'POST', `/sandbox/${id}/scan`)
  while ((await callApi(benchServer, 'GET', `/whatsapp/${id}`)).status !== 'CONNECTED') await pause(50)
  return Number(id)
}

const measureSeconds = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1000
}

/** Measures the p99 latency from customers' messages to an agent's socket while `beside` runs. */
async function measureInboundDuring(
  benchServer: BenchServer,
  workloads: (() => Promise<unknown>)[],
): Promise<number[]> {
  const socketClient = fork(new URL('./socket-client.ts', import.meta.url), [
    benchServer.address,
    benchServer.admin.token,
    String(benchServer.companyId),
  ])
  try {
    await once(socketClient, 'message')
    const lines = [await createBenchLine(benchServer, 'inbound')]
    for (let n = 0; n < chatCount; n++) await receiveBenchMessage(benchServer, lines, n)
    await waitForMessages(socketClient, chatCount)
    const p99: number[] = []
    let first = 1_000_000
    for (const begin of workloads) {
      await begin()
      // The first second is warm-up.
      await measureLatency(benchServer, lines, socketClient, perSecond, 1, first)
      p99.push(percentile(await measureLatency(benchServer, lines, socketClient, perSecond, 15, first + 100_000), 0.99))
      first += 1_000_000
    }
    return p99
  } finally {
    socketClient.send('stop')
  }
}
const perSecond = 50

/** Measures the import of this many people, the preparation of a campaign for them, and its rate without pauses. */
export async function benchCampaigns({
  people,
  sends,
}: {
  people: number
  sends: number
}): Promise<Record<string, unknown>> {
  const benchServer = await openBenchServer()
  const pool = openOwnerPool(benchServer)
  try {
    const line = await createTestLine(benchServer)
    const { id: listId } = await callApi(benchServer, 'POST', '/contact-lists', { name: 'Bench' })
    const rows = Array.from({ length: people }, (_, n) => `Persona ${n};5511${900_000_000 + n};p${n}@mail.example`)
    const form = new FormData()
    form.append('file', new File([`nome;numero;e-mail\n${rows.join('\n')}\n`], 'lista.csv', { type: 'text/csv' }))
    const before = process.memoryUsage().rss
    let peakRss = before
    const imported = await measureSeconds(async () => {
      const { id } = await callApi(benchServer, 'POST', `/contact-lists/${listId}/upload`, form)
      for (;;) {
        const { rows: found } = await pool.query('select state from "listImports" where id = $1', [id])
        peakRss = Math.max(peakRss, process.memoryUsage().rss)
        if (found[0]?.state === 'done') return
        if (found[0]?.state !== 'running') throw new Error(`the import is ${found[0]?.state}`)
        await pause(100)
      }
    })
    await pool.query('update "contactListItems" set "isWhatsappValid" = true')
    const settings = { messageInterval: 0, longerIntervalAfter: 0, stopAfter: 0 }
    await callApi(benchServer, 'POST', '/campaign-settings', { settings })
    const draft = { message1: 'Hola {nome}', message2: 'Buenas {nome}, {numero}', whatsappId: line }
    const { id } = await callApi(benchServer, 'POST', '/campaigns', { ...draft, name: 'Bench', contactListId: listId })
    const planned = await measureSeconds(() =>
      callApi(benchServer, 'POST', '/campaigns/plan', { contactListId: listId, whatsappId: line }),
    )
    const prepared = await measureSeconds(() => callApi(benchServer, 'POST', `/campaigns/${id}/start`, {}))
    // The count uses an index, so that counting does not distort the measurement.
    const countSent = async () =>
      Number(
        (
          await pool.query(
            `select count(*) from "campaignShippings" where "companyId" = $1 and "campaignId" = $2 and state = 'sent'`,
            [benchServer.companyId, id],
          )
        ).rows[0].count,
      )
    const sentBefore = await countSent()
    const sent = await measureSeconds(async () => {
      while ((await countSent()) < sentBefore + sends) await pause(100)
    })
    await callApi(benchServer, 'POST', `/campaigns/${id}/cancel`)
    // The outbox alone: the same number of messages, all of them already stored.
    await pool.query(
      `insert into messages ("companyId", "contactId", "whatsappId", wid, "fromMe", body, "mediaType", state, ack, read, "createdAt")
       select ${benchServer.companyId}, s."contactId", ${line}, 'BENCH' || s.id, true, 'Hola', 'conversation', 'queued', 1, true, now()
       from "campaignShippings" s where s."contactId" is not null order by s.id limit ${sends}`,
    )
    const waiting = async () =>
      Number(
        (
          await pool.query(
            `select count(*) from messages where "companyId" = $1 and "whatsappId" = $2 and state in ('queued', 'sending')`,
            [benchServer.companyId, line],
          )
        ).rows[0].count,
      )
    const outboxSeconds = await measureSeconds(async () => {
      benchServer.running.switchboard.outbox.wake(line)
      while ((await waiting()) > 0) await pause(100)
    })
    const pace = (messageInterval: number) =>
      callApi(benchServer, 'POST', '/campaign-settings', { settings: { ...settings, messageInterval } })
    const [quiet = 0, paced = 0, hurried = 0] = await measureInboundDuring(benchServer, [
      async () => {},
      async () => {
        await pace(5)
        await callApi(benchServer, 'POST', `/campaigns/${id}/restart`)
      },
      () => pace(0),
    ])
    const times = (p99: number) => `${roundTo(p99)}  (${roundTo(p99 / quiet)} times)`
    return {
      [`${people} rows imported (s)`]: roundTo(imported),
      [`${people} rows imported: memory more (MB)`]: Math.round((peakRss - before) / 1024 / 1024),
      [`${people} people planned (s)`]: roundTo(planned),
      [`${people} people prepared (s)`]: roundTo(prepared),
      'sent without a pause, by the second': Math.round(sends / sent),
      'sent without a pause, share of the outbox alone': roundTo(outboxSeconds / sent, 2),
      [`inbound at ${perSecond}/s, p99 ms`]: roundTo(quiet as number),
      'the same beside a campaign, one every 5 s': times(paced),
      'the same beside one without a pause': times(hurried),
    }
  } finally {
    await pool.end()
    await benchServer.close()
  }
}
