import type { Ticket } from '@recado/contract/tickets'
import type { ModelMessage } from '../../directory/ai/model/chat.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { AutoResponderTurn } from '../bots/auto-responder.ts'
import type { Rulebook } from '../rulebook.ts'
import type { CompanyFacts } from './system-prompt.ts'

/** Maximum number of tags that a model may choose from. */
const maxTags = 100

/** Current facts about the company. Tags that are board lanes are left out, because setting them would move a card. */
export async function loadCompanyFacts(
  scope: Scope,
  rulebook: Rulebook,
  facts: Pick<CompanyFacts, 'customer' | 'queueId' | 'knowledge'>,
): Promise<CompanyFacts> {
  const { name } = await scope.db
    .selectFrom('companies')
    .select('name')
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  const tags = await scope.db
    .selectFrom('tags')
    .select(['id', 'name'])
    .where('companyId', '=', scope.companyId)
    .where('kanban', '=', 0)
    .orderBy('name')
    .limit(maxTags)
    .execute()
  const queues = [...rulebook.queues.values()].map((queue) => ({ id: queue.id, name: queue.name }))
  return { ...facts, company: name, queues, tags, now: scope.now() }
}

/** Tells the model which menu choice the customer made: the customer has asked nothing yet. */
export function describeMenuChoice(
  { chose }: AutoResponderTurn,
  rulebook: Rulebook,
  { queueId }: Pick<Ticket, 'queueId'>,
): ModelMessage[] {
  if (!chose) return []
  const queue = JSON.stringify(rulebook.queues.get(queueId ?? 0)?.name ?? '')
  return [{ role: 'system', content: `The customer has just chosen ${queue} from the menu. Ask how you can help.` }]
}
