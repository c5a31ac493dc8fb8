import type { PlatformHealth } from '@recado/contract/health/health'

type HealthFacts = {
  processes: Pick<PlatformHealth['processes'][number], 'answers'>[]
  failures: unknown[]
  waits: Pick<PlatformHealth['waits'][number], 'late'>[]
  lines: Pick<PlatformHealth['lines'][number], 'status' | 'reason'>[]
}

/** Counts the problems of each kind that need the operator. A line that a user switched off is not one. */
export const countTroubles = ({ processes, failures, waits, lines }: HealthFacts) => ({
  silent: processes.filter(({ answers }) => !answers).length,
  failed: failures.length,
  late: waits.filter(({ late }) => late).length,
  lines: lines.filter(({ status, reason }) => status !== 'CONNECTED' && reason !== 'off').length,
})

/** Whether nothing needs attention: only then may the page say that nothing failed. */
export const isHealthy = (facts: HealthFacts): boolean => Object.values(countTroubles(facts)).every((n) => n === 0)
