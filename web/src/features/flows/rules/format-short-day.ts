import { formatDay } from '../../../lib/format.ts'
import type { RulesWords } from './texts.ts'

const dayMs = 86_400_000

/** `hoy`, `ayer` or `02/11`. */
export function formatShortDay(moment: string, words: Pick<RulesWords, 'today' | 'yesterday'>): string {
  const day = formatDay(moment)
  if (day === formatDay(Date.now())) return words.today
  if (day === formatDay(Date.now() - dayMs)) return words.yesterday
  return day.slice(0, 5)
}
