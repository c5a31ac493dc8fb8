import type { Reply } from '@recado/contract/endpoint'
import { routingApi } from '@recado/contract/routing/live'
import { maxPeopleListed, type NextPerson } from '@recado/contract/routing/next'
import type { z } from 'zod'
import { requireSkills } from '../../accounts/agents/skills.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/routes.ts'
import { chooseAgent, findObstacle, type RoutableAgent } from './choose-agent.ts'
import { listAgents } from './queue-agents.ts'
import { combineNeeds, listSkills } from './ticket-needs.ts'

type Draft = z.output<typeof routingApi.next.body>

/** How many of those who are free get a rank: further ones are not next for long. */
const maxRanked = 20

/**
 * Who would get the next ticket of a queue with these rules, decided by the function that assigns tickets. The customer
 * is nobody's: without an owner and a last agent.
 */
async function findNextAgents(scope: Scope, draft: Draft): Promise<Reply<typeof routingApi.next>> {
  await requireQueue(scope, draft.queueId)
  await requireSkills(scope, draft.skillIds)
  const skills = await listSkills(scope)
  const rules = {
    ...{ routing: draft.routing, capacity: draft.capacity ?? null },
    ...{ lastAgentFirst: false, ownerFirst: false },
  }
  const languageSkillId = skills.find(({ language }) => language !== null && language === draft.language)?.id ?? 0
  const needs = combineNeeds(
    { ...draft, skillTimeoutMinutes: null },
    { tagWeight: 1, skillIds: [], languageSkillId, routableSince: scope.now().toISOString() },
    skills,
    scope.now(),
  )
  const capacities = new Map(draft.capacities.map(({ userId, capacity }) => [userId, capacity ?? null]))
  const agents = (await listAgents(scope, draft.queueId, draft.userIds)).map(
    (agent): RoutableAgent => ({
      ...agent,
      capacity: capacities.has(agent.id) ? (capacities.get(agent.id) ?? null) : agent.capacity,
    }),
  )
  const ranked: number[] = []
  while (draft.routing !== 'manual' && ranked.length < maxRanked) {
    const choice = chooseAgent(agents, rules, { ...needs, ownerId: null, lastAgentId: null }, new Set(ranked))
    if (!choice) break
    ranked.push(choice.userId)
  }
  const people = agents.map(
    (agent): NextPerson => ({
      ...{ id: agent.id, name: agent.name, places: agent.places, capacity: agent.capacity ?? rules.capacity },
      rank: ranked.includes(agent.id) ? ranked.indexOf(agent.id) + 1 : null,
      obstacle: findObstacle(agent, rules, needs),
    }),
  )
  return {
    skills: needs.skills.map(({ name }) => name),
    people: people.sort(byRank).slice(0, maxPeopleListed),
    peopleCount: people.length,
  }
}

/** Those who are next, then those who are free, then the others. */
const byRank = (a: NextPerson, b: NextPerson): number =>
  (a.rank ?? maxRanked + 1) - (b.rank ?? maxRanked + 1) ||
  Number(a.obstacle !== null) - Number(b.obstacle !== null) ||
  a.name.localeCompare(b.name)

async function requireQueue(scope: Scope, id: number | null): Promise<void> {
  if (id === null) return
  const row = await scope.db
    .selectFrom('queues')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new AppError('ERR_QUEUE_NOT_FOUND')
}

export const nextAgentRoutes = [route(routingApi.next, (scope, { body }) => findNextAgents(scope, body))]
