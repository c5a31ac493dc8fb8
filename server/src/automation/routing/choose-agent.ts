import type { RoutingMode } from '@recado/contract/queues'
import type { Obstacle } from '@recado/contract/routing/next'
import type { TicketEventStep } from '@recado/contract/tickets'
import type { Availability } from '@recado/contract/users'

/**
 * An active agent of a queue. `places`: what their open tickets, and those offered to them, take of their capacity, in all
 * queues. `routedAt`: when they last got a ticket of this queue.
 */
export type RoutableAgent = {
  id: number
  name: string
  online: boolean
  availability: Availability
  /** Whether a shift of their plan is running; always true without a plan. */
  onShift: boolean
  capacity: number | null
  places: number
  skillIds: number[]
  routedAt: string | null
}
export type RoutingRules = {
  routing: RoutingMode
  capacity: number | null
  lastAgentFirst: boolean
  ownerFirst: boolean
}
/** What a ticket takes of an agent. `takesAnybody`: it has waited so long for its skills that it goes without them. */
export type TicketNeeds = { weight: number; skills: { id: number; name: string }[]; takesAnybody: boolean }
/** The people who know the customer. */
export type KnownAgents = { ownerId: number | null; lastAgentId: number | null }
export type RoutingChoice = { userId: number; why: string; details: TicketEventStep['with'] }

/** How many names the reason lists; the ticket's history is no list of people. */
const maxNamesInReason = 3
const nobody: ReadonlySet<number> = new Set()

const capacityOf = (agent: RoutableAgent, rules: RoutingRules): number | null => agent.capacity ?? rules.capacity
const hasSkills = (agent: RoutableAgent, { skills }: TicketNeeds): boolean =>
  skills.every(({ id }) => agent.skillIds.includes(id))

/** Why an agent does not get this ticket now. Null: the agent is free. `excluded`: those who have just passed on it. */
export function findObstacle(
  agent: RoutableAgent,
  rules: RoutingRules,
  needs: TicketNeeds,
  excluded = nobody,
): Obstacle | null {
  if (!agent.online) return 'offline'
  if (agent.availability !== 'available') return agent.availability
  if (!agent.onShift) return 'offShift'
  if (excluded.has(agent.id)) return 'passed'
  if (!hasSkills(agent, needs)) return 'unskilled'
  const capacity = capacityOf(agent, rules)
  return capacity !== null && agent.places + needs.weight > capacity ? 'full' : null
}

/** The needs by which the ticket is served now: without its skills if it may go to anybody and nobody skilled is free. */
export function findServedNeeds(
  agents: RoutableAgent[],
  rules: RoutingRules,
  needs: TicketNeeds,
  excluded = nobody,
): TicketNeeds | null {
  const isServable = (by: TicketNeeds) => agents.some((agent) => findObstacle(agent, rules, by, excluded) === null)
  if (isServable(needs)) return needs
  const unskilled = { ...needs, skills: [] }
  return needs.takesAnybody && isServable(unskilled) ? unskilled : null
}

/** The agent who gets the ticket, and why. Null: nobody is free. */
export function chooseAgent(
  agents: RoutableAgent[],
  rules: RoutingRules,
  wanted: TicketNeeds & KnownAgents,
  excluded = nobody,
): RoutingChoice | null {
  const needs = findServedNeeds(agents, rules, wanted, excluded)
  if (!needs) return null
  const free = agents.filter((agent) => findObstacle(agent, rules, needs, excluded) === null)
  const owner = rules.ownerFirst ? free.find(({ id }) => id === wanted.ownerId) : undefined
  const last = rules.lastAgentFirst ? free.find(({ id }) => id === wanted.lastAgentId) : undefined
  const chosen = owner ?? last ?? free.toSorted(rules.routing === 'fewestOpen' ? byFewestOpen : byLongestWithout)[0]
  if (!chosen) return null
  const byMode = rules.routing === 'fewestOpen' ? 'routed-fewest-open' : 'routed-in-turn'
  return {
    userId: chosen.id,
    why: owner ? 'routed-to-owner' : last ? 'routed-to-last-agent' : byMode,
    details: {
      open: chosen.places + wanted.weight,
      capacity: capacityOf(chosen, rules),
      ...(wanted.weight > 1 && { weight: wanted.weight }),
      ...(wanted.skills.length > 0 && { [needs.skills.length ? 'skills' : 'missing']: joinNames(wanted.skills) }),
      ...nameSkipped(agents, rules, needs, excluded),
    },
  }
}

const byLongestWithout = (a: RoutableAgent, b: RoutableAgent): number =>
  Date.parse(a.routedAt ?? '1970-01-01') - Date.parse(b.routedAt ?? '1970-01-01') || a.id - b.id
const byFewestOpen = (a: RoutableAgent, b: RoutableAgent): number => a.places - b.places || byLongestWithout(a, b)

/** The agents who are connected but got nothing, by reason. */
function nameSkipped(
  agents: RoutableAgent[],
  rules: RoutingRules,
  needs: TicketNeeds,
  excluded: ReadonlySet<number>,
): TicketEventStep['with'] {
  const skipped = (obstacle: Obstacle) =>
    agents.filter((agent) => findObstacle(agent, rules, needs, excluded) === obstacle)
  const entries = (['break', 'away', 'offShift', 'passed', 'unskilled', 'full'] as const).map(
    (obstacle) => [obstacle, skipped(obstacle)] as const,
  )
  return Object.fromEntries(
    entries.filter(([, found]) => found.length > 0).map(([obstacle, found]) => [obstacle, joinNames(found)]),
  )
}
const joinNames = (named: { name: string }[]): string =>
  named
    .slice(0, maxNamesInReason)
    .map(({ name }) => name)
    .join(', ') + (named.length > maxNamesInReason ? ` +${named.length - maxNamesInReason}` : '')

/**
 * The first of these tickets, in their order, that somebody can serve, and the agents who may get it. A ticket that
 * nobody can serve does not make younger ones wait. But if it only lacks places, the agent who is nearest to having
 * them is kept free for it: otherwise lighter tickets would take each place as it becomes free, and it would wait forever.
 */
export function chooseTicket<T extends TicketNeeds & { passedUserIds?: ReadonlySet<number> }>(
  tickets: T[],
  agents: RoutableAgent[],
  rules: RoutingRules,
): { ticket: T; agents: RoutableAgent[] } | null {
  let candidates = agents
  for (const ticket of tickets) {
    if (findServedNeeds(candidates, rules, ticket, ticket.passedUserIds)) return { ticket, agents: candidates }
    const kept = findNearestAgent(candidates, rules, ticket)
    if (kept) candidates = candidates.filter((agent) => agent !== kept)
    if (!candidates.length) return null
  }
  return null
}

/** The agent with the most free places among those who could serve the ticket if they had a few more. */
function findNearestAgent(agents: RoutableAgent[], rules: RoutingRules, ticket: TicketNeeds): RoutableAgent | null {
  const needs = ticket.takesAnybody ? { ...ticket, skills: [] } : ticket
  const roomOf = (agent: RoutableAgent) => (capacityOf(agent, rules) ?? 0) - agent.places
  const near = agents.filter(
    (agent) =>
      findObstacle(agent, rules, needs) === 'full' &&
      (capacityOf(agent, rules) ?? 0) >= needs.weight &&
      roomOf(agent) > 0,
  )
  return near.toSorted((a, b) => roomOf(b) - roomOf(a) || a.id - b.id)[0] ?? null
}
