import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type BenchServer, openOwnerPool } from './bench-server.ts'

/** A fake Meta that accepts every message, with this latency. */
export async function openFakeMeta(distanceMs: number) {
  let taken = 0
  const server = createServer(async (request, response) => {
    const isMessage = request.method === 'POST' && request.url?.endsWith('/messages')
    for await (const _part of request);
    if (isMessage) await pause(distanceMs)
    const body = isMessage ? { messages: [{ id: `wamid.out${++taken}` }] } : { id: '1', display_phone_number: '+1 555' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v0`,
    taken: () => taken,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Queues this many answers to each of these customers, and returns the rate per second. */
export async function measureReplyRate(
  benchServer: BenchServer,
  taken: () => number,
  customers: number,
  each: number,
): Promise<number> {
  const owner = openOwnerPool(benchServer)
  const before = taken()
  const { rows } = await owner.query(
    `insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, state, ack, read, "createdAt")
     select t."companyId", t.id, t."contactId", t."whatsappId", 'OUT-' || t.id || '-' || n, true, 'sí, queda uno', 'queued', 1, true, now()
     from generate_series(1, $2) n, (select * from tickets where "companyId" = $1 order by id limit $3) t
     order by n, t.id returning "whatsappId"`,
    [benchServer.companyId, each, customers],
  )
  await owner.end()
  const startedAt = performance.now()
  benchServer.running.switchboard.outbox.wake(rows[0].whatsappId)
  while (taken() < before + rows.length) await pause(10)
  return rows.length / ((performance.now() - startedAt) / 1000)
}
