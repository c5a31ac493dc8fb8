import type { CallExternal } from '../../directory/machines/call-out.ts'
import type { BotRequest } from '../asking/asker.ts'
import type { AutoResponderTurn } from '../bots/machine.ts'

/** A question to an integration, and the way to it: each exchange is written down. */
export type IntegrationRequest = BotRequest<AutoResponderTurn> & {
  recorded: <T>(work: (call: CallExternal) => Promise<T>) => Promise<T>
  timeoutMs: number
}
