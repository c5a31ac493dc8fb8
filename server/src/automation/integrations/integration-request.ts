import type { CallExternal } from '../../directory/integrations/external-call.ts'
import type { BotRequest } from '../bot-requests/backend.ts'
import type { AutoResponderTurn } from '../bots/auto-responder.ts'

/** A bot request to an integration, with a client that records each call. */
export type IntegrationRequest = BotRequest<AutoResponderTurn> & {
  recorded: <T>(work: (call: CallExternal) => Promise<T>) => Promise<T>
  timeoutMs: number
}
