import type { CallExternal } from '../../directory/integrations/external-call.ts'
import type { BotRequest } from '../bot-requests/backend.ts'
import type { AutoResponderTurn } from '../bots/auto-responder.ts'

/** A question to an integration, and the way to it: each exchange is written down. */
export type IntegrationRequest = BotRequest<AutoResponderTurn> & {
  recorded: <T>(work: (call: CallExternal) => Promise<T>) => Promise<T>
  timeoutMs: number
}
