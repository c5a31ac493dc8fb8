import { setTimeout as pause } from 'node:timers/promises'
import { type BenchServer, openBenchServer, openOwnerPool, percentile, roundTo } from './bench-server.ts'

async function callApi(
  benchServer: BenchServer,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${benchServer.admin.token}`, 'content-type': 'application/json' }
  const answer = await fetch(benchServer.address + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

/** A connected test line. */
async function createTestLine(benchServer: BenchServer): Promise<number> {
  const { id } = await callApi(benchServer, 'POST', '/whatsapp', { name: 'bench', provider: 'sandbox' })
  await callApi(benchServer, 'POST', `/sandbox/${id}/scan`)
  while ((await callApi(benchServer, 'GET', `/whatsapp/${id}`)).status !== 'CONNECTED') await pause(50)
  return Number(id)
}

/** Maximum wait. The report says how many messages were sent within this time. */
const maxWaitMs = 180_000

/** Measures how late messages are stored and sent if all are due at the same moment, in seconds. */
export async function benchSchedules({ messages }: { messages: number }): Promise<Record<string, unknown>> {
  const benchServer = await openBenchServer()
  const pool = openOwnerPool(benchServer)
  try {
    const line = await createTestLine(benchServer)
    const c = benchServer.companyId
    await pool.query(
      `with k as (
         insert into contacts ("companyId", name, number)
         select ${c}, 'Contact ' || n, '5511' || (900000000 + n) from generate_series(1, ${messages}) n returning id, number
       ), i as (
         insert into "contactIdentities" ("companyId", kind, value, "contactId") select ${c}, 'phone', number, id from k
       )
       insert into schedules ("companyId", "contactId", "whatsappId", "userId", body, "sendAt")
       select ${c}, id, ${line}, ${benchServer.admin.id}, 'Hola {{firstName}}', now() + interval '3 seconds' from k`,
    )
    const late = async () => {
      const { rows } = await pool.query<{ written: number; left: number | null }>(
        `select extract(epoch from m."createdAt" - s."sendAt")::float8 as written,
           extract(epoch from p.at - s."sendAt")::float8 as left
         from schedules s join messages m on m.id = s."messageId"
         left join "sandboxMessages" p on p.id = m.wid and p."whatsappId" = ${line}`,
      )
      return { written: rows.map((row) => row.written), left: rows.flatMap((row) => row.left ?? []) }
    }
    const until = Date.now() + maxWaitMs
    let found = await late()
    for (; found.left.length < messages && Date.now() < until; found = await late()) await pause(500)
    const { written, left } = found
    return {
      [`${messages} scheduled for one moment: have left`]: left.length,
      [`${messages} scheduled for one moment: written p99 (s)`]: roundTo(percentile(written, 0.99)),
      [`${messages} scheduled for one moment: late p50 (s)`]: roundTo(percentile(left, 0.5)),
      [`${messages} scheduled for one moment: late p99 (s)`]: roundTo(percentile(left, 0.99)),
    }
  } finally {
    await pool.end()
    await benchServer.close()
  }
}
