import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { startPostgres } from '../server/src/kernel/postgres/embedded.ts'
import { runKilledApiSending } from '../server/test/killed-api-sending.ts'
import { openBenchServer, percentile, roundTo } from './bench-server.ts'
import { measureRawInserts } from './inbound.ts'

type Answer = Record<string, unknown>

/** Messages per second that API clients can store, each with its ticket, live events and idempotency. */
export async function benchSending(o: { messages: number; people: number; senders: number }): Promise<Answer> {
  const benchServer = await openBenchServer()
  try {
    const ask = async (method: string, path: string, body: object, token: string, more = {}) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more }
      const answer = await fetch(benchServer.address + path, { method, headers, body: JSON.stringify(body) })
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as Answer
    }
    // The line is not connected: stored messages wait, so that only the API is measured.
    await ask('POST', '/whatsapp', { name: 'bench', provider: 'sandbox', isDefault: true }, benchServer.admin.token)
    const { key } = await ask('POST', '/api-keys', { name: 'bench', scopes: ['send'] }, benchServer.admin.token)
    const took: number[] = []
    const flood = async (count: number, named: string) => {
      let next = 0
      const startedAt = performance.now()
      await Promise.all(
        Array.from({ length: o.senders }, async () => {
          while (next < count) {
            const n = next++
            const at = performance.now()
            const number = `54911${String(50_000_000 + (n % o.people))}`
            const name = { 'idempotency-key': `${named}-${n}` }
            await ask('POST', '/api/messages/send', { number, body: `Hola ${n}` }, String(key), name)
            took.push(performance.now() - at)
          }
        }),
      )
      return count / ((performance.now() - startedAt) / 1000)
    }
    // This first run creates the contacts and tickets, so that the measurement covers the usual case.
    await flood(o.people, 'first')
    took.length = 0
    const raw = await measureRawInserts(benchServer, 3000, 8)
    const rate = await flood(o.messages, 'then')
    return {
      'raw single-row transactions/s, on eight connections': Math.round(raw),
      [`API sends/s, ${o.senders} at once, each with an Idempotency-Key`]: Math.round(rate),
      'share of raw': `${roundTo((rate / raw) * 100)} %`,
      'API send, p50 ms': roundTo(percentile(took, 0.5)),
      'API send, p99 ms': roundTo(percentile(took, 0.99)),
    }
  } finally {
    await benchServer.close()
  }
}

/** Measures the same while the server is killed repeatedly. */
export async function benchSendingSoak(o: { messages: number; kills: number }): Promise<Answer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'recado-bench-'))
  const postgres = await startPostgres({ dataDir })
  try {
    return await runKilledApiSending(postgres.url, { ...o, senders: 16, people: 200, lifeMs: 4000, execPath })
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
