import { setTimeout as pause } from 'node:timers/promises'
import { openPlace, ownerOf, type Place, percentile, round } from './place.ts'

async function ask(place: Place, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${place.admin.token}`, 'content-type': 'application/json' }
  const answer = await fetch(place.address + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

/** A test line that is connected. */
async function testLine(place: Place): Promise<number> {
  const { id } = await ask(place, 'POST', '/whatsapp', { name: 'bench', provider: 'sandbox' })
  await ask(place, 'POST', `/sandbox/${id}/scan`)
  while ((await ask(place, 'GET', `/whatsapp/${id}`)).status !== 'CONNECTED') await pause(50)
  return Number(id)
}

/** How late messages leave that are all due at the same moment, in seconds. */
export async function schedules({ messages }: { messages: number }): Promise<Record<string, unknown>> {
  const place = await openPlace()
  const pool = ownerOf(place)
  try {
    const line = await testLine(place)
    const c = place.companyId
    await pool.query(
      `with k as (
         insert into contacts ("companyId", name, number)
         select ${c}, 'Contact ' || n, '5511' || (900000000 + n) from generate_series(1, ${messages}) n returning id, number
       ), i as (
         insert into "contactIdentities" ("companyId", kind, value, "contactId") select ${c}, 'phone', number, id from k
       )
       insert into schedules ("companyId", "contactId", "whatsappId", "userId", body, "sendAt")
       select ${c}, id, ${line}, ${place.admin.id}, 'Hola {{firstName}}', now() + interval '3 seconds' from k`,
    )
    const left = async () => {
      const { rows } = await pool.query<{ late: number }>(
        `select extract(epoch from p.at - s."sendAt")::float8 as late from schedules s
         join messages m on m.id = s."messageId" join "sandboxMessages" p on p.id = m.wid and p."whatsappId" = ${line}`,
      )
      return rows.map(({ late }) => late)
    }
    let late = await left()
    for (; late.length < messages; late = await left()) await pause(500)
    return {
      [`${messages} scheduled for one moment: late p50 (s)`]: round(percentile(late, 0.5)),
      [`${messages} scheduled for one moment: late p99 (s)`]: round(percentile(late, 0.99)),
    }
  } finally {
    await pool.end()
    await place.close()
  }
}
