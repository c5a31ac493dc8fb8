import type { Reply } from '@recado/contract/endpoint'
import type { RoutingMode } from '@recado/contract/queues'
import {
  type LivePerson,
  type LiveTicket,
  liveLimits,
  routingApi,
  type WaitingTicket,
  type WaitReason,
} from '@recado/contract/routing/live'
import { canSeeAllTickets } from '@recado/contract/visibility'
import { type RawBuilder, sql } from 'kysely'
import { indexPathsTo, ticketOrders, walkIndexPathsSql } from '../../desk/tickets/base/index-paths.ts'
import { ticketShape, withPictureUrls } from '../../desk/tickets/base/ticket-view.ts'
import { canSeeTicketSql, currentViewer, type Viewer } from '../../desk/tickets/base/visibility.ts'
import { joinTicketsSql } from '../../desk/tickets/cards.ts'
import { tallySumSql, ticketTalliesSql } from '../../desk/tickets/ticket-tallies.ts'
import { hideIdFromPlanner, hideIdsFromPlanner, keepPrepared, literalLimit } from '../../kernel/data/keep-prepared.ts'
import { type JsonRows, makeShapedRows, timestampLeaf } from '../../kernel/data/row-shape.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { route } from '../../kernel/http/routes.ts'
import { findObstacle, findServedNeeds, type RoutableAgent, type TicketNeeds } from './choose-agent.ts'
import { offeredPlacesSql } from './queue-agents.ts'
import { combineNeeds, listSkills, type QueueNeeds, type StoredNeeds } from './ticket-needs.ts'

type LiveReply = Reply<typeof routingApi.live>
type LiveQueue = QueueNeeds & { id: number; routing: RoutingMode; capacity: number | null }
/**
 * A person with the queues of this view they work in. `seen`: how many of their open tickets the viewer sees;
 * `offeredPlaces`: what the tickets take that are offered to them.
 */
type LiveMember = Omit<RoutableAgent, 'routedAt'> &
  Pick<LivePerson, 'availabilityReason' | 'availabilitySince' | 'queueIds'> & {
    open: number
    seen: number
    offeredPlaces: number
  }

/** How many people are read to say what tickets wait for; a plan allows fewer. */
const maxPeopleRead = 5000

const cardShape = {
  id: ticketShape.id,
  uuid: ticketShape.uuid,
  number: ticketShape.number,
  contact: { id: 'c.id', name: 'c.name', profilePicUrl: 'c."profilePicUrl"' },
  isGroup: ticketShape.isGroup,
  queue: ticketShape.queue,
  priority: ticketShape.priority,
  unreadMessages: ticketShape.unreadMessages,
  waitingSince: ticketShape.waitingSince,
  updatedAt: ticketShape.updatedAt,
  goals: ticketShape.goals,
}
const waitingShaped = makeShapedRows<WaitingRow>({
  ...cardShape,
  ...{ tagWeight: 't."tagWeight"', skillIds: 'to_json(t."skillIds")', languageSkillId: 't."languageSkillId"' },
  routableSince: timestampLeaf('t."routableSince"'),
  passed: '(o."ticketId" is not null and o."userId" is null)',
  offer: { userName: 'a.name', dueAt: timestampLeaf('o."dueAt"') },
})
const heldShaped = makeShapedRows<LiveTicket & { userId: number }>({ ...cardShape, userId: 't."userId"' })
const cardJoins = sql.raw(`
  join contacts c on c."companyId" = t."companyId" and c.id = t."contactId"
  left join queues q on q."companyId" = t."companyId" and q.id = t."queueId"`)
const offerJoins = sql.raw(`
  left join "ticketOffers" o on o."companyId" = t."companyId" and o."ticketId" = t.id
  left join users a on a."companyId" = o."companyId" and a.id = o."userId"`)

/** Who waits, who is there and who attends whom: what a supervisor or an admin sees of the desk at this moment. */
async function readLivePage(scope: Scope, queueIds: number[] | undefined): Promise<LiveReply> {
  const viewer = currentViewer(scope)
  const now = scope.now().toISOString()
  if (!viewer) return { now, ...emptyPage }
  const view = { viewer, queueIds: queueIds?.length ? queueIds : undefined }
  const queues = await listQueues(scope, view)
  const [counts, members, waiting] = [
    await countTickets(scope, view),
    await listMembers(scope, view, queues),
    await listWaiting(scope, view),
  ]
  const shown = members.toSorted(byPresence).slice(0, liveLimits.people)
  const held = await listHeldTickets(scope, view, shown)
  const describe = await makeDescription(scope, queues, members)
  return {
    now,
    ...counts,
    peopleCount: members.length,
    availableCount: members.filter((one) => one.online && one.availability === 'available' && one.onShift).length,
    waiting: waiting.map((row) => toWaitingTicket(row, describe)),
    people: shown.map((one) => toLivePerson(one, queues, held.get(one.id) ?? [])),
  }
}
const emptyPage = {
  ...{ waitingCount: 0, oldestSince: null, openCount: 0, peopleCount: 0, availableCount: 0 },
  ...{ waiting: [], people: [] },
}

type LiveView = { viewer: Viewer; queueIds: number[] | undefined }

/** Tickets `t` that the viewer sees and the query asks for. */
function isShownSql({ viewer, queueIds }: LiveView): RawBuilder<unknown> {
  const inQueues = queueIds ? sql`((t."queueId" = any(${hideIdsFromPlanner(queueIds)})) is true)` : sql`true`
  return sql`t."companyId" = ${hideIdFromPlanner(viewer.companyId)} and ${canSeeTicketSql(viewer)} and ${inQueues}`
}

/** The queues of the view: for supervisors their own. */
async function listQueues(scope: Scope, { viewer, queueIds }: LiveView): Promise<LiveQueue[]> {
  const all = await scope.db
    .selectFrom('queues')
    .select(['id', 'routing', 'capacity', 'weight', 'skillIds', 'asksLanguage', 'skillTimeoutMinutes'])
    .where('companyId', '=', scope.companyId)
    .execute()
  const isOwn = ({ id }: LiveQueue) => canSeeAllTickets(viewer) || viewer.queueIds.includes(id)
  return all.filter((queue) => isOwn(queue) && (queueIds?.includes(queue.id) ?? true))
}

/** From the counts that the database maintains, so that nothing is counted. */
async function countTickets(
  scope: Scope,
  view: LiveView,
): Promise<Pick<LiveReply, 'waitingCount' | 'oldestSince' | 'openCount'>> {
  const isWaiting = sql`t.status = 'pending' and t."userId" is null and t."snoozedAt" is null`
  const { rows } = await sql<{ waiting: number; open: number; oldest: Date | string | null }>`${keepPrepared}
    select c.waiting, c.open, (
      select min(x."routableSince") from generate_series(0, 3) p(priority) cross join lateral (
        ${walkLineSql(view, sql`t."routableSince"`, { where: sql`t.priority = p.priority`, limit: 1 })}) x) as oldest
    from (select ${tallySumSql(isWaiting)} as waiting, ${tallySumSql(sql`t.status = 'open'`)} as open
      from ${ticketTalliesSql(scope)} where ${isShownSql(view)}) c`.execute(scope.db)
  const { waiting = 0, open = 0, oldest = null } = rows[0] ?? {}
  return { waitingCount: waiting, openCount: open, oldestSince: oldest && new Date(oldest).toISOString() }
}

/**
 * The tickets that wait for an agent, in the order of assignment: of all queues by one index, of some queues by the
 * index of each.
 */
function walkLineSql(
  view: LiveView,
  columns: RawBuilder<unknown>,
  { where, limit }: { where: RawBuilder<unknown>; limit: number },
): RawBuilder<unknown> {
  const { viewer, queueIds } = view
  const walk = (inQueue: RawBuilder<unknown>) => sql`select ${columns} from tickets t
    where ${isShownSql(view)} and t."routableSince" is not null and ${inQueue} and ${where}
    order by t.priority, t."routableSince", t.id ${literalLimit(limit)}`
  if (canSeeAllTickets(viewer) && !queueIds) return walk(sql`true`)
  const ids = canSeeAllTickets(viewer) ? (queueIds ?? []) : viewer.queueIds
  return sql`select l.* from unnest(${ids}::int[]) as line(id) cross join lateral (${walk(sql`t."queueId" = line.id`)}) l`
}

/** The first waiting tickets: those that wait for an agent in the order of assignment, then all others. */
async function listWaiting(scope: Scope, view: LiveView): Promise<WaitingRow[]> {
  const limit = liveLimits.waiting
  const inLine = walkLineSql(view, sql`t.id, t.priority, t."routableSince"`, { where: sql`true`, limit })
  const line = sql`select t.id, row_number() over (order by t.priority, t."routableSince", t.id) as place
    from (${inLine}) t order by place ${literalLimit(limit)}`
  const first = await readWaiting(scope, line)
  if (first.length >= limit) return first
  const { viewer, queueIds } = view
  const others = walkIndexPathsSql(
    {
      indexPaths: indexPathsTo(viewer, { statuses: ['pending'], includesOtherAgents: true, queueIds }),
      filter: sql`${isShownSql(view)} and t."userId" is null and t."snoozedAt" is null and t."routableSince" is null`,
      order: ticketOrders.waiting,
    },
    limit - first.length,
  )
  const rest = sql`select t.id, row_number() over (order by ${ticketOrders.waiting.exact}) as place from (${others}) t
    order by place ${literalLimit(limit - first.length)}`
  return [...first, ...(await readWaiting(scope, rest))]
}
async function readWaiting(scope: Scope, places: RawBuilder<unknown>) {
  const rows = sql`select ${waitingShaped.cells} from (${places}) p ${joinTicketsSql(scope, sql`p.id`)} ${cardJoins} ${offerJoins}
    order by p.place`
  const { rows: found } = await sql<{ page: JsonRows }>`select ${waitingShaped.aggregate(rows)} as page`.execute(
    scope.db,
  )
  return withPictureUrls(scope, waitingShaped.read(found[0]?.page))
}

/**
 * The active people who work in these queues or attend a ticket that the viewer sees. Somebody whose browser reloads is
 * still there, as in every other list: no event would correct the page.
 */
async function listMembers(scope: Scope, view: LiveView, queues: LiveQueue[]): Promise<LiveMember[]> {
  const company = hideIdFromPlanner(scope.companyId)
  const { rows } = await sql<LiveMember>`${keepPrepared}
    select u.id, u.name, u.online, u.availability, u."availabilityReason", u."availabilitySince", u."onShift", u."skillIds", u.capacity,
      coalesce(m.ids, '{}') as "queueIds", coalesce(h.open, 0)::int as open, coalesce(h.places, 0)::int as places, coalesce(h.seen, 0)::int as seen, coalesce(o.places, 0)::int as "offeredPlaces"
    from users u
    left join (
      select m."userId", array_agg(m."queueId" order by m."queueId") as ids from "userQueues" m
      where m."companyId" = ${company} and m."queueId" = any(${queues.map(({ id }) => id)}::int[]) group by m."userId"
    ) m on m."userId" = u.id
    left join (
      select t."userId", sum(t.n) as open, sum(t.n * greatest(t."tagWeight", coalesce(q.weight, 1))) as places, sum(t.n) filter (where ${isShownSql(view)}) as seen
      from ${ticketTalliesSql(scope)} left join queues q on q."companyId" = ${company} and q.id = t."queueId"
      where t.status = 'open' group by t."userId"
    ) h on h."userId" = u.id
    left join (${offeredPlacesSql(scope)}) o on o."userId" = u.id
    where u."companyId" = ${company} and u.active and (m.ids is not null or h.seen > 0)
    order by u.name, u.id ${literalLimit(maxPeopleRead)}`.execute(scope.db)
  return rows
}

/** Those who can take a ticket first, those who are not there last. */
const presenceRank = ({ online, availability, onShift }: LiveMember): number =>
  !online || availability === 'away' ? 2 : availability === 'break' || !onShift ? 1 : 0
const byPresence = (a: LiveMember, b: LiveMember): number => presenceRank(a) - presenceRank(b)

/** The first open tickets of each person: those whose customers wait for an answer first. */
async function listHeldTickets(
  scope: Scope,
  view: LiveView,
  people: LiveMember[],
): Promise<Map<number, (LiveTicket & { userId: number })[]>> {
  const ids = people.filter(({ seen }) => seen > 0).map(({ id }) => id)
  if (!ids.length) return new Map()
  const rows = sql`select ${heldShaped.cells} from unnest(${ids}::int[]) with ordinality as holder(id, place)
    cross join lateral (
      select t.* from tickets t where ${isShownSql(view)} and t."userId" = holder.id and t.status = 'open'
      order by t."waitingSince" ${literalLimit(liveLimits.ticketsPerPerson)}
    ) t ${cardJoins} order by holder.place, t."waitingSince", t."updatedAt" desc`
  const { rows: found } = await sql<{ page: JsonRows }>`select ${heldShaped.aggregate(rows)} as page`.execute(scope.db)
  return Map.groupBy(withPictureUrls(scope, heldShaped.read(found[0]?.page)), ({ userId }) => userId)
}

/** What a ticket waits for: decided by the same function that assigns it. The answer is kept per queue and needs. */
async function makeDescription(scope: Scope, queues: LiveQueue[], members: LiveMember[]) {
  const skills = await listSkills(scope)
  const queueById = new Map(queues.map((queue) => [queue.id, queue]))
  const agentsByQueue = new Map(queues.map(({ id }) => [id, members.filter(({ queueIds }) => queueIds.includes(id))]))
  const known = new Map<string, WaitReason>()
  return (queueId: number, stored: StoredNeeds): { reason: WaitReason; skills: string[] } => {
    const queue = queueById.get(queueId)
    if (!queue || queue.routing === 'manual') return { reason: 'manual', skills: [] }
    const needs = combineNeeds(queue, stored, skills, scope.now())
    const key = JSON.stringify([queueId, needs])
    const reason = known.get(key) ?? describeWait(queue, agentsByQueue.get(queueId) ?? [], needs)
    known.set(key, reason)
    return { reason, skills: needs.skills.map(({ name }) => name) }
  }
}
type Description = Awaited<ReturnType<typeof makeDescription>>

function describeWait(queue: LiveQueue, members: LiveMember[], needs: TicketNeeds): WaitReason {
  if (!members.length) return 'nobody'
  const rules = { ...queue, lastAgentFirst: false, ownerFirst: false }
  const agents = members.map(
    ({ places, offeredPlaces, ...member }): RoutableAgent => ({
      ...member,
      places: places + offeredPlaces,
      routedAt: null,
    }),
  )
  if (findServedNeeds(agents, rules, needs)) return 'next'
  const obstacles = new Set(agents.map((agent) => findObstacle(agent, rules, needs)))
  return (['full', 'unskilled'] as const).find((obstacle) => obstacles.has(obstacle)) ?? 'unavailable'
}

type WaitingRow = LiveTicket &
  Omit<StoredNeeds, 'routableSince'> & {
    routableSince: string | null
    /** All agents who are free have passed it. */
    passed: boolean
    offer: WaitingTicket['offer']
  }
function toWaitingTicket(
  { routableSince, tagWeight, skillIds, languageSkillId, passed, offer, ...ticket }: WaitingRow,
  describe: Description,
): WaitingTicket {
  const since = routableSince ?? ticket.waitingSince ?? ticket.updatedAt
  const card = { ...ticket, since, offer, skills: [] }
  if (!ticket.queue) return { ...card, reason: 'withoutQueue' }
  if (ticket.isGroup) return { ...card, reason: 'manual' }
  if (!routableSince) return { ...card, reason: 'bot' }
  const { reason, skills } = describe(ticket.queue.id, { tagWeight, skillIds, languageSkillId, routableSince })
  if (offer) return { ...card, skills, reason: 'offered' }
  return { ...card, skills, reason: reason === 'next' && passed ? 'passed' : reason }
}

function toLivePerson(
  { seen, skillIds, offeredPlaces, ...person }: LiveMember,
  queues: LiveQueue[],
  tickets: LiveTicket[],
): LivePerson {
  return {
    ...person,
    capacity: person.capacity ?? largestCapacity(queues.filter(({ id }) => person.queueIds.includes(id))),
    ticketCount: seen,
    tickets,
  }
}
/** The capacity at which no queue assigns any more. Null: one of them has no limit, or none assigns. */
function largestCapacity(queues: LiveQueue[]): number | null {
  const routed = queues.filter(({ routing }) => routing !== 'manual')
  const limits = routed.flatMap(({ capacity }) => capacity ?? [])
  return limits.length > 0 && limits.length === routed.length ? Math.max(...limits) : null
}

export const liveRoutes = [route(routingApi.live, (scope, { query }) => readLivePage(scope, query.queueIds))]
