import type { Health } from '@recado/contract/machines/integrations'

/** An answer that takes longer than this is slow: a customer looks at "typing" meanwhile. */
const slowMs = 3000

export type State = 'unused' | 'answers' | 'slow' | 'fails' | 'rests'

/** How an integration is doing, in one word. */
export function stateOf({ calls, ms, inRow, restsUntil }: Health, now: number): State {
  if (restsUntil !== null && Date.parse(restsUntil) > now) return 'rests'
  if (inRow > 0) return 'fails'
  if (!calls.some((n) => n > 0)) return 'unused'
  return ms >= slowMs ? 'slow' : 'answers'
}

export const callsOf = ({ calls }: Health): number => calls.reduce((sum, n) => sum + n, 0)
