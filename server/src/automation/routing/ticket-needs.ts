import { sql } from 'kysely'
import { minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { RoutingRules, TicketNeeds } from './choose-agent.ts'

type Skills = TicketNeeds['skills']
/** What a queue asks for. */
export type QueueNeeds = {
  weight: number
  skillIds: number[]
  asksLanguage: boolean
  skillTimeoutMinutes: number | null
}
export type RoutedQueue = RoutingRules & QueueNeeds & { id: number; offerSeconds: number }
/** What the database records about a waiting ticket; `languageSkillId`: 0 is none. */
export type StoredNeeds = { tagWeight: number; skillIds: number[]; languageSkillId: number; routableSince: string }

export const listSkills = (scope: Scope): Promise<(Skills[number] & { language: string | null })[]> =>
  scope.db.selectFrom('skills').select(['id', 'name', 'language']).where('companyId', '=', scope.companyId).execute()

/** What a ticket of the queue takes of an agent. `skills`: those that exist; a deleted one does not count. */
export function combineNeeds(queue: QueueNeeds, stored: StoredNeeds, skills: Skills, now: Date): TicketNeeds {
  const wanted = new Set([
    ...queue.skillIds,
    ...stored.skillIds,
    ...(queue.asksLanguage ? [stored.languageSkillId] : []),
  ])
  const givesUpAt = findGivesUpAt(queue, stored)
  return {
    weight: Math.max(queue.weight, stored.tagWeight),
    skills: skills.filter(({ id }) => wanted.has(id)),
    takesAnybody: givesUpAt !== null && givesUpAt <= now.getTime(),
  }
}

/** When the ticket goes to anybody. Null: never. */
export const findGivesUpAt = (
  { skillTimeoutMinutes }: QueueNeeds,
  { routableSince }: Pick<StoredNeeds, 'routableSince'>,
): number | null => (skillTimeoutMinutes === null ? null : Date.parse(routableSince) + minutes(skillTimeoutMinutes))

/** How many groups of tickets with different needs one decision looks at. */
const maxGroups = 500
export type WaitingHead = StoredNeeds & { id: number }

/**
 * The oldest waiting ticket of each group with the same needs and priority, in the order in which tickets are assigned.
 * The others of a group cannot be served before it. Each group costs one probe of the index `tickets_routing_groups`,
 * however many tickets it has: the order is that of the index, so the first ticket beyond a group is the next head.
 * Tickets that are being offered, and `skippedIds`, are left out.
 */
export async function listWaitingHeads(
  scope: Scope,
  { id: queueId, offerSeconds }: RoutedQueue,
  skippedIds: number[],
): Promise<WaitingHead[]> {
  const needs = sql`t."skillIds", t."languageSkillId", t."tagWeight", t.priority`
  const row = sql`${needs}, t."routableSince", t.id`
  const isNotOffered = offerSeconds
    ? sql`not exists (select from "ticketOffers" o
        where o."companyId" = t."companyId" and o."ticketId" = t.id and o."userId" is not null)`
    : sql`true`
  const waiting = sql`t."companyId" = ${scope.companyId} and t."queueId" = ${queueId} and t."routableSince" is not null
    and t.id <> all(${skippedIds}::int[]) and ${isNotOffered}`
  const { rows } = await sql<WaitingHead>`
    with recursive heads as (
      (select ${row} from tickets t where ${waiting} order by ${row} limit 1)
      union all
      select n.* from heads h cross join lateral (
        select ${row} from tickets t
        where ${waiting} and (${needs}) > (h."skillIds", h."languageSkillId", h."tagWeight", h.priority)
        order by ${row} limit 1
      ) n
    )
    select id, "skillIds", "languageSkillId", "tagWeight", "routableSince"
    from (select * from heads limit ${sql.lit(maxGroups)}) h
    order by priority, "routableSince", id`.execute(scope.db)
  return rows
}

/** Waiting tickets of the queue that were offered in vain, with the agents who passed them. */
export async function listPassedTickets(
  scope: Scope,
  queueId: number,
): Promise<(WaitingHead & { passedUserIds: number[] })[]> {
  return scope.db
    .selectFrom('ticketOffers as o')
    .innerJoin('tickets as t', (join) => join.onRef('t.companyId', '=', 'o.companyId').onRef('t.id', '=', 'o.ticketId'))
    .select(['t.id', 't.skillIds', 't.languageSkillId', 't.tagWeight', 'o.passedUserIds'])
    .select(sql<string>`t."routableSince"`.as('routableSince'))
    .where('o.companyId', '=', scope.companyId)
    .where('o.queueId', '=', queueId)
    .where('o.userId', 'is', null)
    .where('t.routableSince', 'is not', null)
    .execute()
}
