import type { LineStatus } from '@recado/contract/connections'
import type { BacklogKind, BacklogStatus } from '@recado/contract/health/health'
import { sql } from 'kysely'
import { minutes } from '../../kernel/clock.ts'
import type { Deps } from '../../kernel/data/scope.ts'

/** Work that is due and waits longer than this is late. Campaigns send at their own pace. */
const lateAfterMs: Record<BacklogKind, number> = {
  events: 30_000,
  outbox: minutes(2),
  errands: minutes(10),
  jobs: minutes(1),
  webhooks: minutes(5),
  asks: minutes(2),
  schedules: minutes(2),
  campaigns: Number.POSITIVE_INFINITY,
}
/** The database is queried at most this often, for any number of viewers. */
const cacheTtlMs = 2000

type BacklogCounts = Record<BacklogKind, { count: number; held: number; oldest: string | null }>
export type Backlog = {
  waits: BacklogStatus[]
  statuses: { status: LineStatus; count: number }[]
  /** Jobs that failed permanently. */
  failedJobs: number
  aside: number
  restingHooks: number
  givenUp: number
}

/** Counted with partial indexes that contain only waiting rows. */
async function countBacklog(deps: Deps): Promise<Backlog> {
  const now = deps.clock.now()
  const { rows } = await sql<
    { counted: BacklogCounts; statuses: Backlog['statuses'] } & Omit<Backlog, 'waits' | 'statuses'>
  >`
    select json_build_object(
      'events', (select json_build_object('count', count(*), 'held', 0, 'oldest', min(j."receivedAt"))
        from journal j where j."processedAt" is null),
      'outbox', (select json_build_object(
          'count', count(*) filter (where o.goes), 'held', count(*) filter (where not o.goes), 'oldest', min(o.since) filter (where o.goes))
        from (
          select m."storedAt" as since, w.status = 'CONNECTED' and not m.later and m.error is null as goes
          from messages m join whatsapps w on w."companyId" = m."companyId" and w.id = m."whatsappId"
          where m.state in ('queued', 'sending')
        ) o),
      'errands', (select json_build_object(
          'count', count(*) filter (where e."notBefore" <= ${now} and w.status = 'CONNECTED'),
          'held', count(*) filter (where not (e."notBefore" <= ${now} and w.status = 'CONNECTED')),
          'oldest', min(e."notBefore") filter (where e."notBefore" <= ${now} and w.status = 'CONNECTED'))
        from "lineErrands" e join whatsapps w on w."companyId" = e."companyId" and w.id = e."whatsappId"),
      'jobs', (select json_build_object('count', j.due, 'held', j.later, 'oldest', j.oldest) from job_counts() j),
      'webhooks', (select json_build_object(
          'count', coalesce(sum(e.count) filter (where e.goes), 0), 'held', coalesce(sum(e.count) filter (where not e.goes), 0),
          'oldest', min(e.oldest) filter (where e.goes))
        from (
          select w.active and w."restsUntil" is null as goes, x.count, x.oldest from webhooks w cross join lateral (
            select count(*) as count, min(v.since) filter (where v."nextAt" is null) as oldest from "webhookEvents" v
            where v."companyId" = w."companyId" and v."webhookId" = w.id and v.state = 'waiting'
          ) x
        ) e),
      'asks', (select json_build_object(
          'count', count(*) filter (where a."notBefore" <= ${now}), 'held', count(*) filter (where a."notBefore" > ${now}),
          'oldest', min(a."notBefore") filter (where a."notBefore" <= ${now})) from asks a),
      'schedules', (select json_build_object(
          'count', count(*) filter (where s."waitsUntil" is null), 'held', count(*) filter (where s."waitsUntil" is not null),
          'oldest', min(s."sendAt") filter (where s."waitsUntil" is null))
        from schedules s where s.status in ('PENDENTE', 'AGENDADA') and s."messageId" is null and s."heldAt" is null
          and s."sendAt" <= ${now}),
      'campaigns', (select json_build_object(
          'count', coalesce(sum((c.counts ->> 'pending')::int) filter (where c.held is null), 0),
          'held', coalesce(sum((c.counts ->> 'pending')::int) filter (where c.held is not null), 0),
          'oldest', null)
        from campaigns c where c.status = 'EM_ANDAMENTO')
    ) as counted,
    (select coalesce(json_agg(json_build_object('status', s.status, 'count', s.count) order by s.status), '[]')
      from (select status, count(*) from whatsapps group by status) s) as statuses,
    (select j.failed from job_counts() j) as "failedJobs",
    (select count(*) from journal where error is not null) as aside,
    (select count(*) from webhooks where active and "restsUntil" is not null) as "restingHooks",
    (select coalesce(sum(g.count), 0) from webhooks w cross join lateral (
      select count(*) as count from "webhookEvents" e
      where e."companyId" = w."companyId" and e."webhookId" = w.id and e.state = 'given-up'
    ) g) as "givenUp"`.execute(deps.database.platform)
  const { counted, ...more } = rows[0] as (typeof rows)[number]
  const waits = (Object.keys(lateAfterMs) as BacklogKind[]).map((kind): BacklogStatus => {
    const { count, held, oldest } = counted[kind]
    const since = oldest === null ? null : new Date(oldest)
    const late = since !== null && now.getTime() - since.getTime() > lateAfterMs[kind]
    return { kind, count: Number(count), held: Number(held), oldest: since?.toISOString() ?? null, late }
  })
  const numbers = { aside: Number(more.aside), restingHooks: Number(more.restingHooks), givenUp: Number(more.givenUp) }
  return { ...more, ...numbers, waits }
}

/** The backlog of all companies, for the health page and Prometheus. */
export function makeBacklogReader(deps: Deps): () => Promise<Backlog> {
  let kept: { at: number; read: Promise<Backlog> } | undefined
  return () => {
    if (kept && performance.now() - kept.at < cacheTtlMs) return kept.read
    const made = { at: performance.now(), read: countBacklog(deps) }
    kept = made
    made.read.catch(() => {
      if (kept === made) kept = undefined
    })
    return made.read
  }
}
