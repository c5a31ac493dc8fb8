import type { IntegrationHealth } from '@recado/contract/integrations/integrations'

/** A response slower than this counts as slow: the customer sees "typing" meanwhile. */
const slowMs = 3000

export type IntegrationState = 'unused' | 'answers' | 'slow' | 'fails' | 'rests'

/** The state of an integration in one word. */
export function integrationState({ calls, ms, inRow, restsUntil }: IntegrationHealth, now: number): IntegrationState {
  if (restsUntil !== null && Date.parse(restsUntil) > now) return 'rests'
  if (inRow > 0) return 'fails'
  if (!calls.some((n) => n > 0)) return 'unused'
  return ms >= slowMs ? 'slow' : 'answers'
}

export const countCalls = ({ calls }: IntegrationHealth): number => calls.reduce((sum, n) => sum + n, 0)
