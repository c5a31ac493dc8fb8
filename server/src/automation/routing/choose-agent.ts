import type { RoutingMode } from '@recado/contract/queues'
import type { TicketEventStep } from '@recado/contract/tickets'
import type { Availability } from '@recado/contract/users'

/** An active agent of a queue. `open`: their open tickets in all queues. `routedAt`: when they last got one of this queue. */
export type RoutableAgent = {
  id: number
  name: string
  online: boolean
  availability: Availability
  capacity: number | null
  open: number
  routedAt: string | null
}
export type RoutingChoice = { userId: number; why: string; details: TicketEventStep['with'] }
type RoutingRules = { routing: RoutingMode; capacity: number | null; lastAgentFirst: boolean }

/** How many names the reason lists; the ticket's history is no list of people. */
const maxNamesInReason = 3

const capacityOf = (agent: RoutableAgent, rules: RoutingRules): number | null => agent.capacity ?? rules.capacity

/** Why an agent gets no ticket now. Null: the agent is free. */
export function findObstacle(agent: RoutableAgent, rules: RoutingRules): 'offline' | 'break' | 'away' | 'full' | null {
  if (!agent.online) return 'offline'
  if (agent.availability !== 'available') return agent.availability
  const capacity = capacityOf(agent, rules)
  return capacity !== null && agent.open >= capacity ? 'full' : null
}

/** The agent who gets the next ticket, and why. Null: nobody is free. */
export function chooseAgent(
  agents: RoutableAgent[],
  rules: RoutingRules,
  lastAgentId: number | null,
): RoutingChoice | null {
  const free = agents.filter((agent) => findObstacle(agent, rules) === null)
  const last = rules.lastAgentFirst ? free.find((agent) => agent.id === lastAgentId) : undefined
  const chosen = last ?? free.toSorted(rules.routing === 'fewestOpen' ? byFewestOpen : byLongestWithout)[0]
  if (!chosen) return null
  const why = last ? 'routed-to-last-agent' : rules.routing === 'fewestOpen' ? 'routed-fewest-open' : 'routed-in-turn'
  return {
    userId: chosen.id,
    why,
    details: { open: chosen.open + 1, capacity: capacityOf(chosen, rules), ...nameSkipped(agents, rules) },
  }
}

const byLongestWithout = (a: RoutableAgent, b: RoutableAgent): number =>
  Date.parse(a.routedAt ?? '1970-01-01') - Date.parse(b.routedAt ?? '1970-01-01') || a.id - b.id
const byFewestOpen = (a: RoutableAgent, b: RoutableAgent): number => a.open - b.open || byLongestWithout(a, b)

/** The agents who are connected but got nothing, by reason. */
function nameSkipped(agents: RoutableAgent[], rules: RoutingRules): TicketEventStep['with'] {
  const skipped = (obstacle: 'break' | 'away' | 'full') =>
    agents.filter((agent) => findObstacle(agent, rules) === obstacle).map(({ name }) => name)
  const entries = (['break', 'away', 'full'] as const).map((obstacle) => [obstacle, skipped(obstacle)] as const)
  return Object.fromEntries(
    entries.filter(([, names]) => names.length > 0).map(([key, names]) => [key, joinNames(names)]),
  )
}
const joinNames = (names: string[]): string =>
  names.slice(0, maxNamesInReason).join(', ') +
  (names.length > maxNamesInReason ? ` +${names.length - maxNamesInReason}` : '')
