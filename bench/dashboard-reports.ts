import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dashboardApi } from '@recado/contract/dashboard/dashboard'
import type pg from 'pg'
import { updateSums } from '../server/src/desk/reports/sums.ts'
import type { Measurement } from './bench-report.ts'
import { type BenchServer, openBenchServer, openOwnerPool, percentile, roundTo } from './bench-server.ts'
import { openMeasuringWindows } from './measuring-windows.ts'
import { childPids } from './separate-server.ts'

const zone = 'America/Sao_Paulo'
/** Parallel viewers, each with one request every `everyMs` milliseconds: updates are not published more often. */
const readerCount = 4
const everyMs = 1000
/** How many seconds each view is measured, and how many seconds the raw query of its rows. */
const seconds = 12
const rawSeconds = 3

type Ids = { queues: number[]; lines: number[]; people: number[]; tags: number[] }

/** Creates a company in operation, without history. */
async function seedCompany(benchServer: BenchServer, pool: pg.Pool): Promise<Ids> {
  const c = benchServer.companyId
  const people = await Promise.all(Array.from({ length: 20 }, (_, n) => benchServer.addAgent(`Agent${n}`)))
  const ids = async (text: string) => (await pool.query<{ id: number }>(text)).rows.map(({ id }) => id)
  const queues = await ids(
    `insert into queues ("companyId", name, color) select ${c}, 'Queue ' || n, '#' || lpad(to_hex(n * 40503), 6, '0') from generate_series(1, 5) n returning id`,
  )
  const lead = await benchServer.addAgent('Lead')
  await pool.query(`update users set profile = 'supervisor' where id = ${lead.id}`)
  await pool.query(
    `insert into "userQueues" ("companyId", "userId", "queueId") select ${c}, ${lead.id}, q from unnest(array[${queues.slice(0, 2)}]) q`,
  )
  return {
    ...{ queues, people: people.map(({ id }) => id) },
    lines: await ids(`insert into whatsapps ("companyId", name) values (${c}, 'one'), (${c}, 'two') returning id`),
    tags: await ids(
      `insert into tags ("companyId", name, color) select ${c}, 'Tag ' || n, '#112233' from generate_series(1, 20) n returning id`,
    ),
  }
}

/**
 * Creates a year of conversations, numbered within a range, most of them during the day. One in ten is transferred,
 * and one in five ends with the bot. Every ten conversations belong to one ticket, which has one of the tags; every
 * second ticket also has the first tag. It uses few statements and no triggers: the reports of the past are computed
 * from the segments at the end.
 */
async function seedConversations(
  benchServer: BenchServer,
  pool: pg.Pool,
  { queues, lines, people, tags }: Ids,
  from: number,
  to: number,
) {
  const c = benchServer.companyId
  /** SQL that picks one of these ids, pseudo-randomly but the same on every run. */
  const any = (ids: number[], by: string) => `(array[${ids}])[1 + abs(hashtext(n || '${by}') % ${ids.length})]`
  const tickets = `generate_series(${from} / 10 + 1, ${to} / 10) n`
  const sqls = [
    'alter table "ticketTracking" disable trigger user',
    'alter table "ticketTags" disable trigger user',
    `insert into contacts ("companyId", name, number) select ${c}, 'Contact ' || n, '5511' || (900000000 + n) from ${tickets}`,
    `insert into tickets ("companyId", "contactId", "whatsappId", status)
     select ${c}, k.id, ${lines[0]}, case when k.id % 200 = 0 then 'open' when k.id % 400 = 1 then 'pending' else 'closed' end
     from contacts k where k."companyId" = ${c} and not exists (select from tickets t where t."companyId" = ${c} and t."contactId" = k.id)`,
    `insert into "ticketTracking" ("companyId", "ticketId", "whatsappId", "queueId", "userId", "createdAt", "queuedAt", "startedAt", "finishedAt", "endedBy", "chatbotAt", began)
     select ${c}, t.id, ${any(lines, 'line')}, ${any(queues, 'queue')}, case when not bot then ${any(people, 'person')} end, at, at,
       case when not bot then at + (n % 900) * interval '1 second' end, at + (n % 900 + n % 3000) * interval '1 second',
       case when n % 10 = 0 then 'transferred' else 'resolved' end, case when bot then at end, 'new'
     from (
       select n, n % 5 = 0 as bot, date_trunc('day', now()) - (n % 365) * interval '1 day' + (9 + (n * 7 % 100) * 0.13) * interval '1 hour' as at
       from generate_series(${from + 1}, ${to}) n) x
     join (select id, row_number() over (order by id) - 1 as place from tickets where "companyId" = ${c}) t on t.place = n % (${to} / 10)`,
    `insert into "ticketTags" ("companyId", "ticketId", "tagId")
     select ${c}, t.id, tag from tickets t cross join lateral (
       select (array[${tags}])[1 + t.id % ${tags.length}] union select ${tags[0]} where t.id % 2 = 0) w (tag)
     where t."companyId" = ${c} on conflict do nothing`,
    'alter table "ticketTags" enable trigger user',
    'alter table "ticketTracking" enable trigger user',
    `delete from "figureCalendars" where "companyId" = ${c}`,
    `delete from "figureTagCalendars" where "companyId" = ${c}`,
    'vacuum analyze',
  ]
  for (const text of sqls) await pool.query(text)
}

/**
 * Each viewer sends requests at a fixed pace, whether the previous answer has arrived or not. Each request is for
 * another day, so that no cached answer is used.
 */
async function measureAtPace(seconds: number, ask: (from: string) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const looks: Promise<void>[] = []
  const one = async (from: string) => {
    const started = performance.now()
    await ask(from)
    times.push(performance.now() - started)
  }
  const all = readerCount * seconds
  for (let n = 0; n < all; n++) {
    looks.push(one(new Date(Date.now() - (364 - n) * 86_400_000).toISOString().slice(0, 10)))
    await new Promise((resolve) => setTimeout(resolve, everyMs / readerCount))
  }
  await Promise.all(looks)
  return times
}

/**
 * The viewer is an admin unless `token` is given. `side` selects the rows of the raw query; with a tag, the rows of
 * that tag.
 */
type View = { name: string; query: Record<string, string | number>; side: string; token?: string }

async function measureViews(benchServer: BenchServer, pool: pg.Pool, { queues, lines, people, tags }: Ids) {
  const started = performance.now()
  await updateSums(benchServer.scope, zone)
  const made = performance.now() - started
  await pool.query('vacuum analyze "figureCells", "figureTagCells"')
  const tokenOf = async (name: string) => (await benchServer.login(name)).token
  const [admin, lead, agent] = [await tokenOf('Ana'), await tokenOf('Lead'), await tokenOf('Agent0')]
  const [queueId, userId, whatsappId] = [queues[0] as number, people[0] as number, lines[0] as number]
  const tagId = tags[0] as number
  const views: View[] = [
    { name: 'a year, everything', query: { compare: 'true' }, side: `side = 0` },
    { name: 'a year of one queue', query: { queueId }, side: `side = 1 and "queueId" = ${queueId}` },
    { name: 'a year of one person', query: { userId }, side: `side = 2 and "userId" = ${userId}` },
    {
      name: 'a year of one queue and line',
      query: { queueId, whatsappId },
      side: `side = 5 and "queueId" = ${queueId} and "whatsappId" = ${whatsappId}`,
    },
    {
      name: 'a year of a tag on half of all',
      query: { tagId, compare: 'true' },
      side: `"tagId" = ${tagId} and side = 0`,
    },
    {
      name: 'a year of that tag in one queue',
      query: { tagId, queueId },
      side: `"tagId" = ${tagId} and side = 1 and "queueId" = ${queueId}`,
    },
    {
      name: 'a year of that tag, one queue and line',
      query: { tagId, queueId, whatsappId },
      side: `"tagId" = ${tagId} and side = 7 and "queueId" = ${queueId} and "whatsappId" = ${whatsappId}`,
    },
    {
      ...{ name: 'a year, for who leads two queues', query: { compare: 'true' }, token: lead },
      side: `side = 1 and "queueId" in (${queues.slice(0, 2)})`,
    },
    {
      ...{ name: 'a year, for an agent', query: { compare: 'true' }, token: agent },
      side: `side = 2 and "userId" = ${userId}`,
    },
  ]
  const postmaster = Number(readFileSync(join(benchServer.dataDir, 'cluster/postmaster.pid'), 'utf8').split('\n')[0])
  const windows = await openMeasuringWindows(() => [postmaster, ...childPids(postmaster)])
  const out = new Map<string, { view: number[]; raw: number[]; taken: number }>()
  for (const { name, query, side, token = admin } of views) {
    const headers = { authorization: `Bearer ${token}` }
    const table = 'tagId' in query ? 'figureTagCells' : 'figureCells'
    const ask = async (from: string) => {
      const given = new URLSearchParams({ from, ...query } as Record<string, string>)
      const response = await fetch(`${benchServer.address}${dashboardApi.view.path}?${given}`, { headers })
      if (!response.ok) throw new Error(`${name}: ${response.status}`)
      await response.text()
    }
    // The minimum that any answer has to read: the rows of its days.
    const raw = (from: string) =>
      pool.query(
        `select day, came, resolved, waits, "waitSeconds", talks, "talkSeconds" from "${table}"
         where "companyId" = $1 and grain = 'day' and day >= $2 and ${side}`,
        [benchServer.companyId, from],
      )
    for (let n = 0; n < 6; n++) await Promise.all([ask(`2025-12-0${n + 1}`), raw(`2025-12-0${n + 1}`)])
    const least = await measureAtPace(rawSeconds, raw)
    const { result, stolenShare: taken } = await windows.measure(() => measureAtPace(seconds, ask))
    out.set(name, { raw: least, view: result, taken })
  }
  await windows.close()
  return { made, out }
}

/** Compares the size of the report tables with the size of their source. */
async function measureTableSizes(pool: pg.Pool): Promise<Measurement[]> {
  const { rows } = await pool.query<{ name: string; mb: number }>(
    `select name, round(pg_total_relation_size(format('%I', name)) / 1e6)::int as mb
     from unnest(array['ticketTracking', 'figureCells', 'figureTagCells']) name`,
  )
  return rows.map(({ name, mb }) => ({ part: 'figures', name, of: 'size', value: mb, unit: ' MB', better: 'less' }))
}

/** Measures the same views over a year with few and with many conversations, on one server. `--million`: with a million. */
export async function benchReports(o: { small: number; large: number; aim: number }): Promise<Measurement[]> {
  const benchServer = await openBenchServer()
  const pool = openOwnerPool(benchServer)
  try {
    const ids = await seedCompany(benchServer, pool)
    await seedConversations(benchServer, pool, ids, 0, o.small)
    const few = await measureViews(benchServer, pool, ids)
    await seedConversations(benchServer, pool, ids, o.small, o.large)
    const many = await measureViews(benchServer, pool, ids)
    const found = [...many.out].map(([name, { view, raw, taken }]): Measurement => {
      const [p50, p99] = [percentile(view, 0.5), percentile(view, 0.99)]
      const [less, least] = [percentile(few.out.get(name)?.view ?? [], 0.5), percentile(raw, 0.5)]
      const note = `p50 ${roundTo(p50)} ms: ${roundTo(p50 / least)} × its plain rows (${roundTo(least)} ms), ${roundTo(p50 / less, 2)} × that of ${o.small}`
      return {
        ...{ part: 'figures', name, of: 'p99', value: roundTo(p99), unit: ' ms', better: 'less', aim: o.aim },
        note,
        taken,
      }
    })
    const made = roundTo(many.made / 1000)
    return [
      ...found,
      {
        part: 'figures',
        name: `all sums of ${o.large} conversations made anew`,
        value: made,
        unit: ' s',
        better: 'less',
      },
      ...(await measureTableSizes(pool)),
    ]
  } finally {
    await pool.end()
    await benchServer.close()
  }
}
