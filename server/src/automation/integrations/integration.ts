import { hasPlanFlag } from '../../accounts/plan-flags.ts'
import type { IntegrationRow } from '../../directory/integrations/integrations.ts'
import {
  canCallNow,
  describeCallError,
  describeCallFailureCode,
  isRetryableCallError,
  runRecordedCall,
} from '../../directory/integrations/recorded-call.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { showTypingWhile } from '../ai/typing.ts'
import type { ImmediateAction } from '../bot-actions/bot.ts'
import { type BotBackend, PermanentBotError } from '../bot-requests/backend.ts'
import type { AutoResponderTurn } from '../bots/auto-responder.ts'
import { runDialogflowTurn } from './dialogflow.ts'
import type { IntegrationRequest } from './integration-request.ts'
import { type BotSession, loadBotSession } from './session.ts'
import { runTypebotTurn } from './typebot.ts'
import { runWebhookTurn } from './webhook.ts'
import { DeliveryInProgressError } from './webhook-deliveries.ts'

export type IntegrationLimits = {
  /** Timeout of one call; short, because the customer waits. */
  callTimeoutMs: number
}
const defaultLimits: IntegrationLimits = { callTimeoutMs: 12_000 }

const turnByType: Record<
  IntegrationRow['type'],
  (talk: IntegrationRequest, it: IntegrationRow, before: BotSession | null) => Promise<ImmediateAction>
> = {
  typebot: runTypebotTurn,
  dialogflow: runDialogflowTurn,
  n8n: runWebhookTurn,
  webhook: runWebhookTurn,
}

/** The bot backend for integrations: a flow, a DialogFlow agent, or a service behind a webhook. */
export const makeIntegrationBackend = (pace: IntegrationLimits = defaultLimits): BotBackend<AutoResponderTurn> => ({
  name: 'integration',
  // One request may wait for a file, send several messages, and download files for the customer.
  timeoutMs: 5 * pace.callTimeoutMs,
  async answer(question) {
    const { scope, input: about, ticket, signal } = question
    const { callTimeoutMs: callMs } = pace
    const it = await findIntegration(scope, about.id)
    if (!it) throw new PermanentBotError('the integration was deleted')
    if (!(await hasPlanFlag(scope, 'useIntegrations'))) throw new PermanentBotError('the plan has no integrations')
    if (!(await canCallNow(scope, it)))
      throw new PermanentBotError(`${it.name} is left alone for a while: ${describeCallFailureCode(it.lastError)}`)
    const isHook = it.type === 'n8n' || it.type === 'webhook'
    const talk: IntegrationRequest = {
      ...{ ...question, timeoutMs: callMs },
      recorded: (work) => runRecordedCall(scope, it, { ticketId: ticket.id, timeoutMs: callMs, signal }, work),
    }
    try {
      const before = await loadBotSession(scope, ticket.id, it.id)
      const answer = () => turnByType[it.type](talk, it, before)
      // No typing indicator for a webhook, because it may answer nothing.
      return await (isHook ? answer() : showTypingWhile(question, answer))
    } catch (error) {
      if (signal.aborted) throw error
      // A failed webhook call is retried by its delivery job; the customer does not wait for that.
      const again = isHook ? error instanceof DeliveryInProgressError : isRetryableCallError(error)
      const reason = `${it.name}: ${describeCallError(error, callMs)}`
      throw again ? new Error(reason, { cause: error }) : new PermanentBotError(reason, { cause: error })
    }
  },
})

const findIntegration = (scope: Scope, id: number): Promise<IntegrationRow | undefined> =>
  scope.db
    .selectFrom('queueIntegrations')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .executeTakeFirst()
