import { setTimeout as pause } from 'node:timers/promises'
import type { Measurement } from './bench-report.ts'
import { percentile, roundTo } from './bench-server.ts'
import { openMeasuringWindows } from './measuring-windows.ts'
import { measureLoad, measureRawSelects, seedMessages } from './pages.ts'
import { type BenchUser, openSeparateServer, type SeparateServer } from './separate-server.ts'

/** Each user clicks five times a second. */
const clickMs = 200
/** Tickets whose priority changes while pages are measured: each is looked at again for every view. */
const changesPerSecond = 20

type Json = Record<string, unknown>
async function call<R>(
  { address }: SeparateServer,
  by: BenchUser,
  method: string,
  path: string,
  body?: Json,
): Promise<R> {
  const headers = { authorization: `Bearer ${by.token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${address}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as R
}

/** `exact`: the same conditions as SQL, for the admin. */
const viewBodies = (queueIds: number[], adminId: number): { name: string; conditions: Json; exact: string }[] => [
  {
    name: 'closed, two queues',
    exact: `status = 'closed' and "queueId" in (${queueIds})`,
    conditions: {
      match: 'all',
      of: [
        { field: 'status', in: ['closed'] },
        { field: 'queue', in: queueIds },
      ],
    },
  },
  {
    name: 'mine, waiting',
    exact: `status = 'open' and "userId" = ${adminId}`,
    conditions: {
      match: 'all',
      of: [
        { field: 'user', in: ['me'] },
        { field: 'status', in: ['open'] },
      ],
    },
  },
  {
    name: 'nested',
    exact: `status in ('open', 'pending') and (priority in (0, 1) or "queueId" is null or "queueId" not in (${queueIds}))`,
    conditions: {
      match: 'all',
      of: [
        { field: 'status', in: ['open', 'pending'] },
        {
          match: 'any',
          of: [
            { field: 'priority', in: ['urgent', 'high'] },
            { field: 'queue', in: queueIds, not: true },
          ],
        },
      ],
    },
  },
]

/** Waits until each view is complete; returns the counts. */
async function waitForCounts(apart: SeparateServer): Promise<number[]> {
  for (;;) {
    const path = '/ticket-views/counts'
    const { counts } = await call<{ counts: { count: number | null }[] }>(apart, apart.admin, 'GET', path)
    if (counts.every(({ count }) => count !== null)) return counts.map(({ count }) => count as number)
    await pause(200)
  }
}

/** How many views have the count that reading all tickets gives, once the last change was looked at. */
async function countExactViews(apart: SeparateServer, views: { exact: string }[]): Promise<number> {
  const pending = 'select 1 from "ticketViewChanges" where "companyId" = $1 limit 1'
  while ((await apart.pool.query(pending, [apart.companyId])).rows.length) await pause(100)
  const counts = await waitForCounts(apart)
  let exactViews = 0
  for (const [n, { exact }] of views.entries()) {
    const { rows } = await apart.pool.query<{ n: number }>(
      `select count(*)::int as n from tickets where "companyId" = $1 and "snoozedAt" is null and ${exact}`,
      [apart.companyId],
    )
    if (rows[0]?.n === counts[n]) exactViews++
  }
  return exactViews
}

/** Changes the priority of open tickets at a stated pace, until stopped. */
async function startChanges(apart: SeparateServer): Promise<() => Promise<void>> {
  const { rows } = await apart.pool.query<{ id: number }>(
    `select id from tickets where "companyId" = $1 and status = 'open' order by id limit 500`,
    [apart.companyId],
  )
  let isRunning = true
  const run = async () => {
    for (let n = 0; isRunning; n++) {
      const id = rows[n % rows.length]?.id
      const priority = n % 2 ? 1 : 2
      await apart.pool.query('update tickets set priority = $3 where "companyId" = $1 and id = $2', [
        apart.companyId,
        id,
        priority,
      ])
      await pause(1000 / changesPerSecond)
    }
  }
  const running = run()
  return async () => {
    isRunning = false
    await running
  }
}

/** Pages and counts of saved views, for users who click while tickets change. */
export async function benchViews(o: { tickets: number; messages: number; ms: number }): Promise<Measurement[]> {
  const apart = await openSeparateServer()
  const windows = await openMeasuringWindows(apart.pids)
  const part = `${o.tickets.toLocaleString('en')} tickets`
  const figures: Measurement[] = []
  try {
    await seedMessages(apart, o.messages, o.tickets)
    const { rows } = await apart.pool.query<{ id: number }>(
      'select id from queues where "companyId" = $1 order by id limit 2',
      [apart.companyId],
    )
    const views = viewBodies(
      rows.map(({ id }) => id),
      apart.admin.id,
    )
    const ids: number[] = []
    const began = performance.now()
    for (const { name, conditions } of views)
      ids.push((await call<{ id: number }>(apart, apart.admin, 'POST', '/ticket-views', { name, conditions })).id)
    const counts = await waitForCounts(apart)
    const filledPerSecond = (o.tickets * ids.length) / ((performance.now() - began) / 1000)
    const raw = await windows.measure(() => measureRawSelects(apart, o.ms))
    const limit = { name: 'raw selects/s', value: raw.result }
    figures.push(
      { part, name: 'raw select', value: raw.result, unit: '/s', better: 'more', taken: raw.stolenShare },
      { part, name: 'tickets looked at for new views', value: filledPerSecond, unit: '/s', better: 'more', limit },
    )
    const stopChanges = await startChanges(apart)
    const requests = [
      ...ids.map((id, n) => ({
        name: `view "${views[n]?.name}" (${counts[n]} tickets)`,
        user: apart.admin,
        paths: [1, 2].map((page) => `/tickets?viewId=${id}&pageNumber=${page}`),
      })),
      { name: 'counts of all views', user: apart.admin, paths: ['/ticket-views/counts'] },
    ]
    for (const asked of requests) {
      await measureLoad(apart.address, asked, Math.min(1500, o.ms), clickMs)
      const clicks = await windows.measure(() => measureLoad(apart.address, asked, o.ms, clickMs))
      const { delays } = clicks.result
      figures.push({
        part,
        name: asked.name,
        of: 'at five clicks a second, p99',
        value: percentile(delays, 0.99),
        unit: ' ms',
        better: 'less',
        aim: 50,
        note: `p50 ${roundTo(percentile(delays, 0.5))} ms, or ${roundTo((percentile(delays, 0.99) * raw.result) / 1000)} raw selects`,
        taken: clicks.stolenShare,
      })
    }
    await stopChanges()
    const exactViews = await countExactViews(apart, views)
    figures.push({
      part,
      name: 'counts that are exact afterwards',
      value: exactViews,
      unit: ` of ${views.length}`,
      better: 'more',
    })
    return figures
  } finally {
    await windows.close()
    await apart.close()
  }
}
