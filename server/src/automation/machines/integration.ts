import { planHas } from '../../accounts/plan-flags.ts'
import { isPassing, mayCall, reasonOf, recorded, saidOf } from '../../directory/machines/calling.ts'
import type { IntegrationRow } from '../../directory/machines/integrations.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { type Asker, AskRefusal } from '../asking/asker.ts'
import type { Act } from '../bots/bot.ts'
import type { MachineTurn } from '../bots/machine.ts'
import { agent } from './agent.ts'
import { StillTelling } from './deliveries.ts'
import { flow } from './flow.ts'
import { hook } from './hook.ts'
import { type Session, sessionOf } from './session.ts'
import type { Talk } from './talking.ts'
import { typingWhile } from './typing.ts'

export type IntegrationPace = {
  /** One call may take so long: the customer waits. */
  callMs: number
}
const usual: IntegrationPace = { callMs: 12_000 }

const talks: Record<IntegrationRow['type'], (talk: Talk, it: IntegrationRow, before: Session | null) => Promise<Act>> =
  {
    typebot: flow,
    dialogflow: agent,
    n8n: hook,
    webhook: hook,
  }

/** Whoever a company has put in place of people: a flow, an agent, a program behind a webhook. */
export const makeIntegration = (pace: IntegrationPace = usual): Asker<MachineTurn> => ({
  name: 'integration',
  // A file may be on its way to us, several messages may have to be told, and what is to be shown is fetched.
  patienceMs: 5 * pace.callMs,
  async answer(question) {
    const { scope, about, ticket, signal } = question
    const { callMs } = pace
    const it = await integrationById(scope, about.id)
    if (!it) throw new AskRefusal('the integration was deleted')
    if (!(await planHas(scope, 'useIntegrations'))) throw new AskRefusal('the plan has no integrations')
    if (!(await mayCall(scope, it)))
      throw new AskRefusal(`${it.name} is left alone for a while: ${saidOf(it.lastError)}`)
    const isHook = it.type === 'n8n' || it.type === 'webhook'
    const talk: Talk = {
      ...{ ...question, timeoutMs: callMs },
      recorded: (work) => recorded(scope, it, { ticketId: ticket.id, timeoutMs: callMs, signal }, work),
    }
    try {
      const before = await sessionOf(scope, ticket.id, it.id)
      const answer = () => talks[it.type](talk, it, before)
      // A webhook may have nothing to say: nobody is to wait for words that never come.
      return await (isHook ? answer() : typingWhile(question, answer))
    } catch (error) {
      if (signal.aborted) throw error
      // A webhook is told again by its deliveries; the customer does not wait for that.
      const again = isHook ? error instanceof StillTelling : isPassing(error)
      const reason = `${it.name}: ${reasonOf(error, callMs)}`
      throw again ? new Error(reason, { cause: error }) : new AskRefusal(reason, { cause: error })
    }
  },
})

const integrationById = (scope: Scope, id: number): Promise<IntegrationRow | undefined> =>
  scope.db
    .selectFrom('queueIntegrations')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .executeTakeFirst()
