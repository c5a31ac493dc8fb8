import { isTextOfTemplate } from '@recado/contract/menu/menu'
import type { MenuStep } from '@recado/contract/queues'

/** The customer's first message whose answer has changed. */
export function findFirstDifference(
  steps: MenuStep[],
  now: string[][],
): { customer: string; expected: string; actual: string } | null {
  for (const [i, { customer, bot }] of steps.entries()) {
    const said = now[i] ?? []
    const same = said.length === bot.length && said.every((template, k) => isTextOfTemplate(template, bot[k] ?? ''))
    if (!same) return { customer, expected: bot.join('\n\n'), actual: said.join('\n\n') }
  }
  return null
}
