import { dashboardApi } from '@recado/contract/dashboard/dashboard'
import { sumUp } from '../server/src/desk/figures/sums.ts'
import { openPlace, ownerOf, type Place, percentile, round } from './place.ts'

const zone = 'America/Sao_Paulo'
/** So many people look at the same time. */
const lookers = 4

/** A year of conversations, most of them by day; of every ten one is passed on, and of every five one ends with the bot. */
async function fill(place: Place, conversations: number): Promise<void> {
  const pool = ownerOf(place)
  const c = place.companyId
  const tickets = Math.round(conversations / 10)
  const people = await Promise.all(Array.from({ length: 20 }, (_, n) => place.agent(`Agent${conversations}x${n}`)))
  const anyone = `(array[${people.map(({ id }) => id)}])[1 + n % 20]`
  const sqls = [
    // The past is added up at once, from the legs.
    'alter table "ticketTracking" disable trigger leave_news',
    `insert into queues ("companyId", name, color) select ${c}, 'Queue ' || n, '#' || lpad(to_hex(n * 40503), 6, '0') from generate_series(1, 5) n`,
    `insert into whatsapps ("companyId", name) values (${c}, 'one'), (${c}, 'two')`,
    `insert into contacts ("companyId", name, number) select ${c}, 'Contact ' || n, '5511' || (900000000 + n) from generate_series(1, ${tickets}) n`,
    `insert into tickets ("companyId", "contactId", "whatsappId", status)
     select ${c}, k.id, w.id, case when k.id % 200 = 0 then 'open' when k.id % 400 = 1 then 'pending' else 'closed' end
     from contacts k cross join (select min(id) as id from whatsapps where "companyId" = ${c}) w where k."companyId" = ${c}`,
    `insert into "ticketTracking" ("companyId", "ticketId", "whatsappId", "queueId", "userId", "createdAt", "queuedAt", "startedAt", "finishedAt", "endedBy", "chatbotAt", began)
     select ${c}, t.id, w.ids[1 + n % 2], q.ids[1 + (n % 20) % 5], case when not bot then ${anyone} end, at, at,
       case when not bot then at + (n % 900) * interval '1 second' end, at + (n % 900 + n % 3000) * interval '1 second',
       case when n % 10 = 0 then 'transferred' else 'resolved' end, case when bot then at end, 'new'
     from (
       select n, n % 5 = 0 as bot, date_trunc('day', now()) - (n % 365) * interval '1 day' + (9 + (n * 7 % 100) * 0.13) * interval '1 hour' as at
       from generate_series(1, ${conversations}) n) x
     join (select id, row_number() over (order by id) - 1 as place from tickets where "companyId" = ${c}) t on t.place = n % ${tickets}
     cross join (select array_agg(id) as ids from whatsapps where "companyId" = ${c}) w
     cross join (select array_agg(id) as ids from queues where "companyId" = ${c}) q`,
    'alter table "ticketTracking" enable trigger leave_news',
    'vacuum analyze',
  ]
  for (const text of sqls) await pool.query(text)
  await pool.end()
}

type View = { name: string; query: Record<string, string | number> }

/** Four at once, each waiting for their answer; every time another day, so that nobody gets an answer made for another. */
async function look(place: Place, { query }: View, rounds: number): Promise<number[]> {
  const headers = { authorization: `Bearer ${place.admin.token}` }
  const times: number[] = []
  let asked = 0
  const one = async () => {
    while (asked < rounds) {
      const from = new Date(Date.now() - (364 - asked++) * 86_400_000).toISOString().slice(0, 10)
      const started = performance.now()
      const given = new URLSearchParams({ from, ...query } as Record<string, string>)
      const response = await fetch(`${place.address}${dashboardApi.view.path}?${given}`, { headers })
      await response.text()
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: lookers }, one))
  return times
}

async function measured(conversations: number) {
  const place = await openPlace()
  try {
    await fill(place, conversations)
    const started = performance.now()
    await sumUp(place.scope, zone)
    const made = performance.now() - started
    const pool = ownerOf(place)
    await pool.query('vacuum analyze figures, "figureSpread"')
    const first = async (table: string) =>
      (await pool.query<{ id: number }>(`select min(id) as id from ${table} where "companyId" = ${place.companyId}`))
        .rows[0]?.id as number
    const [queueId, userId, whatsappId] = [await first('queues'), (await first('users')) + 1, await first('whatsapps')]
    await pool.end()
    const views: View[] = [
      { name: 'a year, everything', query: { compare: 'true' } },
      { name: 'a year of one queue', query: { queueId } },
      { name: 'a year of one person', query: { userId } },
      { name: 'a year of one queue and line', query: { queueId, whatsappId } },
    ]
    const out = new Map<string, number[]>()
    for (const view of views) {
      await look(place, view, 8)
      out.set(view.name, await look(place, view, 60))
    }
    return { made, out }
  } finally {
    await place.close()
  }
}

/** The same views over a year with few conversations and over one with many. */
export async function figures(o: { small: number; large: number; limit: number }) {
  const few = await measured(o.small)
  const many = await measured(o.large)
  const lines = [...many.out].map(([name, times]): [string, string] => {
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
    const before = percentile(few.out.get(name) ?? [], 0.5)
    return [
      `${name}, of ${o.large} conversations`,
      `p50 ${round(p50)} ms, p99 ${round(p99)} ms (limit ${o.limit}); ${round(p50 / before, 2)} × that of ${o.small}`,
    ]
  })
  return { ...Object.fromEntries(lines), 'all sums made anew': `${round(many.made / 1000)} s` }
}
