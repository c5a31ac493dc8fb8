import type { Reply } from '@recado/contract/endpoint'
import { routingApi } from '@recado/contract/routing/live'
import { canSeeAllTickets } from '@recado/contract/visibility'
import { sql } from 'kysely'
import type { z } from 'zod'
import { currentViewer } from '../../desk/tickets/base/visibility.ts'
import { days } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/routes.ts'
import { type AttendedTicket, findPresence, joinPresence, type ReplayPerson, replayTickets } from './replay.ts'

type WhatIfQuery = z.output<typeof routingApi.whatIf.query>
type WhatIfReply = Reply<typeof routingApi.whatIf>

const replayedMs = days(30)
/** With more tickets only the newest are replayed, which is a shorter time. */
const maxTicketsReplayed = 10_000
const maxPeopleReplayed = 100

let lastReplay: Promise<unknown> = Promise.resolve()
/** One replay of the process at a time: the others wait, so that replays never take more than a share of its time. */
function replayInTurn(scope: Scope, query: WhatIfQuery): Promise<WhatIfReply> {
  const reply = lastReplay.then(() => replayLastMonth(scope, query))
  lastReplay = reply.catch(() => {})
  return reply
}

/** The last month of a queue, replayed with other rules or more people. */
async function replayLastMonth(scope: Scope, query: WhatIfQuery): Promise<WhatIfReply> {
  const queue = await findOwnQueue(scope, query.queueId)
  const tickets = await listAttended(scope, queue.id)
  const people = await listPeople(scope, tickets)
  const known = new Set(people.map(({ id }) => id))
  const replayed = tickets.filter(({ userId }) => known.has(userId))
  const more = Array.from({ length: query.people }, (_, n): ReplayPerson => {
    return { id: -1 - n, capacity: null, presence: joinPresence(people.map(({ presence }) => presence)) }
  })
  const changed = {
    routing: query.routing ?? queue.routing,
    capacity: query.capacity === undefined ? queue.capacity : query.capacity,
  }
  const from = replayed[0]?.queuedAt
  return {
    from: from === undefined ? null : new Date(from).toISOString(),
    ticketCount: replayed.length,
    peopleCount: people.length,
    isShortened: tickets.length === maxTicketsReplayed,
    actual: summarizeWaits(replayed.map(({ queuedAt, startedAt }) => startedAt - queuedAt)),
    before: queue.routing === 'manual' ? null : summarizeWaits(await replayTickets(replayed, people, queue)),
    after:
      changed.routing === 'manual'
        ? null
        : summarizeWaits(await replayTickets(replayed, [...people, ...more], changed)),
  }
}

/** The queue, if the caller leads in it. */
async function findOwnQueue(scope: Scope, id: number) {
  const viewer = currentViewer(scope)
  const queue = await scope.db
    .selectFrom('queues')
    .select(['id', 'routing', 'capacity'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .executeTakeFirst()
  const isOwn = viewer && (canSeeAllTickets(viewer) || viewer.queueIds.includes(id))
  if (!queue || !isOwn) throw new AppError('ERR_QUEUE_NOT_FOUND')
  return queue
}

/** The tickets that waited in the queue and were attended and ended in the last month, oldest first. */
async function listAttended(scope: Scope, queueId: number): Promise<AttendedTicket[]> {
  const since = new Date(scope.now().getTime() - replayedMs)
  const ms = (column: string) => sql.raw(`(extract(epoch from s."${column}") * 1000)::float8 as "${column}"`)
  const { rows } = await sql<AttendedTicket>`
    select ${ms('queuedAt')}, ${ms('startedAt')}, ${ms('finishedAt')}, s."userId", greatest(t."tagWeight", q.weight) as weight
    from "ticketTracking" s
    join tickets t on t."companyId" = s."companyId" and t.id = s."ticketId"
    join queues q on q."companyId" = s."companyId" and q.id = s."queueId"
    where s."companyId" = ${scope.companyId} and s."queueId" = ${queueId} and s."finishedAt" >= ${since}
      and s."startedAt" is not null and s."queuedAt" is not null and s."userId" is not null
    order by s."finishedAt" desc limit ${sql.lit(maxTicketsReplayed)}`.execute(scope.db)
  return rows.sort((a, b) => a.queuedAt - b.queuedAt)
}

/** The people who attended these tickets, with when they were there. */
async function listPeople(scope: Scope, tickets: AttendedTicket[]): Promise<ReplayPerson[]> {
  const presence = findPresence(tickets)
  if (presence.size === 0) return []
  const rows = await scope.db
    .selectFrom('users')
    .select(['id', 'capacity'])
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', [...presence.keys()])
    .orderBy('id')
    .limit(maxPeopleReplayed)
    .execute()
  return rows.map((row) => ({ ...row, presence: presence.get(row.id) ?? [] }))
}

function summarizeWaits(waits: (number | null)[]): WhatIfReply['actual'] {
  const known = waits.filter((ms) => ms !== null).sort((a, b) => a - b)
  if (known.length === 0) return null
  const secondsAt = (share: number) => Math.round((known[Math.ceil(known.length * share) - 1] ?? 0) / 1000)
  return { medianSeconds: secondsAt(0.5), p90Seconds: secondsAt(0.9), unattendedCount: waits.length - known.length }
}

export const whatIfRoutes = [
  // Without a transaction: the replay needs no connection.
  route(routingApi.whatIf, (scope, { query }) => replayInTurn(scope, query), { transaction: false }),
]
